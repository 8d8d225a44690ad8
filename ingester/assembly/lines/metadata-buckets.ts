import {
  BUCKET_FIRST,
  BUCKET_LAST,
  BUCKET_LINE,
  BUCKET_MAX,
  BUCKET_MIN,
  BUCKET_ROWS,
  BUCKET_STATS,
  BUCKET_TEXTS,
  BUCKET_VALUE_BYTES,
  BUCKET_VALUES,
  BUCKETS_AT,
  TEMPLATE_AT,
  TEMPLATE_COUNT,
  TEMPLATE_FIXED_BYTES,
} from './metadata-layout';
import { keepBucketTime, writeBucketPoints } from './metadata-bucket-points';
import { MAX_CHARS } from './metadata-numbers';

/** Where the text `0` is. */
const ZERO: usize = memory.data<u8>([0x30]);

/** After a call: how many buckets are full, and how many rows are in the open one behind them. */
export let fullBuckets: i32 = 0;
export let bucketRows: i32 = 0;

/** The values of the open bucket; 0 if rows are not folded into buckets. */
let values: usize = 0;
/** The bytes of a bucket's values. */
let valueBytes: usize = 0;
/** How many buckets are full before the first one that is written as points. */
let skipped: i32 = 0;

/** `rows`: how many rows the first bucket has already; -1 for no buckets. */
export function startBuckets(rows: i32, bucketsToSkip: i32): void {
  fullBuckets = 0;
  bucketRows = rows;
  skipped = bucketsToSkip;
  valueBytes = <usize>load<i32>(TEMPLATE_AT, TEMPLATE_COUNT) * BUCKET_VALUE_BYTES;
  values = rows < 0 ? 0 : BUCKETS_AT + BUCKET_VALUES;
}

/** How many bytes of output the points of a bucket may take. */
export function findBucketRoom(): i32 {
  if (values == 0) return 0;
  const texts = load<i32>(TEMPLATE_AT, TEMPLATE_COUNT) * <i32>MAX_CHARS;
  return <i32>BUCKET_STATS * (load<i32>(TEMPLATE_AT, TEMPLATE_FIXED_BYTES) + texts);
}

/** Begins a row with numbers. `line` counts the lines of this call. */
export function beginBucketRow(line: i32): void {
  if (values == 0 || bucketRows > 0) return;
  store<i32>(values - BUCKET_VALUES + BUCKET_LINE, line);
  keepBucketTime();
  for (let at = values, end = values + valueBytes; at < end; at += 8) store<f64>(at, NaN);
}

/**
 * Folds one row's number into the open bucket; the rules are those of foldIntoBuckets in core. Its text has `length`
 * bytes from `start` on.
 */
export function foldIntoBucket(index: i32, number: f64, start: usize, length: usize): void {
  if (values == 0) return;
  const at = values + <usize>index * BUCKET_VALUE_BYTES;
  // -0 + 0 is 0: JSON has one zero.
  const value = number + 0.0;
  const text = value == 0 ? (<u64>ZERO) | (1 << 32) : (<u64>start) | ((<u64>length) << 32);
  const min = load<f64>(at, BUCKET_MIN);
  if (min != min) {
    put(at + BUCKET_MIN, value, text);
    put(at + BUCKET_MAX, value, text);
    put(at + BUCKET_FIRST, value, text);
  } else if (value < min) {
    put(at + BUCKET_MIN, value, text);
  } else if (value > load<f64>(at, BUCKET_MAX)) {
    put(at + BUCKET_MAX, value, text);
  }
  put(at + BUCKET_LAST, value, text);
}

function put(at: usize, value: f64, text: u64): void {
  store<f64>(at, value);
  store<u64>(at, text, BUCKET_TEXTS);
}

/** Ends a row with numbers, and returns how many points were written of the bucket that is full with it. */
export function endBucketRow(): i32 {
  if (values == 0) return 0;
  bucketRows += 1;
  if (bucketRows < BUCKET_ROWS) return 0;
  const points = fullBuckets < skipped ? 0 : writeBucketPoints(values);
  bucketRows = 0;
  fullBuckets += 1;
  values += valueBytes + BUCKET_VALUES;
  return points;
}
