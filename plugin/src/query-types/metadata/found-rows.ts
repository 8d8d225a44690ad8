import type { MetadataRecord } from '@joblens/core/rows/join-rows';
import type { Reading } from '@joblens/core/ask/reading/reading';
import { withQuery } from '../parts/run-reading.js';
import { type ColumnFilter, parseColumnFilter } from '@joblens/core/ask/tables/column-filter';
import { countRows, findRows } from '@joblens/core/ask/tables/found-rows';
import { readRowsAt } from '@joblens/core/ask/tables/rows-at';
import { readSortValues } from '@joblens/core/ask/tables/sort-values';
import { createMetadataFrame } from './metadata-frames.js';
import type { RowsPage, TableOfQuery, TableReading } from './metadata-reading.js';

/** Column filters by key, as somebody typed them. */
export type TypedFilters = ReadonlyArray<readonly [key: string, typed: string]>;

type Filters = ReadonlyMap<string, ColumnFilter>;

export interface SortQuestion {
  readonly key: string;
  readonly isDescending: boolean;
}

/** Drops filters that match everything. */
export function parseFilters(filters: TypedFilters): Filters {
  const parsed = filters.map(([key, typed]) => [key, parseColumnFilter(typed)] as const);
  return new Map(parsed.flatMap(([key, filter]) => (filter === undefined ? [] : [[key, filter] as const])));
}

/** Rows that were found, oldest first. */
interface FoundRecords {
  readonly records: readonly MetadataRecord[];
  /** There are more. */
  readonly isLimited: boolean;
}

/** A page of the rows that pass filters. */
export function readFoundRows(table: TableOfQuery, page: RowsPage, filters: Filters): TableReading {
  const { order, limit } = page;
  return readRecords(table, findRecords());

  function* findRecords(): Reading<FoundRecords> {
    const { rows, isEnd } = yield* findRows({ table: table.table, filters, order, limit, ...rangeOf(page) });
    const timesNs = rows.map(({ timeNs }) => timeNs);
    return { records: yield* readRowsAt({ ...table, timesNs }), isLimited: !isEnd };
  }
}

/** The rows of these instants. */
export function readTimes(table: TableOfQuery, timesNs: readonly bigint[]): TableReading {
  return readRecords(table, findRecords());

  function* findRecords(): Reading<FoundRecords> {
    return { records: yield* readRowsAt({ ...table, timesNs }), isLimited: false };
  }
}

function* readRecords(table: TableOfQuery, find: Reading<FoundRecords>): TableReading {
  const { answer, executedQuery } = yield* withQuery(find);
  return createMetadataFrame({ ...table, ...answer, executedQuery });
}

function rangeOf({ fromNs, toNs, beforeNs, afterNs }: RowsPage) {
  return { fromNs: afterNs === undefined || afterNs < fromNs ? fromNs : afterNs + 1n, toNs, beforeNs };
}

/** How many rows pass filters, as the `totalRows` of a frame without rows. */
export function* readCount(table: TableOfQuery, page: RowsPage, filters: Filters): TableReading {
  const { answer: rows, executedQuery } = yield* withQuery(
    countRows({ table: table.table, filters, ...rangeOf(page) })
  );
  const counted = { ...table, table: { ...table.table, rows }, records: [], isLimited: false };
  return createMetadataFrame({ ...counted, executedQuery });
}

/** The values to sort by, each with its time: one column, and the part of the table that they are. */
export function* readSortColumn(
  table: TableOfQuery,
  page: RowsPage,
  filters: Filters,
  { key, isDescending }: SortQuestion
): TableReading {
  const { fromNs, toNs, limit } = page;
  const request = { table: table.table, filters, key, isDescending, fromNs, toNs, limit };
  const { answer, executedQuery } = yield* withQuery(readSortValues(request));
  const { rows, part } = answer;
  const records = rows.map(({ timeNs, values }) => ({ timeNs, values: new Map([[key, values.get(key) ?? null]]) }));
  const frame = { ...table, keys: [key], records: records.reverse(), isLimited: part !== 'all', part, executedQuery };
  return createMetadataFrame(frame);
}
