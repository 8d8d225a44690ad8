import {
  createCallColumn,
  createColumn,
  createMeasurement,
  createSelect,
  createTagDimension,
  createTagEquals,
  freezeNode,
} from '../../influxql/build.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import type { ResultSeries, ResultValue } from '../../influxql/response.js';
import { parseRfc3339Nano } from '../../point/timestamp.js';
import { BUCKET_ROWS_FIELD, completeBucketStats } from '../../schema/bucket-point.js';
import { encodeFieldKey } from '../../schema/field-name.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { BUCKET_STATS } from '../../table/bucket-fold.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTableConditions } from '../tables/rows.js';
import { createTimeConditions, whereAll } from '../reading/selection.js';
import type { LimitedPieces, TablePiece, Window } from './table-pieces.js';
import type { TableIdentity } from '../tables/tables.js';

/** A statement, and the reader of its answer. */
export interface TableRead<Answer> {
  readonly statement: SelectStatement;
  readonly read: (result: ReadableResult) => Answer;
}

/** The numbers of a table to read. */
export interface TableNumbers {
  readonly table: TableIdentity;
  /** At least one. */
  readonly keys: readonly string[];
}

interface ReadOptions {
  /** Tells this read from the others of the table: it stays the same from refresh to refresh, as the window moves. */
  readonly name: string;
  readonly order: 'asc' | 'desc';
  readonly limit?: number | undefined;
  /** A later run has begun: no more pieces come. */
  readonly isEnded: boolean;
}

/** The pieces of one level in a window: all of them, or the first ones in this order. */
export interface PiecesRead extends ReadOptions {
  readonly window: Window;
  /** Reads a part of the window. The pieces are oldest first in both orders. */
  readonly readPart: (window: Window, limit: number | undefined) => TableRead<LimitedPieces>;
  /** Whether the store has as many pieces in a part of the window as these, each with as many numbers. */
  readonly readCount: (window: Window, pieces: readonly TablePiece[]) => TableRead<boolean>;
}

/** The rows of a window: those with a number in one of the keys. */
export function createRowsRead({ table, keys }: TableNumbers, window: Window, options: ReadOptions): PiecesRead {
  const { order } = options;
  const stored = keys.map(encodeFieldKey);
  const selectFrom = (part: Window) => ({
    from: [createMeasurement(MEASUREMENT.metadata)],
    ...whereAll(...createTableConditions(table), ...createTimeConditions(part)),
  });
  return {
    ...options,
    window,
    readPart: (part, limit) => ({
      statement: createSelect({
        columns: stored.map((name) => createColumn(name)),
        ...selectFrom(part),
        ...createOrder(order, limit),
      }),
      read: (result) =>
        limitPieces(
          listSeries(result).flatMap((series) => readRows(series, stored)),
          order,
          limit
        ),
    }),
    readCount: (part, pieces) =>
      createCountRead(
        selectFrom(part),
        stored,
        stored.map((_, at) => pieces.filter(({ values }) => !Number.isNaN(values[at] ?? NaN)).length)
      ),
  };
}

function createCountRead(
  source: Pick<SelectStatement, 'from' | 'where'>,
  fields: readonly string[],
  expected: readonly number[]
): TableRead<boolean> {
  const columns = fields.map((name, at) => createCallColumn('count', name, `count${String(at)}`));
  return {
    statement: createSelect({ columns, ...source }),
    // A field that no point has counts as nothing: InfluxDB gives 0, or no column.
    read: (result) => {
      const counts = listSeries(result).flatMap(listRows)[0];
      return expected.every((count, at) => (counts?.number(`count${String(at)}`) ?? 0) === count);
    },
  };
}

function readRows(series: ResultSeries, stored: readonly string[]): TablePiece[] {
  return listRows(series).map((row) => ({
    timeNs: row.timeNs,
    level: 0,
    rows: 1,
    values: stored.map((name) => row.number(name) ?? NaN),
  }));
}

/** The buckets of one level whose first row is in a window. */
export function createBucketsRead(
  { table, keys }: TableNumbers,
  level: number,
  window: Window,
  options: ReadOptions
): PiecesRead {
  const { order } = options;
  const stored = keys.map(encodeFieldKey);
  const selectFrom = (part: Window, ...conditions: readonly Condition[]) => ({
    from: [createMeasurement(MEASUREMENT.metadataBucket)],
    ...whereAll(
      ...createTableConditions(table),
      createTagEquals('bucket_level', String(level)),
      ...conditions,
      ...createTimeConditions(part)
    ),
  });
  return {
    ...options,
    window,
    readPart: (part, limit) => ({
      statement: createSelect({
        columns: [...stored, BUCKET_ROWS_FIELD, ...(limit === undefined ? [] : [STAT])].map((name) =>
          createColumn(name)
        ),
        ...selectFrom(part),
        ...(limit === undefined && { groupBy: { dimensions: [createTagDimension(STAT)] } }),
        ...createOrder(order, limit === undefined ? undefined : BUCKET_STATS.length * limit),
      }),
      read: (result) => {
        const series = limit === undefined ? listSeries(result) : listSeries(result).flatMap(splitByStat);
        return limitPieces(readBuckets(series, level, stored).slice(0, limit), order, limit);
      },
    }),
    readCount: (part, pieces) =>
      createCountRead(selectFrom(part, createTagEquals(STAT, 'min')), [BUCKET_ROWS_FIELD], [pieces.length]),
  };
}

