import { createColumn, createMeasurement, createSelect } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { compareOldestFirst, type Timed } from '../../rows/newest-first.js';
import { encodeFieldKey } from '../../schema/field-name.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import type { Reading } from '../reading/reading.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTableConditions } from './rows.js';
import { createTimeConditions, whereAll } from '../reading/selection.js';
import type { TableSummary } from './tables.js';

/** A row in which a key that otherwise has numbers was printed as NaN, Infinity or -Infinity. */
export interface NonFiniteRow extends Timed {
  /** The numbers at X of the row, and its values that are not finite. */
  readonly values: ReadonlyMap<string, number>;
}

export interface NonFiniteRequest {
  readonly table: TableSummary;
  readonly keys: readonly string[];
  /** The keys that may be X: their numbers are read, too. */
  readonly xKeys: readonly string[];
  /** Inclusive. */
  readonly fromNs: bigint;
  /** Inclusive. */
  readonly toNs: bigint;
  /** From an earlier reading: rows never change, so their numbers are not asked for again. */
  readonly known?: NonFiniteRows | undefined;
}

export interface NonFiniteRows {
  readonly xKeys: readonly string[];
  /** Oldest first. */
  readonly rows: readonly NonFiniteRow[];
}

/** The number of texts of a key to read at each end of the time range. */
const END_TEXTS = 128;
/** The number of rows to return at each end of the time range. */
const END_ROWS = 64;
const MAX_KEYS = 16;

const NON_FINITE: ReadonlyMap<string, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

/**
 * Finds rows with values that are not finite, which are stored as texts, at both ends of a time range. The cost does
 * not depend on the length of the table: only keys that have both numbers and texts are read, and of each only its
 * oldest and newest texts. Texts such as `null` count, so values behind many of them are not found.
 */
export function* readNonFinite(request: NonFiniteRequest): Reading<NonFiniteRows> {
  const keys = request.keys.filter((key) => hasTextsAndNumbers(request.table, key)).slice(0, MAX_KEYS);
  const ends = keys.flatMap((key) => (['ASC', 'DESC'] as const).map((orderBy) => ({ key, orderBy })));
  const results = yield ends.map(({ key, orderBy }) =>
    createSelect({ ...selectFrom(request, [key], MEASUREMENT.metadataText, request), orderBy, limit: END_TEXTS })
  );
  const found = joinTexts(ends.map(({ key }, at) => ({ key, result: results[at] })));
  return { xKeys: request.xKeys, rows: yield* addNumbers(request, cutMiddle(found)) };
}

function hasTextsAndNumbers({ stats, mixedKeys = [] }: TableSummary, key: string): boolean {
  if (stats === undefined) return mixedKeys.includes(key);
  const column = stats.columns.get(key);
  return column !== undefined && column.count > column.numeric && column.numeric > 0;
}

function selectFrom(
  { table }: NonFiniteRequest,
  keys: readonly string[],
  measurement: string,
  range: Pick<NonFiniteRequest, 'fromNs' | 'toNs'>
): Pick<SelectStatement, 'columns' | 'from' | 'where'> {
  return {
    columns: keys.map((key) => createColumn(encodeFieldKey(key))),
    from: [createMeasurement(measurement)],
    ...whereAll(...createTableConditions(table), ...createTimeConditions({ fromNs: range.fromNs, toNs: range.toNs })),
  };
}

function joinTexts(answers: ReadonlyArray<{ key: string; result: ReadableResult }>): readonly NonFiniteRow[] {
  const rows = new Map<bigint, Map<string, number>>();
  for (const { key, result } of answers) {
    for (const row of listSeries(result).flatMap(listRows)) {
      const value = NON_FINITE.get(row.text(encodeFieldKey(key)) ?? '');
      if (value === undefined) continue;
      const values = rows.get(row.timeNs) ?? new Map<string, number>();
      rows.set(row.timeNs, values.set(key, value));
    }
  }
  return [...rows].map(([timeNs, values]) => ({ timeNs, values })).sort(compareOldestFirst);
}

function cutMiddle(rows: readonly NonFiniteRow[]): readonly NonFiniteRow[] {
  return rows.length <= 2 * END_ROWS ? rows : [...rows.slice(0, END_ROWS), ...rows.slice(-END_ROWS)];
}

/** One statement a row: InfluxQL cannot ask for several instants at once. */
function* addNumbers(request: NonFiniteRequest, texts: readonly NonFiniteRow[]): Reading<readonly NonFiniteRow[]> {
  const { xKeys } = request;
  const known = new Map(listKnown(request).map((row) => [row.timeNs, row]));
  const asked = xKeys.length === 0 ? [] : texts.filter(({ timeNs }) => !known.has(timeNs));
  const results = yield asked.map(({ timeNs }) =>
    createSelect(selectFrom(request, xKeys, MEASUREMENT.metadata, { fromNs: timeNs, toNs: timeNs }))
  );
  const numbers = new Map(asked.map(({ timeNs }, at) => [timeNs, readRow(results[at], xKeys)]));
  return texts.map(({ timeNs, values }) => {
    const found = numbers.get(timeNs) ?? known.get(timeNs)?.values ?? new Map<string, number>();
    return { timeNs, values: new Map([...found, ...values]) };
  });
}

function listKnown({ known, xKeys }: NonFiniteRequest): readonly NonFiniteRow[] {
  return known !== undefined && JSON.stringify(known.xKeys) === JSON.stringify(xKeys) ? known.rows : [];
}

function readRow(result: ReadableResult, keys: readonly string[]): ReadonlyMap<string, number> {
  const [row] = listSeries(result).flatMap(listRows);
  return new Map(
    keys.flatMap((key) => {
      const number = row?.number(encodeFieldKey(key));
      return number === undefined ? [] : [[key, number] as const];
    })
  );
}
