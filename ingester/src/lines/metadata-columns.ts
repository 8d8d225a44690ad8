import type { ColumnStats } from '@joblens/core';
import { cutText } from '@joblens/core';

// What the kernel knows of a column (ingester/assembly/lines/metadata-columns.ts).
const MIN = 0;
const MAX = 8;
const LAST = 16;
const NUMERIC = 24;
const INTEGER = 28;
const FALLS = 32;
const DISTINCT = 36;
const LAST_START = 40;
const LAST_END = 44;
const COLUMN_BYTES = 48;

/** Puts the columns' statistics to where the kernel folds the values of a run into them. */
export function putColumns(view: DataView, address: number, columns: readonly ColumnStats[]): void {
  let at = address;
  for (const { min = 0, max = 0, rising, distinct } of columns) {
    view.setFloat64(at + MIN, min, true);
    view.setFloat64(at + MAX, max, true);
    view.setInt32(at + NUMERIC, 0, true);
    view.setInt32(at + INTEGER, 0, true);
    view.setInt32(at + FALLS, rising ? 0 : 1, true);
    view.setInt32(at + DISTINCT, distinct, true);
    at += COLUMN_BYTES;
  }
}

/** Takes them back after a run of `rows`; `readText` reads what stands in the input. */
export function takeColumns(
  view: DataView,
  address: number,
  columns: readonly ColumnStats[],
  rows: number,
  readText: (start: number, end: number) => string
): void {
  let at = address;
  for (const column of columns) {
    column.count += rows;
    column.numeric += view.getInt32(at + NUMERIC, true);
    column.integer += view.getInt32(at + INTEGER, true);
    column.rising = view.getInt32(at + FALLS, true) === 0;
    const distinct = view.getInt32(at + DISTINCT, true);
    column.distinct = distinct === 0 ? 0 : distinct === 1 ? 1 : 2;
    if (distinct > 0) {
      column.min = view.getFloat64(at + MIN, true);
      column.max = view.getFloat64(at + MAX, true);
    }
    const lastEnd = view.getInt32(at + LAST_END, true);
    column.last =
      lastEnd === 0
        ? view.getFloat64(at + LAST, true)
        : cutText(readText(view.getInt32(at + LAST_START, true), lastEnd));
    at += COLUMN_BYTES;
  }
}
