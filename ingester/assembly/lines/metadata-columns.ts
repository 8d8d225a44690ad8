import {
  COLUMN_BYTES,
  COLUMN_DISTINCT,
  COLUMN_FALLS,
  COLUMN_INEXACT,
  COLUMN_INTEGER,
  COLUMN_JSON,
  COLUMN_LAST,
  COLUMN_LAST_END,
  COLUMN_LAST_START,
  COLUMN_MAX,
  COLUMN_MAX_ROW,
  COLUMN_MAX_X,
  COLUMN_MIN,
  COLUMN_MIN_ROW,
  COLUMN_MIN_X,
  COLUMN_NEXT,
  COLUMN_NULLS,
  COLUMN_NUMERIC,
  COLUMN_RISES,
  COLUMN_SUM,
  FOLD_COLUMNS,
  FOLD_ROWS,
  FOLD_X,
} from './metadata-layout';

/** In the present row: the columns with a new smallest or largest number, the column of X, and its number. */
let changed: usize = 0;
let xIndex: i32 = -1;
let x: f64 = NaN;

function columnAt(fold: usize, index: i32): usize {
  return fold + FOLD_COLUMNS + <usize>index * COLUMN_BYTES;
}

/** Begins a row with numbers. */
export function beginRow(fold: usize): void {
  changed = 0;
  xIndex = load<i32>(fold, FOLD_X);
  x = NaN;
}

/** Ends it: X may have come behind the numbers that are the smallest or the largest. */
export function endRow(fold: usize): void {
  const row = load<i32>(fold, FOLD_ROWS) + 1;
  for (let column = changed; column != 0; column = <usize>load<u32>(column, COLUMN_NEXT)) {
    const value = load<f64>(column, COLUMN_LAST);
    if (value == load<f64>(column, COLUMN_MIN)) {
      store<i32>(column, row, COLUMN_MIN_ROW);
      store<f64>(column, x, COLUMN_MIN_X);
    }
    if (value == load<f64>(column, COLUMN_MAX)) {
      store<i32>(column, row, COLUMN_MAX_ROW);
      store<f64>(column, x, COLUMN_MAX_X);
    }
  }
}

function markChanged(column: usize): void {
  store<u32>(column, <u32>changed, COLUMN_NEXT);
  changed = column;
}

/** Folds one row's number into its column; the rules are those of foldColumns in core. */
export function foldNumber(fold: usize, index: i32, number: f64): void {
  const column = columnAt(fold, index);
  // -0 + 0 is 0: JSON has one zero.
  const value = number + 0.0;
  store<i32>(column, load<i32>(column, COLUMN_NUMERIC) + 1, COLUMN_NUMERIC);
  if (floor(value) == value) store<i32>(column, load<i32>(column, COLUMN_INTEGER) + 1, COLUMN_INTEGER);
  store<f64>(column, value, COLUMN_LAST);
  store<i32>(column, 0, COLUMN_LAST_END);
  store<f64>(column, load<f64>(column, COLUMN_SUM) + value, COLUMN_SUM);
  if (index == xIndex) x = value;
  if (load<i32>(column, COLUMN_DISTINCT) == 0) {
    markChanged(column);
    store<i32>(column, 1, COLUMN_DISTINCT);
    store<f64>(column, value, COLUMN_MIN);
    store<f64>(column, value, COLUMN_MAX);
    return;
  }
  const min = load<f64>(column, COLUMN_MIN);
  const max = load<f64>(column, COLUMN_MAX);
  if (value != min || value != max) store<i32>(column, 2, COLUMN_DISTINCT);
  // A column that never fell has its newest number as its largest, and one that never rose as its smallest.
  if (value < max) {
    store<i32>(column, 1, COLUMN_FALLS);
    if (value < min) {
      store<f64>(column, value, COLUMN_MIN);
      markChanged(column);
    }
  }
  if (value > min) {
    store<i32>(column, 1, COLUMN_RISES);
    if (value > max) {
      store<f64>(column, value, COLUMN_MAX);
      markChanged(column);
    }
  }
}

/** Counts a number that is a text as well. */
export function countInexact(fold: usize, index: i32): void {
  const column = columnAt(fold, index);
  store<i32>(column, load<i32>(column, COLUMN_INEXACT) + 1, COLUMN_INEXACT);
}

/** Folds one row's text into its column; `isJson` as in foldValue, `isNull` where that is null. */
export function foldText(fold: usize, index: i32, start: i32, end: i32, isJson: bool, isNull: bool): void {
  const column = columnAt(fold, index);
  if (isJson) store<i32>(column, load<i32>(column, COLUMN_JSON) + 1, COLUMN_JSON);
  if (isNull) store<i32>(column, load<i32>(column, COLUMN_NULLS) + 1, COLUMN_NULLS);
  store<i32>(column, start, COLUMN_LAST_START);
  store<i32>(column, end, COLUMN_LAST_END);
}
