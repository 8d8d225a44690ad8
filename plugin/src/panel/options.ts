import { isViewName, VIEWS, type ViewName } from '../registry/registry.js';

/** How several views share the panel: one at a time behind tabs, stacked, or stacked if the height allows. */
export type ViewLayout = 'auto' | 'tabs' | 'stack';

/** The options of the panel itself. Those of the views are stored beside them, under names of their own. */
export interface PanelOptions {
  readonly views: readonly ViewName[];
  readonly layout: ViewLayout;
}

export const VIEW_NAMES: readonly ViewName[] = Object.keys(VIEWS).filter(isViewName);

export const DEFAULT_OPTIONS: PanelOptions = { views: VIEW_NAMES, layout: 'auto' };

/** The stored options made whole: a dashboard written by hand may leave any of them out or hold nonsense. */
export function readOptions(stored: Partial<PanelOptions> | undefined): PanelOptions {
  const { views: wanted, layout } = { ...DEFAULT_OPTIONS, ...stored };
  const views = VIEW_NAMES.filter((view) => wanted.includes(view));
  return { views: views.length > 0 ? views : VIEW_NAMES, layout };
}
