import { VIEWS, type ViewName } from '../registry/registry.js';
import type { ViewLayout } from './options.js';

/** A smaller view is of no use. */
const MIN_VIEW_HEIGHT_PX = 200;
const MIN_VIEW_WIDTH_PX = 320;
/** Without a wish for columns, each has to be as wide as a line of a log. */
const COMFORTABLE_WIDTH_PX = 640;
export const GAP_PX = 8;

export interface PanelSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** How the views are laid out in a panel of this size. Columns that would be too narrow give way, as on a phone. */
export function chooseLayout(
  layout: ViewLayout,
  viewCount: number,
  { widthPx, heightPx }: PanelSize
): Exclude<ViewLayout, 'auto'> {
  const fits = (minPx: number, roomPx: number): boolean => roomPx >= viewCount * minPx + (viewCount - 1) * GAP_PX;
  if (layout === 'tabs' || layout === 'stack') return layout;
  if (layout === 'columns' && fits(MIN_VIEW_WIDTH_PX, widthPx)) return 'columns';
  if (fits(MIN_VIEW_HEIGHT_PX, heightPx)) return 'stack';
  return fits(COMFORTABLE_WIDTH_PX, widthPx) ? 'columns' : 'tabs';
}

/** The height of each view of a stack; with the gaps between them they fill the panel. */
export function splitHeight(views: readonly ViewName[], heightPx: number): readonly number[] {
  const total = views.reduce((sum, view) => sum + VIEWS[view].heightShare, 0);
  const room = Math.max(0, heightPx - GAP_PX * (views.length - 1));
  return views.map((view) => Math.floor((room * VIEWS[view].heightShare) / total));
}

/** The width of each view side by side: all alike. */
export function splitWidth(views: readonly ViewName[], widthPx: number): readonly number[] {
  const room = Math.max(0, widthPx - GAP_PX * (views.length - 1));
  return views.map(() => Math.floor(room / views.length));
}
