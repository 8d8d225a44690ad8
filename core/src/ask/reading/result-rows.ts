import { parseRfc3339Nano } from '../../point/timestamp.js';
import { decodeName } from '../../schema/name-transport.js';
import type { ResultSeries, ResultValue, StatementResult } from '../../influxql/response.js';

/** The input of every reader in this folder: the result of one statement, or nothing if the request gave none. */
export type ReadableResult = StatementResult | undefined;

/** One row of a result, with its columns by name. */
export interface ResultRow {
  readonly timeNs: bigint;
  text(column: string): string | undefined;
  number(column: string): number | undefined;
  /** A number that is a time in milliseconds since the epoch; undefined for one that no time can be. */
  timeMs(column: string): number | undefined;
  value(column: string): ResultValue;
}

export function listSeries(result: ReadableResult): readonly ResultSeries[] {
  return result?.series ?? [];
}

/** The rows of one series with a readable time (RFC 3339 with nanoseconds: ask without `epoch`). */
export function listRows(series: ResultSeries): ResultRow[] {
  const columnAt = new Map(series.columns.map((name, at) => [name, at]));
  const timeAt = columnAt.get('time') ?? 0;
  return series.values.flatMap((values) => {
    const timeNs = readTimeNs(values[timeAt]);
    return timeNs === undefined ? [] : [createRow(timeNs, values, columnAt)];
  });
}

/** A store's times are nanoseconds in 64 bits. */
export const MAX_TIME_MS = 9_223_372_036_854;

function createRow(timeNs: bigint, values: readonly ResultValue[], columnAt: ReadonlyMap<string, number>): ResultRow {
  const value = (column: string): ResultValue => {
    const at = columnAt.get(column);
    return at === undefined ? null : (values[at] ?? null);
  };
  return {
    timeNs,
    value,
    text: (column) => {
      const found = value(column);
      return typeof found === 'string' ? found : undefined;
    },
    number: (column) => {
      const found = value(column);
      return typeof found === 'number' ? found : undefined;
    },
    timeMs: (column) => {
      const found = value(column);
      return typeof found === 'number' && Math.abs(found) <= MAX_TIME_MS ? found : undefined;
    },
  };
}

function readTimeNs(value: ResultValue | undefined): bigint | undefined {
  return typeof value === 'string' ? parseRfc3339Nano(value) : undefined;
}

/**
 * A tag that the series is grouped by, as the user named it; undefined when the points have none (InfluxDB gives '').
 */
export function readTag(series: ResultSeries, name: string): string | undefined {
  return decodeTag(series.tags?.[name]);
}

/** A stored tag value as the user named it. For a tag that a point does not have, InfluxDB gives '' or null. */
export function decodeTag(stored: string | null | undefined): string | undefined {
  return stored === undefined || stored === null || stored === '' ? undefined : decodeName(stored);
}

/** The values in the result of SHOW TAG VALUES, as the user named them. */
export function readTagValues(result: ReadableResult): string[] {
  return listSeries(result).flatMap((series) => {
    const valueAt = series.columns.indexOf('value');
    return series.values.flatMap((values) => {
      const stored = values[valueAt];
      const name = typeof stored === 'string' ? decodeTag(stored) : undefined;
      return name === undefined ? [] : [name];
    });
  });
}
