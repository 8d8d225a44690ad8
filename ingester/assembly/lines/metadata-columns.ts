import { COLUMN_BYTES, COLUMNS_AT } from './metadata-layout';

// What the statistics know of a column: doubles, then integers.
const MIN = 0;
const MAX = 8;
const LAST = 16;
/** Of this run only. */
const NUMERIC = 24;
const INTEGER = 28;
const FALLS = 32;
const DISTINCT = 36;
/** Where the newest value is a text: where that stands; an end of 0 where it is a number. */
const LAST_START = 40;
const LAST_END = 44;

function columnAt(index: i32): usize {
  return COLUMNS_AT + index * COLUMN_BYTES;
}

/** Folds one row's number into its column; the rules are those of foldValue in core. */
export function foldNumber(index: i32, number: f64): void {
  const column = columnAt(index);
  // -0 + 0 is 0: JSON has one zero.
  const value = number + 0.0;
  store<i32>(column, load<i32>(column, NUMERIC) + 1, NUMERIC);
  if (floor(value) == value) store<i32>(column, load<i32>(column, INTEGER) + 1, INTEGER);
  store<f64>(column, value, LAST);
  store<i32>(column, 0, LAST_END);
  if (load<i32>(column, DISTINCT) == 0) {
    store<i32>(column, 1, DISTINCT);
    store<f64>(column, value, MIN);
    store<f64>(column, value, MAX);
    return;
  }
  const min = load<f64>(column, MIN);
  const max = load<f64>(column, MAX);
  if (value != min || value != max) store<i32>(column, 2, DISTINCT);
  if (value < max) {
    store<i32>(column, 1, FALLS);
    if (value < min) store<f64>(column, value, MIN);
  } else {
    store<f64>(column, value, MAX);
  }
}

/** Folds one row's text into its column. */
export function foldText(index: i32, start: i32, end: i32): void {
  const column = columnAt(index);
  store<i32>(column, start, LAST_START);
  store<i32>(column, end, LAST_END);
}
