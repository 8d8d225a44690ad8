import type { ColumnStats } from '@joblens/core/table/column-stats';
import { cutText } from '@joblens/core/table/table-stats';
import { LINES_LAYOUT } from './lines-module.js';

const { COLUMN_BYTES, COLUMN_MIN, COLUMN_MAX, COLUMN_LAST, COLUMN_NUMERIC, COLUMN_INTEGER } = LINES_LAYOUT;
const { COLUMN_FALLS, COLUMN_RISES, COLUMN_DISTINCT, COLUMN_LAST_START, COLUMN_LAST_END } = LINES_LAYOUT;
const { COLUMN_JSON, COLUMN_NULLS, COLUMN_INEXACT, COLUMN_SUM } = LINES_LAYOUT;
const { COLUMN_MIN_ROW, COLUMN_MAX_ROW, COLUMN_MIN_X, COLUMN_MAX_X } = LINES_LAYOUT;

/** Writes the columns' statistics into the kernel's memory, where a run's values are folded into them. */
export function putColumns(view: DataView, start: number, columns: readonly ColumnStats[]): void {
  let at = start;
  for (const { min = 0, max = 0, sum = NaN, rising, falling, distinct } of columns) {
    view.setFloat64(at + COLUMN_MIN, min, true);
    view.setFloat64(at + COLUMN_MAX, max, true);
    view.setInt32(at + COLUMN_NUMERIC, 0, true);
    view.setInt32(at + COLUMN_INTEGER, 0, true);
    view.setInt32(at + COLUMN_FALLS, rising ? 0 : 1, true);
    view.setInt32(at + COLUMN_RISES, falling ? 0 : 1, true);
    view.setInt32(at + COLUMN_DISTINCT, distinct, true);
    view.setInt32(at + COLUMN_NULLS, 0, true);
    view.setInt32(at + COLUMN_JSON, 0, true);
    view.setInt32(at + COLUMN_INEXACT, 0, true);
    view.setFloat64(at + COLUMN_SUM, sum, true);
    view.setInt32(at + COLUMN_MIN_ROW, 0, true);
    view.setInt32(at + COLUMN_MAX_ROW, 0, true);
    at += COLUMN_BYTES;
  }
}

/**
 * Reads the statistics back after a run of `rows`, which came after `rowsBefore`; `readText` reads a part of the input.
 */
export function readColumns(
  view: DataView,
  start: number,
  columns: readonly ColumnStats[],
  { rows, rowsBefore }: { readonly rows: number; readonly rowsBefore: number },
  readText: (start: number, end: number) => string
): void {
  let at = start;
  for (const column of columns) {
    column.count += rows;
    column.numeric += view.getInt32(at + COLUMN_NUMERIC, true);
    column.integer += view.getInt32(at + COLUMN_INTEGER, true);
    if (column.json !== undefined) column.json += view.getInt32(at + COLUMN_JSON, true);
    column.nulls += view.getInt32(at + COLUMN_NULLS, true);
    column.inexact += view.getInt32(at + COLUMN_INEXACT, true);
    column.rising = view.getInt32(at + COLUMN_FALLS, true) === 0;
    column.falling = view.getInt32(at + COLUMN_RISES, true) === 0;
    const distinct = view.getInt32(at + COLUMN_DISTINCT, true);
    column.distinct = distinct === 0 ? 0 : distinct === 1 ? 1 : 2;
    if (distinct > 0) {
      column.min = view.getFloat64(at + COLUMN_MIN, true);
      column.max = view.getFloat64(at + COLUMN_MAX, true);
      column.sum = finiteOrNone(view.getFloat64(at + COLUMN_SUM, true));
    }
    readBest(view, at, column, rowsBefore);
    const lastEnd = view.getInt32(at + COLUMN_LAST_END, true);
    column.last =
      lastEnd === 0
        ? view.getFloat64(at + COLUMN_LAST, true)
        : cutText(readText(view.getInt32(at + COLUMN_LAST_START, true), lastEnd));
    at += COLUMN_BYTES;
  }
}

function readBest(view: DataView, at: number, column: ColumnStats, rowsBefore: number): void {
  const minRow = view.getInt32(at + COLUMN_MIN_ROW, true);
  if (minRow > 0) {
    column.minRow = rowsBefore + minRow;
    column.minX = finiteOrNone(view.getFloat64(at + COLUMN_MIN_X, true));
  }
  const maxRow = view.getInt32(at + COLUMN_MAX_ROW, true);
  if (maxRow > 0) {
    column.maxRow = rowsBefore + maxRow;
    column.maxX = finiteOrNone(view.getFloat64(at + COLUMN_MAX_X, true));
  }
}

function finiteOrNone(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
