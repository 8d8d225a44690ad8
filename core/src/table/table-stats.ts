import { parseJson } from '../json/bounded-json.js';
import { readInexactInteger } from './inexact-integer.js';
import type { MetadataRow } from './metadata-row.js';

/** The statistics of one column after some rows. */
export interface ColumnStats {
  /** Number of rows with the key. */
  count: number;
  /** Number of rows in which its value is a number. */
  numeric: number;
  /** Number of rows in which it is a finite number without a fraction, however it was printed. */
  integer: number;
  /**
   * Number of rows in which its text is not a string that was printed: null, a boolean, an array, … (MetadataRow).
   * Undefined if that is not known of some text.
   */
  json: number | undefined;
  /** Number of its integers beyond 2^53, which are texts as well as numbers: the nearest float counts. */
  inexact: number;
  /** Number of rows in which it is null: the key is there, and no value. */
  nulls: number;
  /** Whether its numbers never fall, and whether they never rise, in printed order. */
  rising: boolean;
  falling: boolean;
  /** How many different numbers came; counts to 2 and stays there. */
  distinct: 0 | 1 | 2;
  /** Smallest and largest number; undefined if there is none. */
  min: number | undefined;
  max: number | undefined;
  /** The newest value, a long text cut. */
  last: number | string;
}

/** Running statistics of one table, with its columns in printed order. foldRow changes them in place. */
export interface TableStats {
  rows: number;
  readonly columns: Map<string, ColumnStats>;
  /** The columns that count the rows, the best first, where the kind of the lines names them; JSON names none. */
  counters?: readonly string[] | undefined;
}

/** Keeps the statistics of a column small, whatever the job prints. */
const MAX_LAST_LENGTH = 100;

export function createTableStats(): TableStats {
  return { rows: 0, columns: new Map() };
}

const NO_KEYS: ReadonlySet<string> = new Set();

/**
 * Folds one row into the statistics, in constant memory per column. The rows come in printed order.
 * @param jsonKeys as in PrintedRow
 */
export function foldRow(stats: TableStats, row: MetadataRow, jsonKeys = NO_KEYS): void {
  stats.rows += 1;
  for (const [key, value] of row) {
    foldValue(openColumn(stats, key), value, jsonKeys.has(key));
  }
}

/** The column of a key; a new one if there is none yet. */
export function openColumn(stats: TableStats, key: string): ColumnStats {
  let column = stats.columns.get(key);
  if (column === undefined) {
    column = {
      count: 0,
      numeric: 0,
      integer: 0,
      json: 0,
      inexact: 0,
      nulls: 0,
      rising: true,
      falling: true,
      distinct: 0,
      min: undefined,
      max: undefined,
      last: '',
    };
    stats.columns.set(key, column);
  }
  return column;
}

/** Folds one row's value into its column. `isJson`: whether a text is no string that was printed, if that is known. */
export function foldValue(column: ColumnStats, value: number | string, isJson: boolean | undefined): void {
  column.count += 1;
  if (typeof value === 'number') {
    // -0 + 0 is 0: JSON has one zero.
    foldNumber(column, value + 0);
    return;
  }
  if (isJson !== false) {
    foldJson(column, value);
  }
  column.last = cutText(value);
  if (isJson === undefined) {
    column.json = undefined;
  } else if (isJson && column.json !== undefined) {
    column.json += 1;
  }
}

/** Folds what JSON stands for: a null, or an integer beyond 2^53. */
function foldJson(column: ColumnStats, text: string): void {
  if (text === 'null') {
    column.nulls += 1;
  }
  const number = readInexactInteger(text);
  if (number !== undefined) {
    column.inexact += 1;
    foldNumber(column, number);
  }
}

/** How many of its values are stored as texts. */
export function countTexts({ count, numeric, inexact }: Pick<ColumnStats, 'count' | 'numeric' | 'inexact'>): number {
  return count - numeric + inexact;
}

