import { isViewName, VIEWS, type ViewName } from '../registry/registry.js';

/** How several views share the panel: behind tabs, below each other, side by side, or as its size allows. */
export type ViewLayout = 'auto' | 'tabs' | 'stack' | 'columns';

/** The options of the panel itself. Those of the views are stored beside them, under names of their own. */
export interface PanelOptions {
  readonly views: readonly ViewName[];
  readonly layout: ViewLayout;
}

export const VIEW_NAMES: readonly ViewName[] = Object.keys(VIEWS).filter(isViewName);

/** What a job printed; the list of jobs and the header of a job are for panels of their own. */
const DEFAULT_VIEWS: readonly ViewName[] = ['graph', 'table', 'log'];

export const DEFAULT_OPTIONS: PanelOptions = { views: DEFAULT_VIEWS, layout: 'auto' };

/** The stored options made whole: a dashboard written by hand may leave any of them out or hold nonsense. */
export function readOptions(stored: Partial<PanelOptions> | undefined): PanelOptions {
  const { views: wanted, layout } = { ...DEFAULT_OPTIONS, ...stored };
  const views = VIEW_NAMES.filter((view) => wanted.includes(view));
  return { views: views.length > 0 ? views : DEFAULT_VIEWS, layout };
}
