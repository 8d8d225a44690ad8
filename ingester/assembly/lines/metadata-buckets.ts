import {
  BUCKET_COUNT,
  BUCKET_LAST,
  BUCKET_MAX,
  BUCKET_MIN,
  BUCKET_ROWS,
  BUCKET_SUM,
  BUCKET_TEXTS,
  BUCKET_VALUE_BYTES,
  FOLD_BUCKET,
  FOLD_BUCKET_LINE,
  FOLD_BUCKET_ROWS,
  FOLD_BUCKET_TIME,
  FOLD_COUNT,
  FOLD_SKIPPED,
  FULL_AT,
  FULL_COUNT,
  FULL_FOLD,
  FULL_IS_WRITTEN,
  FULL_LINE,
  FULL_VALUE_BYTES,
  FULL_VALUES,
} from './metadata-layout';
import { writeBucketPoints } from './metadata-bucket-points';
import { putTime } from './time';

const BLOCK: usize = 16;
/** A sum is that of such parts of its numbers: it is finite. */
const PART: f64 = 1.0 / <f64>BUCKET_ROWS;
/** Where the text `0` is. */
const ZERO: usize = memory.data<u8>([0x30]);

/** After a call: how many buckets are full. */
export let fullBuckets: i32 = 0;
/** The end of the full buckets. */
let fullEnd: usize = FULL_AT;

export function startBuckets(): void {
  fullBuckets = 0;
  fullEnd = FULL_AT;
}

/** Begins a row with numbers. `line` counts the lines of this call. */
export function beginBucketRow(fold: usize, line: i32): void {
  if (load<i32>(fold, FOLD_BUCKET_ROWS) != 0) return;
  store<i32>(fold, line, FOLD_BUCKET_LINE);
  putTime(fold + FOLD_BUCKET_TIME);
  const values = <usize>load<u32>(fold, FOLD_BUCKET);
  const end = values + <usize>load<i32>(fold, FOLD_COUNT) * BUCKET_VALUE_BYTES;
  for (let at = values; at < end; at += BUCKET_VALUE_BYTES) {
    v128.store(at, f64x2.splat(NaN));
    v128.store(at + BLOCK, f64x2.splat(NaN));
    store<f64>(at, 0, BUCKET_COUNT);
  }
}

/**
 * Folds one row's number into the open bucket, whose values are at `values`; the rules are those of foldIntoBuckets in
 * core. Its text has `length` bytes from `start` on.
 */
export function foldIntoBucket(values: usize, index: i32, number: f64, start: usize, length: usize): void {
  const at = values + <usize>index * BUCKET_VALUE_BYTES;
  // -0 + 0 is 0: JSON has one zero.
  const value = number + 0.0;
  const text = value == 0 ? (<u64>ZERO) | (1 << 32) : (<u64>start) | ((<u64>length) << 32);
  const part = value * PART;
  const count = load<f64>(at, BUCKET_COUNT);
  if (count == 0) {
    put(at + BUCKET_MIN, value, text);
    put(at + BUCKET_MAX, value, text);
    store<f64>(at, part, BUCKET_SUM);
  } else {
    if (value < load<f64>(at, BUCKET_MIN)) put(at + BUCKET_MIN, value, text);
    else if (value > load<f64>(at, BUCKET_MAX)) put(at + BUCKET_MAX, value, text);
    store<f64>(at, load<f64>(at, BUCKET_SUM) + part, BUCKET_SUM);
  }
  put(at + BUCKET_LAST, value, text);
  store<f64>(at, count + 1, BUCKET_COUNT);
}

function put(at: usize, value: f64, text: u64): void {
  store<f64>(at, value);
  store<u64>(at, text, BUCKET_TEXTS);
}

/**
 * Ends a row with numbers, whose values are those of the present line, and returns how many points were written of the
 * bucket that is full with it.
 */
export function endBucketRow(fold: usize, table: usize): i32 {
  const rows = load<i32>(fold, FOLD_BUCKET_ROWS);
  if (rows < 0) return 0;
  store<i32>(fold, (rows + 1) % BUCKET_ROWS, FOLD_BUCKET_ROWS);
  if (rows + 1 < BUCKET_ROWS) return 0;
  const skipped = load<i32>(fold, FOLD_SKIPPED);
  if (skipped > 0) store<i32>(fold, skipped - 1, FOLD_SKIPPED);
  keepFull(fold, skipped == 0);
  return skipped > 0 ? 0 : writeBucketPoints(fold, table);
}

function keepFull(fold: usize, isWritten: bool): void {
  store<u32>(fullEnd, <u32>fold, FULL_FOLD);
  store<i32>(fullEnd, load<i32>(fold, FOLD_BUCKET_LINE), FULL_LINE);
  store<i32>(fullEnd, isWritten ? 1 : 0, FULL_IS_WRITTEN);
  let to = fullEnd + FULL_VALUES;
  let at = <usize>load<u32>(fold, FOLD_BUCKET);
  for (let i = load<i32>(fold, FOLD_COUNT); i > 0; i -= 1) {
    v128.store(to, v128.load(at));
    v128.store(to + BLOCK, v128.load(at + BLOCK));
    store<f64>(to, load<f64>(at, BUCKET_COUNT), FULL_COUNT);
    at += BUCKET_VALUE_BYTES;
    to += FULL_VALUE_BYTES;
  }
  fullEnd = to;
  fullBuckets += 1;
}
