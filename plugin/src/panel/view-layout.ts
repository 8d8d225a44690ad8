import type { ViewLayout, ViewName } from './options.js';

/** A view needs this much to be of use. */
const MIN_VIEW_HEIGHT_PX = 200;
const GAP_PX = 8;

/** The graph gets the most room: it holds a legend. */
const SHARES: Readonly<Record<ViewName, number>> = { graph: 4, table: 3, log: 3 };

export function chooseLayout(layout: ViewLayout, viewCount: number, heightPx: number): 'tabs' | 'stack' {
  if (layout !== 'auto') return layout;
  return heightPx >= viewCount * MIN_VIEW_HEIGHT_PX + (viewCount - 1) * GAP_PX ? 'stack' : 'tabs';
}

/** The height of each view of a stack; with the gaps between them they fill the panel. */
export function splitHeight(views: readonly ViewName[], heightPx: number): readonly number[] {
  const total = views.reduce((sum, view) => sum + SHARES[view], 0);
  const room = Math.max(0, heightPx - GAP_PX * (views.length - 1));
  return views.map((view) => Math.floor((room * SHARES[view]) / total));
}
