import {
  createCallColumn,
  createMeasurement,
  createOr,
  createSelect,
  createTagEquals,
  freezeNode,
} from '../../influxql/build.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import type { Timed } from '../../rows/newest-first.js';
import { encodeFieldKey } from '../../schema/field-name.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { BUCKET_FACTOR, BUCKETS_AFTER_ROWS } from '../../table/bucket-fold.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTableConditions } from './rows.js';
import { createTimeConditions, whereAll } from '../reading/selection.js';
import type { TableIdentity, TableSummary } from './tables.js';

export interface TrendRequest {
  readonly table: TableIdentity & Pick<TableSummary, 'rows' | 'hasBuckets'>;
  readonly key: string;
  /** Inclusive; the table's first row, or later. */
  readonly fromNs: bigint;
  /** Inclusive. */
  readonly toNs: bigint;
  /** The number of intervals. */
  readonly points: number;
}

export interface TrendPoint extends Timed {
  readonly value: number;
}

/** The rows before the first bucket of level 1 weigh little in a table of so many times their number. */
const ROWS_OF_LEVEL_1 = 16 * BUCKETS_AFTER_ROWS;

/**
 * The course of one number over a table of any length: its mean in each of some intervals of time. Of a long table, the
 * mean of its buckets' means, and in a statement of its own that of their lowest and highest: a mean in the middle of
 * these is not stored, and older tables have none.
 */
export function trendQueries(request: TrendRequest): readonly SelectStatement[] {
  const level = chooseLevel(request.table);
  if (level === 0) return [createTrend(request, MEASUREMENT.metadata)];
  const ofLevel = createTagEquals('bucket_level', String(level));
  return [['mean'], ['min', 'max']].map((stats) =>
    createTrend(
      request,
      MEASUREMENT.metadataBucket,
      ofLevel,
      createOr(stats.map((stat) => createTagEquals('bucket_stat', stat)))
    )
  );
}

function createTrend(
  { table, key, fromNs, toNs, points }: TrendRequest,
  measurement: string,
  ...conditions: ReadonlyArray<Condition | undefined>
): SelectStatement {
  const intervalNs = (toNs - fromNs) / BigInt(points) + 1n;
  return createSelect({
    columns: [createCallColumn('mean', encodeFieldKey(key), 'mean')],
    from: [createMeasurement(measurement)],
    ...whereAll(...createTableConditions(table), ...conditions, ...createTimeConditions({ fromNs, toNs })),
    groupBy: { dimensions: [freezeNode({ kind: 'time', intervalNs } as const)], fill: 'none' },
  });
}

/** 0: rows. A level above has 32 times fewer points, and enough of them for a trend. */
function chooseLevel({ rows, hasBuckets }: TrendRequest['table']): number {
  let level = 0;
  for (let least = ROWS_OF_LEVEL_1; hasBuckets !== false && rows > least; least *= BUCKET_FACTOR) level += 1;
  return level;
}

/** The points in the results of trendQueries, oldest first: of each interval what the first of them has. */
export function readTrendPoints(results: readonly ReadableResult[]): TrendPoint[] {
  const values = new Map<bigint, number>();
  for (const row of results.flatMap(listSeries).flatMap(listRows)) {
    const value = row.number('mean');
    if (value !== undefined && !values.has(row.timeNs)) values.set(row.timeNs, value);
  }
  return [...values].map(([timeNs, value]) => ({ timeNs, value })).sort((a, b) => (a.timeNs < b.timeNs ? -1 : 1));
}
