import {
  createCallColumn,
  createMeasurement,
  createOr,
  createSelect,
  createTagEquals,
  freezeNode,
} from '../influxql/build.js';
import type { Condition, SelectStatement } from '../influxql/nodes.js';
import type { Timed } from '../rows/newest-first.js';
import { encodeFieldKey } from '../schema/field-name.js';
import { MEASUREMENT } from '../schema/measurements.js';
import { BUCKET_FACTOR, BUCKETS_AFTER_ROWS } from '../table/bucket-fold.js';
import { listRows, listSeries, type ReadableResult } from './result-rows.js';
import { createTableConditions } from './rows.js';
import { createTimeConditions, whereAll } from './selection.js';
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
 * mean of what its buckets have as lowest and highest.
 */
export function trendQuery({ table, key, fromNs, toNs, points }: TrendRequest): SelectStatement {
  const level = chooseLevel(table);
  const intervalNs = (toNs - fromNs) / BigInt(points) + 1n;
  return createSelect({
    columns: [createCallColumn('mean', encodeFieldKey(key), 'mean')],
    from: [createMeasurement(level === 0 ? MEASUREMENT.metadata : MEASUREMENT.metadataBucket)],
    ...whereAll(
      ...createTableConditions(table),
      ...(level === 0 ? [] : selectBuckets(level)),
      ...createTimeConditions({ fromNs, toNs })
    ),
    groupBy: { dimensions: [freezeNode({ kind: 'time', intervalNs } as const)], fill: 'none' },
  });
}

function selectBuckets(level: number): ReadonlyArray<Condition | undefined> {
  // Where all rows of a bucket have the same number, it is stored as the lowest alone.
  const stats = createOr(['min', 'max'].map((stat) => createTagEquals('bucket_stat', stat)));
  return [createTagEquals('bucket_level', String(level)), stats];
}

/** 0: rows. A level above has 32 times fewer points, and enough of them for a trend. */
function chooseLevel({ rows, hasBuckets }: TrendRequest['table']): number {
  let level = 0;
  for (let least = ROWS_OF_LEVEL_1; hasBuckets !== false && rows > least; least *= BUCKET_FACTOR) level += 1;
  return level;
}

/** The points in the result of trendQuery, oldest first. */
export function readTrendPoints(result: ReadableResult): TrendPoint[] {
  return listSeries(result)
    .flatMap(listRows)
    .flatMap((row) => {
      const value = row.number('mean');
      return value === undefined ? [] : [{ timeNs: row.timeNs, value }];
    });
}
