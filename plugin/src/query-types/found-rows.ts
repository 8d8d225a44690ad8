import type { Statement } from '@joblens/core/influxql/nodes';
import { type ColumnFilter, parseColumnFilter } from '@joblens/core/queries/column-filter';
import { countRowsQueries, findRows, readRowCount } from '@joblens/core/queries/found-rows';
import type { ReadStep } from '@joblens/core/queries/read-step';
import { readRowsAt } from '@joblens/core/queries/rows-at';
import { readSortValues } from '@joblens/core/queries/sort-values';
import { createMetadataFrame } from './metadata-frames.js';
import type { RowsPage, TableOfQuery, TableReading } from './metadata-reading.js';
import { printAll } from './query-type.js';

/** Column filters by key, as somebody typed them. */
export type TypedFilters = ReadonlyArray<readonly [key: string, typed: string]>;

type Filters = ReadonlyMap<string, ColumnFilter>;

export interface SortQuestion {
  readonly key: string;
  readonly isDescending: boolean;
}

/** Statements that a frame tells of, which may come from thousands. */
const MAX_TOLD = 20;

/** Drops filters that match everything. */
export function parseFilters(filters: TypedFilters): Filters {
  const parsed = filters.map(([key, typed]) => [key, parseColumnFilter(typed)] as const);
  return new Map(parsed.flatMap(([key, filter]) => (filter === undefined ? [] : [[key, filter] as const])));
}

function follow<Done extends { readonly kind: string }>(
  step: ReadStep<Done>,
  finish: (done: Done, asked: readonly Statement[]) => TableReading,
  asked: readonly Statement[] = []
): TableReading {
  if (!('statements' in step)) return finish(step, asked);
  const { statements, read } = step;
  const told = [...asked, ...statements].slice(0, MAX_TOLD);
  return { kind: 'ask', statements, read: (results) => follow(read(results), finish, told) };
}

/** A page of the rows that pass filters. */
export function readFoundRows(table: TableOfQuery, page: RowsPage, filters: Filters): TableReading {
  const { order, limit, beforeNs, toNs } = page;
  const fromNs = page.afterNs === undefined || page.afterNs < page.fromNs ? page.fromNs : page.afterNs + 1n;
  return follow(
    findRows({ table: table.table, filters, order, limit, beforeNs, fromNs, toNs }),
    ({ rows, isEnd }, asked) =>
      readTimes(
        table,
        rows.map(({ timeNs }) => timeNs),
        { isLimited: !isEnd, asked }
      )
  );
}

/** The rows of these instants. */
export function readTimes(
  table: TableOfQuery,
  timesNs: readonly bigint[],
  { isLimited = false, asked = [] }: { isLimited?: boolean; asked?: readonly Statement[] } = {}
): TableReading {
  return follow(
    readRowsAt({ ...table, timesNs }),
    ({ records }, told) => ({
      kind: 'read',
      frame: createMetadataFrame({ ...table, records, isLimited, executedQuery: printAll(told) }),
    }),
    asked
  );
}

/** How many rows pass filters, as the `totalRows` of a frame without rows. */
export function readCount(table: TableOfQuery, page: RowsPage, filters: Filters): TableReading {
  const { beforeNs, toNs } = page;
  const fromNs = page.afterNs === undefined || page.afterNs < page.fromNs ? page.fromNs : page.afterNs + 1n;
  const request = { table: table.table, filters, fromNs, toNs, beforeNs };
  const finish = (rows: number, asked: readonly Statement[]): TableReading => ({
    kind: 'read',
    frame: createMetadataFrame({
      ...table,
      ...{ table: { ...table.table, rows }, records: [], isLimited: false, executedQuery: printAll(asked) },
    }),
  });
  const statements = countRowsQueries(request);
  if (statements !== undefined) {
    return { kind: 'ask', statements, read: (results) => finish(readRowCount(results), statements) };
  }
  const all = findRows({ ...request, order: 'desc', limit: Number.MAX_SAFE_INTEGER });
  return follow(all, ({ rows }, asked) => finish(rows.length, asked));
}

/** The values to sort by, each with its time: one column, and the part of the table that they are. */
export function readSortColumn(
  table: TableOfQuery,
  page: RowsPage,
  filters: Filters,
  { key, isDescending }: SortQuestion
): TableReading {
  const { fromNs, toNs, limit } = page;
  const request = { table: table.table, filters, key, isDescending, fromNs, toNs, limit };
  return follow(readSortValues(request), ({ rows, part }, asked) => {
    const records = rows.map(({ timeNs, values }) => ({ timeNs, values: new Map([[key, values.get(key) ?? null]]) }));
    const executedQuery = printAll(asked);
    const frame = { ...table, keys: [key], records: records.reverse(), isLimited: part !== 'all', part, executedQuery };
    return { kind: 'read', frame: createMetadataFrame(frame) };
  });
}
