import { useEffect, useState } from 'react';
import type { MetadataMeta } from '../../../frames/frame-meta.js';
import type { TypedFilters } from '../../../query-types/metadata/found-rows.js';
import type { PanelTable } from '../../parts/components/tables.js';
import { type ColumnSort, listSortValues, sortRows } from '../model/column-filter.js';
import { findLastPage, orderRows } from '../model/row-order.js';
import type { ReadRows } from '../model/store-rows.js';
import type { PageStep } from './use-store-pages.js';
import { useStoreRounds } from './use-store-rounds.js';

/** The most rows to sort: 100,000 values come within a second or two, in some megabytes. */
const MAX_SORTED_ROWS = 100_000;

export interface SortedPages {
  /** The rows of a page; undefined before the first one. */
  readonly shown: PanelTable | undefined;
  /** The places of those rows, in the order of the sort. */
  readonly rows: readonly number[];
  readonly from: number;
  /** Rows that were sorted. */
  readonly total: number;
  /** Which rows these are. */
  readonly part: NonNullable<MetadataMeta['part']>;
  /** Rows that came in since. */
  readonly newerRows: number;
  readonly isLoading: boolean;
  readonly problem: string | undefined;
  readonly go: (step: PageStep) => void;
  /** Sorts once more, with the newer rows. */
  readonly sortAgain: () => void;
}

interface SortedInput {
  readonly table: PanelTable;
  /** Undefined: nothing is sorted. */
  readonly read: ReadRows | undefined;
  readonly sort: ColumnSort | undefined;
  readonly filters: TypedFilters;
  readonly isNewestFirst: boolean;
  readonly pageSize: number;
}

interface Sorted {
  /** The times of all rows that were sorted, in that order. */
  readonly timesNs: readonly string[];
  readonly part: SortedPages['part'];
  /** Rows that the table had then. */
  readonly ofRows: number;
}

interface Shown {
  readonly table: PanelTable;
  readonly rows: readonly number[];
  readonly from: number;
}

type Status = Pick<SortedPages, 'isLoading' | 'problem'>;

const LOADING: Status = { isLoading: true, problem: undefined };
const READY: Status = { isLoading: false, problem: undefined };
const NOTHING: Sorted = { timesNs: [], part: 'all', ofRows: 0 };

/** The times of the rows, sorted by their values; rows with equal values in the order that is shown. */
function sortTimes(table: PanelTable, sort: ColumnSort, isNewestFirst: boolean) {
  const [column] = table.columns;
  const values = column === undefined ? [] : listSortValues(table, column);
  return sortRows(orderRows(table, isNewestFirst), values, sort).map((row) => table.timesNs?.[row] ?? '');
}

/** The rows of these times, in this order. */
function orderByTimes({ timesNs }: PanelTable, wanted: readonly string[]): readonly number[] {
  const rowOf = new Map(timesNs?.map((timeNs, row) => [timeNs, row]));
  return wanted.flatMap((timeNs) => rowOf.get(timeNs) ?? []);
}

/**
 * Pages of a sorted table: its values of that column are read and sorted once, the rows of a page by their times.
 * InfluxQL sorts by time alone. Rows that come in later move nothing; they are counted.
 */
export function useSortedPages({ table, read, sort, filters, isNewestFirst, pageSize }: SortedInput): SortedPages {
  const [attempt, setAttempt] = useState(0);
  const [sorted, setSorted] = useState(NOTHING);
  const [shown, setShown] = useState<Shown | undefined>(undefined);
  const [status, setStatus] = useState<Status>(LOADING);
  const rounds = useStoreRounds(read, (problem) => setStatus({ isLoading: false, problem }));
  const isOn = read !== undefined && sort !== undefined;

  const show = (times: readonly string[], from: number): void => {
    const wanted = times.slice(from, from + pageSize);
    setStatus(LOADING);
    rounds.start().ask({ timesNs: wanted }, Math.max(1, wanted.length), ({ table: rows }) => {
      setShown({ table: rows, rows: orderByTimes(rows, wanted), from });
      setStatus(READY);
    });
  };
  useEffect(() => {
    if (!isOn) return undefined;
    setShown(undefined);
    setSorted(NOTHING);
    setStatus(LOADING);
    const ofRows = table.totalRows;
    const question = { filters, sort: { key: sort.column, isDescending: sort.isDescending } };
    rounds.start().ask(question, MAX_SORTED_ROWS, ({ table: values, part = 'all' }) => {
      const timesNs = sortTimes(values, sort, isNewestFirst);
      setSorted({ timesNs, part, ofRows });
      show(timesNs, 0);
    });
    return () => void rounds.start();
  }, [isOn, JSON.stringify([table.id, sort, filters, isNewestFirst, pageSize]), attempt]);

  const total = sorted.timesNs.length;
  const from = shown?.from ?? 0;
  const go = (step: PageStep): void => {
    if (status.isLoading) return;
    const lastFrom = findLastPage(total, pageSize);
    const places = { first: 0, previous: Math.max(0, from - pageSize), next: from + pageSize, last: lastFrom };
    show(sorted.timesNs, Math.min(lastFrom, places[step]));
  };
  return {
    ...{ shown: shown?.table, rows: shown?.rows ?? [], from, total, part: sorted.part, ...status, go },
    newerRows: total === 0 ? 0 : Math.max(0, table.totalRows - sorted.ofRows),
    sortAgain: () => setAttempt(attempt + 1),
  };
}
