import { VIEWS, type ViewName } from '../registry/registry.js';
import type { ViewLayout } from './options.js';

/** A lower view is of no use. */
const MIN_VIEW_HEIGHT_PX = 200;
const GAP_PX = 8;

export function chooseLayout(layout: ViewLayout, viewCount: number, heightPx: number): 'tabs' | 'stack' {
  if (layout !== 'auto') return layout;
  return heightPx >= viewCount * MIN_VIEW_HEIGHT_PX + (viewCount - 1) * GAP_PX ? 'stack' : 'tabs';
}

/** The height of each view of a stack; with the gaps between them they fill the panel. */
export function splitHeight(views: readonly ViewName[], heightPx: number): readonly number[] {
  const total = views.reduce((sum, view) => sum + VIEWS[view].heightShare, 0);
  const room = Math.max(0, heightPx - GAP_PX * (views.length - 1));
  return views.map((view) => Math.floor((room * VIEWS[view].heightShare) / total));
}
