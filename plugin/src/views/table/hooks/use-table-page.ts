import { useEffect, useMemo, useState } from 'react';
import type { PanelTable } from '../../parts/components/tables.js';
import { chooseRows, listTypedFilters, type RowChoice } from '../model/column-filter.js';
import type { PageScope } from '../model/describe-page.js';
import { createPage, findLastPage, orderRows, type Page } from '../model/row-order.js';
import type { ReadRows } from '../model/store-rows.js';
import { type FoundPages, useFoundPages } from './use-found-pages.js';
import { type SortedPages, useSortedPages } from './use-sorted-pages.js';
import { type PageEdges, type PageStep, useStorePages } from './use-store-pages.js';

export interface TablePage {
  /** The loaded table, or a page of it from the store. */
  readonly table: PanelTable;
  readonly page: Page;
  /** Place of the page's first row among the rows that can be seen, from 0. */
  readonly from: number;
  /** How many these are; undefined while they are counted. */
  readonly total: number | undefined;
  /** Which rows these are. */
  readonly scope: PageScope;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isLoading: boolean;
  readonly problem: string | undefined;
  readonly step: (step: PageStep) => void;
  /** Rows that came in since the table was sorted, and the way to sort them too. */
  readonly newer?: { readonly rows: number; readonly sortAgain: () => void };
}

interface TablePageInput {
  readonly table: PanelTable;
  readonly read: ReadRows | undefined;
  readonly isNewestFirst: boolean;
  readonly pageSize: number;
  readonly choice: RowChoice;
}

/** The page of rows to show: of the loaded ones, and, where these are not all, from the store. */
export function useTablePage(input: TablePageInput): TablePage {
  const { table, isNewestFirst, pageSize, choice } = input;
  const filters = useMemo(() => listTypedFilters(choice.filters), [choice.filters]);
  const hasChoice = choice.sort !== undefined || filters.length > 0;
  const read = table.totalRows > table.rowCount ? input.read : undefined;
  const way = read === undefined || !hasChoice ? 'time' : choice.sort === undefined ? 'found' : 'sorted';
  const shared = { table, filters, isNewestFirst, pageSize };
  const found = useFoundPages({ ...shared, read: way === 'found' ? read : undefined });
  const sorted = useSortedPages({ ...shared, sort: choice.sort, read: way === 'sorted' ? read : undefined });
  const byTime = useTimePages({ ...input, read: way === 'time' ? read : undefined, hasChoice });
  if (way === 'found') return showFound(found, table, isNewestFirst);
  return way === 'sorted' ? showSorted(sorted, table, filters.length > 0) : byTime;
}

function createShown(rows: readonly number[]): Page {
  return { rows, from: 0 };
}

function showFound(found: FoundPages, table: PanelTable, isNewestFirst: boolean): TablePage {
  const { from, total, hasNext, isLoading, problem, go } = found;
  const shown = found.shown?.id === table.id ? found.shown : undefined;
  return {
    table: shown === undefined || shown.columns.length === 0 ? table : shown,
    page: createShown(shown === undefined ? [] : orderRows(shown, isNewestFirst)),
    ...{ from, total, isLoading, problem, step: go },
    scope: { kind: 'found' },
    isFirst: from === 0,
    isLast: !hasNext,
  };
}

function showSorted(sorted: SortedPages, table: PanelTable, isFiltered: boolean): TablePage {
  const { rows, from, total, part, isLoading, problem, newerRows, go, sortAgain } = sorted;
  const shown = sorted.shown?.id === table.id ? sorted.shown : undefined;
  return {
    table: shown ?? table,
    page: createShown(shown === undefined ? [] : rows),
    ...{ from, total, isLoading, problem, step: go },
    scope: { kind: 'sorted', part, isFiltered },
    isFirst: from === 0,
    isLast: from + rows.length >= total,
    ...(newerRows > 0 && { newer: { rows: newerRows, sortAgain } }),
  };
}

function stepLocally(step: PageStep, from: number, rows: number, pageSize: number): number {
  const last = findLastPage(rows, pageSize);
  const places = { first: 0, previous: from - pageSize, next: from + pageSize, last };
  return Math.min(Math.max(0, places[step]), last);
}

interface Top {
  readonly place: number;
  readonly timeNs: string | undefined;
}

function findTop({ timesNs }: PanelTable, order: readonly number[], top: Top | undefined): number {
  if (top?.timeNs === undefined) return top?.place ?? 0;
  const place = order.findIndex((row) => timesNs?.[row] === top.timeNs);
  return place < 0 ? top.place : place;
}

/** Pages in the order of time, and pages of the loaded rows, sorted and filtered. */
function useTimePages(input: TablePageInput & { readonly hasChoice: boolean }): TablePage {
  const { table, read, isNewestFirst, pageSize, choice, hasChoice } = input;
  /** The row at the top of a page that is not the first: rows that come in above it do not move it. */
  const [top, setTop] = useState<Top | undefined>(undefined);
  const hasRest = read !== undefined;
  const store = useStorePages(table, read, isNewestFirst, pageSize, Math.min(pageSize, table.rowCount));
  useEffect(() => setTop(undefined), [table.id, isNewestFirst, pageSize, choice]);
  // The oldest rows of a long table are not among the loaded ones.
  useEffect(() => {
    // Once for each table and order.
    if (hasRest && !isNewestFirst) store.go('first', { oldestNs: undefined, newestNs: undefined });
  }, [hasRest, isNewestFirst, table.id, pageSize]);

  const shown = hasRest ? store.shown : undefined;
  const loaded = useMemo(
    () => chooseRows(table, orderRows(table, isNewestFirst), choice),
    [table, isNewestFirst, choice]
  );
  const local = useMemo(
    () => createPage(loaded, findTop(table, loaded, top), pageSize),
    [table, loaded, top, pageSize]
  );
  const beyond = useMemo(
    () => (shown === undefined ? undefined : createShown(orderRows(shown, isNewestFirst))),
    [shown, isNewestFirst]
  );
  const total = hasRest ? table.totalRows : loaded.length;
  const page = beyond ?? local;
  const from = beyond === undefined ? local.from : store.from;
  const step = (wanted: PageStep): void => {
    if (wanted === 'first' && isNewestFirst) {
      store.close();
      setTop(undefined);
    } else if (hasRest) {
      store.go(wanted, findEdges(shown ?? table, page.rows, isNewestFirst));
    } else {
      const place = stepLocally(wanted, local.from, loaded.length, pageSize);
      setTop(place === 0 ? undefined : { place, timeNs: table.timesNs?.[loaded[place] ?? -1] });
    }
  };
  return {
    ...{ table: shown ?? table, page, from, total, step },
    scope: createLoadedScope(hasChoice, table, choice),
    isFirst: from === 0,
    isLast: from + page.rows.length >= total,
    isLoading: hasRest && store.isLoading,
    problem: hasRest ? store.problem : undefined,
  };
}

function createLoadedScope(hasChoice: boolean, table: PanelTable, { sort }: RowChoice): PageScope {
  if (!hasChoice || table.totalRows <= table.rowCount) return { kind: 'all' };
  return { kind: 'loaded', isSorted: sort !== undefined };
}

function findEdges({ timesNs }: PanelTable, rows: readonly number[], isNewestFirst: boolean): PageEdges {
  const ends = [rows[0], rows[rows.length - 1]].map((row) => (row === undefined ? undefined : timesNs?.[row]));
  const [newestNs, oldestNs] = isNewestFirst ? ends : [...ends].reverse();
  return { oldestNs, newestNs };
}