const STAT = 'bucket_stat';

/**
 * The points of the first buckets, which come one after the other, by their statistic. A limit beside GROUP BY would
 * be the limit of all statistics together for openGemini.
 */
function splitByStat(series: ResultSeries): ResultSeries[] {
  const statAt = series.columns.indexOf(STAT);
  const { name, columns } = series;
  return BUCKET_STATS.map((stat) => {
    return { name, columns, tags: { [STAT]: stat }, values: series.values.filter((row) => row[statAt] === stat) };
  });
}

/** One statistic a series, each bucket at one time. The lowest numbers are always stored, others where they differ. */
function readBuckets(series: readonly ResultSeries[], level: number, stored: readonly string[]): TablePiece[] {
  const byStat = BUCKET_STATS.map((stat) => series.find(({ tags }) => tags?.[STAT] === stat)?.values ?? []);
  const columnAt = new Map(series[0]?.columns.map((name, at) => [name, at]));
  const places = stored.map((name) => columnAt.get(name) ?? -1);
  const [lowest = [], ...others] = byStat;
  const findOthers = others.map(createFinder);
  return lowest.flatMap((row, at) => {
    const [max, mean, last] = findOthers.map((find) => find(row[0], at));
    const timeNs = typeof row[0] === 'string' ? parseRfc3339Nano(row[0]) : undefined;
    if (timeNs === undefined) return [];
    const values = places.flatMap((place) =>
      completeBucketStats(
        asNumber(row[place]),
        asNumber(max?.[place]),
        asNumber(mean?.[place]),
        asNumber(last?.[place])
      )
    );
    return [{ timeNs, level, rows: asNumber(row[columnAt.get(BUCKET_ROWS_FIELD) ?? -1]) ?? 0, values }];
  });
}

type Row = readonly ResultValue[];

/** Finds the row of a time: mostly at the same place as in the other statistics. */
function createFinder(rows: readonly Row[]): (time: ResultValue | undefined, at: number) => Row | undefined {
  let byTime: ReadonlyMap<ResultValue | undefined, Row> | undefined;
  return (time, at) => {
    if (rows[at]?.[0] === time) return rows[at];
    byTime ??= new Map(rows.map((row) => [row[0], row]));
    return byTime.get(time);
  };
}

function asNumber(value: ResultValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Lowest and highest numbers and means by intervals of time, for rows without buckets. */
export function createAggregatesRead(
  { table, keys }: TableNumbers,
  window: Window,
  intervalNs: bigint
): TableRead<readonly TablePiece[]> {
  const stored = keys.map(encodeFieldKey);
  const statement = createSelect({
    columns: stored.flatMap((name, at) => [
      createCallColumn('min', name, `min${String(at)}`),
      createCallColumn('max', name, `max${String(at)}`),
      createCallColumn('mean', name, `mean${String(at)}`),
    ]),
    from: [createMeasurement(MEASUREMENT.metadata)],
    ...whereAll(...createTableConditions(table), ...createTimeConditions(window)),
    groupBy: { dimensions: [freezeNode({ kind: 'time', intervalNs } as const)], fill: 'none' },
  });
  const read = (result: ReadableResult): readonly TablePiece[] =>
    listSeries(result)
      .flatMap(listRows)
      .map((row) => ({
        // The first interval begins before the window.
        timeNs: row.timeNs < window.fromNs ? window.fromNs : row.timeNs,
        level: -1,
        rows: 0,
        values: stored.flatMap((_, at) => [
          row.number(`min${String(at)}`) ?? NaN,
          row.number(`max${String(at)}`) ?? NaN,
          row.number(`mean${String(at)}`) ?? NaN,
          NaN,
        ]),
      }));
  return { statement, read };
}

function createOrder(order: 'asc' | 'desc', limit: number | undefined): Pick<SelectStatement, 'orderBy' | 'limit'> {
  return { orderBy: order === 'asc' ? 'ASC' : 'DESC', ...(limit !== undefined && { limit }) };
}

function limitPieces(pieces: TablePiece[], order: 'asc' | 'desc', limit: number | undefined): LimitedPieces {
  return { pieces: order === 'asc' ? pieces : pieces.reverse(), isCut: limit !== undefined && pieces.length >= limit };
}
