import { countOf, formatCount } from '@joblens/core/words/counts';
import type { MetadataMeta } from '../../../frames/frame-meta.js';

/** Which rows of a table can be seen. */
export type PageScope =
  | { readonly kind: 'all' }
  /** Sorted or filtered, but only those that are loaded. */
  | { readonly kind: 'loaded'; readonly isSorted: boolean }
  /** The rows in the store that pass the filters. */
  | { readonly kind: 'found' }
  | {
      readonly kind: 'sorted';
      readonly part: NonNullable<MetadataMeta['part']>;
      /** Whether the counts are those of rows that pass the filters. */
      readonly isFiltered: boolean;
    };

interface PageDescription {
  readonly scope: PageScope;
  readonly rows: number;
  readonly from: number;
  readonly total: number | undefined;
  /** The rows of the table that are loaded. */
  readonly loadedRows: number;
  readonly totalRows: number;
  readonly isLoading: boolean;
  readonly problem: string | undefined;
}

const WAITING: Readonly<Record<PageScope['kind'], string>> = {
  all: 'Loading rows …',
  loaded: 'Loading rows …',
  found: 'Searching …',
  sorted: 'Sorting …',
};

/** Which rows are shown, of how many; and of which rows these are the sorted or found ones. */
export function describePage(page: PageDescription): string {
  const { scope, isLoading, problem } = page;
  if (problem !== undefined) return `Rows cannot be loaded: ${problem}`;
  if (isLoading) return WAITING[scope.kind];
  switch (scope.kind) {
    case 'all':
      return describeAll(page);
    case 'loaded':
      return describeLoaded(page, scope.isSorted);
    case 'found':
      return describeFound(page);
    case 'sorted':
      return `${formatPlace(page, ' · ')}${describeSorted(scope, page.total ?? 0, page.totalRows)}`;
  }
}

interface DownloadDescription extends Pick<PageDescription, 'scope' | 'total' | 'totalRows'> {
  readonly isFiltered: boolean;
  /** The column that sorts. */
  readonly sortedBy: string | undefined;
}

/** Which rows a download has: `All 48,210 rows`, `1,234 rows that match, sorted by loss`. */
export function describeDownload({ sortedBy, ...page }: DownloadDescription): string {
  const count = countDownload(page);
  const rows = page.isFiltered
    ? count === undefined
      ? 'Rows that match'
      : `${countRows(count)} that ${count === 1 ? 'matches' : 'match'}`
    : `All ${countRows(page.totalRows)}`;
  return sortedBy === undefined ? rows : `${rows}, sorted by ${sortedBy}`;
}

/** How many rows a download has; undefined while nobody has counted them. */
export function countDownload(page: Omit<DownloadDescription, 'sortedBy'>): number | undefined {
  const { scope, total, totalRows, isFiltered } = page;
  if (!isFiltered) return totalRows;
  // Rows without a value are sorted by no store, but they are downloaded.
  return scope.kind === 'sorted' ? undefined : total;
}

/** Empty where all rows are on one page. */
function formatPlace({ rows, from, total }: PageDescription, separator: string): string {
  if (rows === total || rows === 0) return '';
  return `${formatCount(from + 1)}–${formatCount(from + rows)}${separator}`;
}

function countRows(count: number): string {
  return countOf(count, 'row');
}

function describeAll(page: PageDescription): string {
  const { total = 0, totalRows, loadedRows } = page;
  const isPart = total < totalRows && total === loadedRows;
  const all = isPart ? `${formatCount(total)} of ${formatCount(totalRows)} rows` : countRows(total);
  return `${formatPlace(page, ' of ')}${all}`;
}

function describeLoaded(page: PageDescription, isSorted: boolean): string {
  const { total = 0, totalRows, loadedRows } = page;
  const loaded = `the ${formatCount(loadedRows)} loaded rows of ${formatCount(totalRows)}`;
  if (isSorted && total === loadedRows) return `${formatPlace(page, ' · ')}sorted ${loaded}`;
  return `${formatPlace(page, ' of ')}${formatCount(total)} found in ${loaded}`;
}

function describeFound(page: PageDescription): string {
  const { rows, total, totalRows } = page;
  if (rows === 0) return `None of ${countRows(totalRows)}`;
  if (total === undefined) return formatPlace(page, ', counting …');
  // The summary of a running job lags behind its rows.
  return `${formatPlace(page, ' of ')}${formatCount(total)} found in ${countRows(Math.max(total, totalRows))}`;
}

function describeSorted(
  { part, isFiltered }: Extract<PageScope, { kind: 'sorted' }>,
  sorted: number,
  totalRows: number
): string {
  const count = formatCount(sorted);
  const all = countRows(Math.max(sorted, totalRows));
  if (part === 'all' && isFiltered) return `sorted all ${count} found in ${all}`;
  // The time range may hold fewer rows than the table has, and rows of other writers may lack the key.
  if (part === 'all') return sorted < totalRows ? `sorted ${count} of ${all}` : `sorted all ${countRows(sorted)}`;
  if (part === 'extreme') return `sorted the first ${count} of ${all}`;
  return isFiltered ? `sorted the newest ${count} found in ${all}` : `sorted the newest ${count} of ${all}`;
}
