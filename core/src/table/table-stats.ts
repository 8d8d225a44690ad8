import { parseJson } from '../json/bounded-json.js';
import { isObject } from '../json/is-object.js';
import { type ColumnStats, formatColumn, isCount, readColumn } from './column-stats.js';
import { readInexactInteger } from './inexact-integer.js';
import type { MetadataRow } from './metadata-row.js';

/** Running statistics of one table, with its columns in printed order. foldRow changes them in place. */
export interface TableStats {
  rows: number;
  readonly columns: Map<string, ColumnStats>;
  /** The key of the followed X, whose numbers `minX` and `maxX` are (followX). */
  x?: string | undefined;
  /** The columns that count the rows, the best first, where the kind of the lines names them; JSON names none. */
  counters?: readonly string[] | undefined;
}

/** Keeps the statistics of a column small, whatever the job prints. */
const MAX_LAST_LENGTH = 100;

export function createTableStats(): TableStats {
  return { rows: 0, columns: new Map() };
}

/** Folds a row that comes later than newer ones: what rests on the order of rows stays as it was. */
export function foldLate({ columns }: TableStats, fold: () => void): void {
  const kept = Array.from(columns.values(), ({ last, rising, falling }) => ({ last, rising, falling }));
  fold();
  let i = 0;
  for (const column of columns.values()) {
    Object.assign(column, kept[i]);
    i += 1;
  }
}

const NO_KEYS: ReadonlySet<string> = new Set();

/**
 * Folds one row into the statistics, in constant memory per column. The rows come in printed order.
 * @param jsonKeys as in PrintedRow
 */
export function foldRow(stats: TableStats, row: MetadataRow, jsonKeys = NO_KEYS): void {
  const columns = Array.from(row.keys(), (key) => openColumn(stats, key));
  foldColumns(stats, columns, row, jsonKeys);
}

/**
 * Folds one row whose keys have these columns, in their order.
 * @param jsonKeys as in PrintedRow
 */
export function foldColumns(
  stats: TableStats,
  columns: readonly ColumnStats[],
  row: MetadataRow,
  jsonKeys: ReadonlySet<string> | undefined
): void {
  stats.rows += 1;
  const followed = stats.x === undefined ? undefined : stats.columns.get(stats.x);
  let x: number | undefined;
  let i = 0;
  for (const [key, value] of row) {
    const column = columns[i];
    i += 1;
    if (column === undefined) continue;
    const number = foldValue(column, value, stats.rows, jsonKeys?.has(key));
    if (column === followed) x = number;
  }
  // X may come behind other columns in the row.
  for (const column of columns) {
    if (column.minRow === stats.rows) column.minX = x;
    if (column.maxRow === stats.rows) column.maxX = x;
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
      sum: 0,
      minRow: undefined,
      maxRow: undefined,
      minX: undefined,
      maxX: undefined,
      last: '',
    };
    stats.columns.set(key, column);
  }
  return column;
}

/** Folds one row's value into its column, and returns its number. `isJson`: whether a text is JSON, where known. */
function foldValue(
  column: ColumnStats,
  value: number | string,
  row: number,
  isJson: boolean | undefined
): number | undefined {
  column.count += 1;
  if (typeof value === 'number') {
    // -0 + 0 is 0: JSON has one zero.
    foldNumber(column, value + 0, row);
    return value + 0;
  }
  const number = isJson === false ? undefined : foldJson(column, value, row);
  column.last = cutText(value);
  if (isJson === undefined) {
    column.json = undefined;
  } else if (isJson && column.json !== undefined) {
    column.json += 1;
  }
  return number;
}

/** Folds what JSON stands for: a null, or an integer beyond 2^53, which is returned. */
function foldJson(column: ColumnStats, text: string, row: number): number | undefined {
  if (text === 'null') {
    column.nulls += 1;
  }
  const number = readInexactInteger(text);
  if (number !== undefined) {
    column.inexact += 1;
    foldNumber(column, number, row);
  }
  return number;
}

function foldNumber(column: ColumnStats, value: number, row: number): void {
  column.numeric += 1;
  if (Number.isInteger(value)) {
    column.integer += 1;
  }
  column.last = value;
  column.sum = addUp(column.sum, value);
  const { min, max } = column;
  if (min === undefined || max === undefined) {
    column.distinct = 1;
    putMin(column, value, row);
    putMax(column, value, row);
    return;
  }
  if (value !== min || value !== max) {
    column.distinct = 2;
  }
  // A column that never fell has its newest number as its largest, and one that never rose as its smallest.
  if (value < max) {
    column.rising = false;
    if (value < min) putMin(column, value, row);
  }
  if (value > min) {
    column.falling = false;
    if (value > max) putMax(column, value, row);
  }
}

function putMin(column: ColumnStats, value: number, row: number): void {
  column.min = value;
  column.minRow = row;
}

function putMax(column: ColumnStats, value: number, row: number): void {
  column.max = value;
  column.maxRow = row;
}

function addUp(sum: number | undefined, value: number): number | undefined {
  const next = sum === undefined ? NaN : sum + value;
  return Number.isFinite(next) ? next : undefined;
}

/** The mean of a column's numbers; undefined if it has none, or their sum is not known. */
export function findMean({ sum, numeric, min, max }: ColumnStats): number | undefined {
  if (sum === undefined || min === undefined || max === undefined) return undefined;
  // Rounding must not carry it beyond the numbers.
  return Math.min(max, Math.max(min, sum / numeric));
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
 * The statistics as JSON: `{"rows": …, "columns": [[key, {…}], …], "x": …, "counters": …}`. A list of pairs keeps keys
 * of any kind in their order.
 */
export function formatTableStats({ rows, columns, x, counters }: TableStats): string {
  return JSON.stringify({
    rows,
    columns: [...columns].map(([key, column]) => [key, formatColumn(column)]),
    x,
    counters,
  });
}

/** The statistics that formatTableStats wrote; undefined for any other text. */
export function parseTableStats(text: string): TableStats | undefined {
  const parsed = parseJson(text);
  const value = parsed.ok ? parsed.value : undefined;
  if (!isObject(value) || !isCount(value['rows']) || !Array.isArray(value['columns'])) {
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
  const { rows, x } = value;
  const counters = readCounters(value['counters']);
  return {
    ...{ rows, columns },
    ...(typeof x === 'string' && { x }),
    ...(counters !== undefined && { counters }),
  };
}

function readCounters(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
}
