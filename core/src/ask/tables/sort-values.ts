import {
  createColumn,
  createMeasurement,
  createOr,
  createSelect,
  createTagDimension,
  createTagEquals,
} from '../../influxql/build.js';
import { encodeFieldKey } from '../../schema/field-name.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { BUCKET_FACTOR } from '../../table/bucket-fold.js';
import { ANY_VALUE } from './column-filter.js';
import { findRows, type FindRowsRequest, type FoundRows, listHalves, type SearchedTable } from './found-rows.js';
import type { Reading } from '../reading/reading.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTableConditions } from './rows.js';
import { createTimeConditions, whereAll } from '../reading/selection.js';
import type { TableSummary } from './tables.js';

export interface SortValuesRequest extends Omit<FindRowsRequest, 'order' | 'table'> {
  readonly table: SearchedTable & Pick<TableSummary, 'rows'>;
  readonly key: string;
  readonly isDescending: boolean;
}

/** Times and values of the key. Rows without a value are not among them. */
export interface SortValues {
  readonly rows: FoundRows['rows'];
  /**
   * `all` rows that pass the filters; of more rows than the limit either those with the lowest or highest numbers, all
   * that are so low or high (`extreme`), or the `newest`.
   */
  readonly part: 'all' | 'extreme' | 'newest';
}

/** Buckets of one level that are read at most. */
const MAX_BUCKETS = 100_000;
/** Rows beside the buckets: the first ones of a run, and those behind its last full bucket. */
const MAX_ROWS_WITHOUT_BUCKET = 5000;

/**
 * Reads what a table is sorted by, since InfluxQL sorts by time alone. Of a table with more rows than the limit, the
 * buckets say how low (or high) its lowest (highest) numbers are: as many rows are at least as low as buckets have a
 * row so low, and no more than these buckets hold. So one question finds exactly the rows that are to come first.
 */
export function* readSortValues(request: SortValuesRequest): Reading<SortValues> {
  const { table, key, limit, filters } = request;
  const hasTexts = listHalves(table, key).includes('texts');
  if (table.rows <= limit || filters.size > 0 || hasTexts) return yield* readNewest(request);
  const level = findLevel(table.rows);
  const buckets = Math.floor((limit - MAX_ROWS_WITHOUT_BUCKET) / BUCKET_FACTOR ** level);
  if (buckets < 1) return yield* readNewest(request);
  const [result] = yield [createEdgesStatement(request, level)];
  const edge = findEdge(readEdges(result, request), buckets, request.isDescending);
  return yield* edge === undefined ? readNewest(request) : readExtreme(request, edge);
}

function findLevel(rows: number): number {
  let level = 1;
  while (rows / BUCKET_FACTOR ** level > MAX_BUCKETS) level += 1;
  return level;
}

/** A highest number is stored only where it is not the lowest, too. */
function createEdgesStatement({ table, key, isDescending, ...range }: SortValuesRequest, level: number) {
  const stats = isDescending ? ['min', 'max'] : ['min'];
  return createSelect({
    columns: [createColumn(encodeFieldKey(key))],
    from: [createMeasurement(MEASUREMENT.metadataBucket)],
    ...whereAll(
      ...createTableConditions(table),
      createTagEquals('bucket_level', String(level)),
      createOr(stats.map((stat) => createTagEquals('bucket_stat', stat))),
      ...createTimeConditions(range)
    ),
    groupBy: { dimensions: [createTagDimension('bucket_stat')] },
  });
}

/** The lowest or highest number of each bucket. */
function readEdges(result: ReadableResult, { key, isDescending }: SortValuesRequest): readonly number[] {
  const name = encodeFieldKey(key);
  const edges = new Map<bigint, number>();
  for (const series of listSeries(result)) {
    const isMax = series.tags?.['bucket_stat'] === 'max';
    for (const row of listRows(series)) {
      const value = row.number(name);
      if (value === undefined || (!isMax && isDescending && edges.has(row.timeNs))) continue;
      edges.set(row.timeNs, value);
    }
  }
  return [...edges.values()];
}

/** The value that so many buckets reach. */
function findEdge(edges: readonly number[], buckets: number, isDescending: boolean): number | undefined {
  const sorted = Float64Array.from(edges).sort();
  return sorted.length <= buckets ? undefined : sorted[isDescending ? sorted.length - buckets : buckets - 1];
}

function* readExtreme(request: SortValuesRequest, edge: number): Reading<SortValues> {
  const { key, isDescending } = request;
  const operator = isDescending ? '>=' : '<=';
  const filters = new Map([[key, { numbers: [{ operator, value: edge }] } as const]]);
  const { rows, isEnd } = yield* findRows({ ...request, filters, order: 'desc' });
  // Rows with one and the same number may be more than can be read.
  return isEnd ? { rows, part: 'extreme' } : yield* readNewest(request);
}

function* readNewest(request: SortValuesRequest): Reading<SortValues> {
  const { key, filters } = request;
  const own = filters.get(key) ?? ANY_VALUE;
  const { rows, isEnd } = yield* findRows({ ...request, filters: new Map([...filters, [key, own]]), order: 'desc' });
  return { rows, part: isEnd ? 'all' : 'newest' };
}