function foldNumber(column: ColumnStats, value: number): void {
  column.numeric += 1;
  if (Number.isInteger(value)) {
    column.integer += 1;
  }
  column.last = value;
  const { min, max } = column;
  if (min === undefined || max === undefined) {
    column.distinct = 1;
    column.min = value;
    column.max = value;
    return;
  }
  if (value !== min || value !== max) {
    column.distinct = 2;
  }
  // A column that never fell has its newest number as its largest, and one that never rose as its smallest.
  if (value < max) {
    column.rising = false;
    column.min = Math.min(value, min);
  }
  if (value > min) {
    column.falling = false;
    column.max = Math.max(value, max);
  }
}

/** A text as a column keeps it as its newest value. */
export function cutText(text: string): string {
  if (text.length <= MAX_LAST_LENGTH) {
    return text;
  }
  const cut = text.slice(0, MAX_LAST_LENGTH - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/**
 * The statistics as JSON: `{"rows": …, "columns": [[key, {…}], …], "counters": …}`. A list of pairs keeps keys of any
 * kind in their order.
 */
export function formatTableStats(stats: TableStats): string {
  const columns = [...stats.columns].map(([key, column]) => [
    key,
    {
      count: column.count,
      numeric: column.numeric,
      integer: column.integer,
      // Only where there are texts: most columns have none.
      ...(countTexts(column) > 0 && { json: column.json }),
      ...(column.inexact > 0 && { inexact: column.inexact }),
      ...(column.nulls > 0 && { nulls: column.nulls }),
      rising: column.rising,
      // What most columns are is left out: one number never rises.
      ...(column.falling && column.distinct === 2 && { falling: true }),
      distinct: column.distinct,
      min: column.min,
      max: column.max,
      last: column.last,
    },
  ]);
  return JSON.stringify({ rows: stats.rows, columns, counters: stats.counters });
}

/** The statistics that formatTableStats wrote; undefined for any other text. */
export function parseTableStats(text: string): TableStats | undefined {
  const parsed = parseJson(text);
  const value = parsed.ok ? parsed.value : undefined;
  if (!isRecord(value) || !isCount(value['rows']) || !Array.isArray(value['columns'])) {
    return undefined;
  }
  const columns = new Map<string, ColumnStats>();
  for (const entry of value['columns'] as unknown[]) {
    if (!Array.isArray(entry)) {
      return undefined;
    }
    const [key, column] = entry as unknown[];
    const stats = readColumn(column);
    if (typeof key !== 'string' || stats === undefined) {
      return undefined;
    }
    columns.set(key, stats);
  }
  const counters = readCounters(value['counters']);
  return { rows: value['rows'], columns, ...(counters !== undefined && { counters }) };
}

function readColumn(value: unknown): ColumnStats | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const { count, numeric, integer, rising, distinct, min, max, last } = value;
  if (!isCount(count) || !isCount(numeric) || !isCount(integer) || typeof rising !== 'boolean') {
    return undefined;
  }
  if (!(distinct === 0 || distinct === 1 || distinct === 2) || !isOptionalNumber(min) || !isOptionalNumber(max)) {
    return undefined;
  }
  if (typeof last !== 'number' && typeof last !== 'string') {
    return undefined;
  }
  const newer = readNewer(value, distinct);
  const json = countTexts({ count, numeric, inexact: newer.inexact }) === 0 ? 0 : readJsonCount(value);
  return { count, numeric, integer, json, ...newer, rising, distinct, min, max, last };
}

/** What is left out where it says nothing, as by an older Joblens, which counted none of it. */
function readNewer(
  { inexact, nulls, falling }: Record<string, unknown>,
  distinct: number
): Pick<ColumnStats, 'inexact' | 'nulls' | 'falling'> {
  return {
    inexact: isCount(inexact) ? inexact : 0,
    nulls: isCount(nulls) ? nulls : 0,
    falling: falling === true || distinct < 2,
  };
}

function readCounters(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
}

/** Texts from before they were counted have no number of them. */
function readJsonCount({ json }: Record<string, unknown>): number | undefined {
  return isCount(json) ? json : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isOptionalNumber(value: unknown): value is number | undefined {
  return value === undefined || typeof value === 'number';
}
