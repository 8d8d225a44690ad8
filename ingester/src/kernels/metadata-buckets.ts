import { ROW_STEP_NS } from '../clock/clock.js';
import {
  type Bucket,
  BUCKET_FACTOR,
  type BucketFold,
  BUCKETS_AFTER_ROWS,
  OPEN_BUCKET_PARTS,
  openFinest,
  passRows,
  rowsInFinest,
} from '@joblens/core/table/bucket-fold';
import { BUCKET_ROWS_FIELD } from '@joblens/core/schema/bucket-point';
import { LINES_LAYOUT } from './lines-module.js';

const { BUCKET_VALUE_BYTES, FULL_LINE, FULL_IS_WRITTEN, FULL_VALUES, FULL_VALUE_BYTES } = LINES_LAYOUT;
const { FOLD_BUCKET_ROWS, FOLD_SKIPPED, FOLD_BUCKET_LINE, FOLD_BUCKET_TIME, FOLD_BUCKET, FOLD_HEADS } = LINES_LAYOUT;
const { TIME_DIGITS } = LINES_LAYOUT;
const { BUCKET_MIN, BUCKET_MAX, BUCKET_SUM, BUCKET_LAST, BUCKET_COUNT, BUCKET_TEXTS, FULL_COUNT } = LINES_LAYOUT;
const PARTS = OPEN_BUCKET_PARTS.length;
const PIECE_BYTES = 8;
/** Where the length is in a piece. */
const TEXT_LENGTH = 4;
const PRINTED_PARTS = [BUCKET_MIN, BUCKET_MAX, BUCKET_LAST];
/** The kernel writes numbers between these as text, besides 0; larger and smaller ones are rare. */
const [SMALLEST_WRITTEN, LARGEST_WRITTEN] = [1e-64, 1e18];

/** The buckets that take the numbers of a run of lines. */
export interface RunBuckets {
  readonly fold: BucketFold;
  /** As formatBucketHeads makes them. */
  readonly heads: readonly Uint8Array[];
  /** Takes the buckets that the run fills, but for those that the kernel writes. */
  readonly full: Bucket[];
}

/** What the kernel has to know of the points that it writes, from the series keys of the finest level's points. */
export function formatBucketHeads(seriesKeys: readonly string[]): readonly Uint8Array[] {
  return [...seriesKeys, `,${BUCKET_ROWS_FIELD}=${BUCKET_FACTOR}`].map((text) => Buffer.from(text));
}

/** How many bytes putBuckets writes for a table of so many keys. */
export function measureBuckets({ heads }: RunBuckets, count: number): number {
  return heads.reduce((sum, head) => sum + PIECE_BYTES + head.length, count * BUCKET_VALUE_BYTES);
}

/** Writes the open bucket of the finest level, and the heads, into the kernel's memory, for the fold at `fold`. */
export function putBuckets(
  bytes: Buffer,
  view: DataView,
  fold: number,
  start: number,
  { buckets, count }: { readonly buckets: RunBuckets; readonly count: number }
): void {
  const headsAt = start + count * BUCKET_VALUE_BYTES;
  const { timeNs, values } = openFinest(buckets.fold);
  const rows = rowsInFinest(buckets.fold);
  const time = rows > 0 ? String(timeNs) : '';
  const isWritten = rows === 0 || (time.length === TIME_DIGITS && values.every(isWrittenNumber));
  view.setInt32(fold + FOLD_BUCKET_ROWS, rows, true);
  view.setInt32(fold + FOLD_SKIPPED, countSkippedBuckets(buckets, isWritten), true);
  view.setUint32(fold + FOLD_BUCKET, start, true);
  view.setUint32(fold + FOLD_HEADS, headsAt, true);
  let next = headsAt + buckets.heads.length * PIECE_BYTES;
  buckets.heads.forEach((head, i) => {
    view.setUint32(headsAt + i * PIECE_BYTES, next, true);
    view.setInt32(headsAt + i * PIECE_BYTES + 4, head.length, true);
    bytes.set(head, next);
    next += head.length;
  });
  if (rows === 0) return;
  if (isWritten) bytes.write(time, fold + FOLD_BUCKET_TIME, 'latin1');
  putOpenBucket(view, start, values);
}

