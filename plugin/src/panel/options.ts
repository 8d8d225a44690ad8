export type ViewName = 'graph' | 'table' | 'log';
export type LogOrder = 'asc' | 'desc';
/** How several views share the panel: one at a time behind tabs, all above each other, or whichever the height allows. */
export type ViewLayout = 'auto' | 'tabs' | 'stack';

export interface PanelOptions {
  readonly views: readonly ViewName[];
  readonly layout: ViewLayout;
  /** `auto`, `time`, or the name of a column. */
  readonly x: string;
  readonly newestFirst: boolean;
  readonly logOrder: LogOrder;
  readonly follow: boolean;
  readonly pageSize: number;
}

export const VIEW_NAMES: readonly ViewName[] = ['graph', 'table', 'log'];

export const DEFAULT_OPTIONS: PanelOptions = {
  views: VIEW_NAMES,
  layout: 'auto',
  x: 'auto',
  newestFirst: true,
  logOrder: 'asc',
  follow: true,
  pageSize: 100,
};

const MAX_PAGE_SIZE = 10_000;

/** The stored options made whole: a dashboard written by hand may leave any of them out or hold nonsense. */
export function readOptions(stored: Partial<PanelOptions> | undefined): PanelOptions {
  const merged = { ...DEFAULT_OPTIONS, ...stored };
  const views = VIEW_NAMES.filter((view) => merged.views.includes(view));
  const pageSize = Math.trunc(merged.pageSize);
  return {
    ...merged,
    views: views.length > 0 ? views : VIEW_NAMES,
    x: merged.x === '' ? 'auto' : merged.x,
    pageSize: pageSize >= 1 ? Math.min(pageSize, MAX_PAGE_SIZE) : DEFAULT_OPTIONS.pageSize,
  };
}