function putOpenBucket(view: DataView, start: number, values: readonly number[]): void {
  for (let [i, at] = [0, start]; i < values.length; i += PARTS, at += BUCKET_VALUE_BYTES) {
    view.setFloat64(at + BUCKET_MIN, values[i] ?? NaN, true);
    view.setFloat64(at + BUCKET_MAX, values[i + 1] ?? NaN, true);
    view.setFloat64(at + BUCKET_SUM, values[i + 2] ?? NaN, true);
    view.setFloat64(at + BUCKET_LAST, values[i + 3] ?? NaN, true);
    view.setFloat64(at + BUCKET_COUNT, values[i + 4] ?? NaN, true);
    // How they were printed is not known any more.
    for (const part of PRINTED_PARTS) view.setInt32(at + part + BUCKET_TEXTS + TEXT_LENGTH, 0, true);
  }
}

/**
 * How many buckets are full before the first one that the kernel writes: those that a table has not at its beginning
 * (BUCKETS_AFTER_ROWS), and one with a time or numbers from before that the kernel does not write.
 */
function countSkippedBuckets({ fold }: RunBuckets, isWritten: boolean): number {
  const rows = rowsInFinest(fold);
  return Math.max(isWritten ? 0 : 1, (BUCKETS_AFTER_ROWS - (fold.rows - rows)) / BUCKET_FACTOR);
}

/** None counts as one. */
function isWrittenNumber(value: number): boolean {
  const size = Math.abs(value);
  return !(size < SMALLEST_WRITTEN || size > LARGEST_WRITTEN) || size === 0;
}

/** Reads a bucket that is full after a run whose first line has this time. */
export function readFullBucket(view: DataView, start: number, { fold, full }: RunBuckets, firstTimeNs: bigint): void {
  setTime(fold, firstTimeNs, view.getInt32(start + FULL_LINE, true));
  readValues(view, start + FULL_VALUES, FULL_VALUE_BYTES, FULL_COUNT, fold);
  const isWritten = view.getInt32(start + FULL_IS_WRITTEN, true) !== 0;
  full.push(...passRows(fold, BUCKET_FACTOR, isWritten));
}

/** Reads the open bucket of the fold at `at` back, after those that are full. */
export function readOpenBucket(view: DataView, at: number, { fold }: RunBuckets, firstTimeNs: bigint): void {
  const rows = view.getInt32(at + FOLD_BUCKET_ROWS, true);
  if (rows === rowsInFinest(fold)) return;
  setTime(fold, firstTimeNs, view.getInt32(at + FOLD_BUCKET_LINE, true));
  readValues(view, view.getUint32(at + FOLD_BUCKET, true), BUCKET_VALUE_BYTES, BUCKET_COUNT, fold);
  passRows(fold, rows);
}

function setTime(fold: BucketFold, firstTimeNs: bigint, line: number): void {
  if (rowsInFinest(fold) === 0) openFinest(fold).timeNs = firstTimeNs + ROW_STEP_NS * BigInt(line);
}

function readValues(view: DataView, start: number, valueBytes: number, countAt: number, fold: BucketFold): void {
  const { values } = openFinest(fold);
  for (let [i, at] = [0, start]; i < values.length; i += PARTS, at += valueBytes) {
    values[i] = view.getFloat64(at + BUCKET_MIN, true);
    values[i + 1] = view.getFloat64(at + BUCKET_MAX, true);
    values[i + 2] = view.getFloat64(at + BUCKET_SUM, true);
    values[i + 3] = view.getFloat64(at + BUCKET_LAST, true);
    values[i + 4] = view.getFloat64(at + countAt, true);
  }
}
