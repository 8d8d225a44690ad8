import type { Bucket, BucketFold } from '@joblens/core';
import {
  BUCKET_FACTOR,
  BUCKET_ROWS_FIELD,
  BUCKET_STATS,
  BUCKETS_AFTER_ROWS,
  openFinest,
  passRows,
  rowsInFinest,
} from '@joblens/core';
import { LINES_LAYOUT } from './lines-module.js';

const { BUCKETS_AT, BUCKET_LINE, BUCKET_VALUES, BUCKET_VALUE_BYTES, BUCKET_HEADS_AT } = LINES_LAYOUT;
const STATS = BUCKET_STATS.length;
const DOUBLE_BYTES = 8;
const PIECE_BYTES = 8;
const ROW_STEP_NS = 1000n;

/** The buckets that take the numbers of a run of lines. */
export interface RunBuckets {
  readonly fold: BucketFold;
  /** The place in the table's keys of each key of the lines. */
  readonly places: readonly number[];
  /** As formatBucketHeads makes them. */
  readonly heads: Uint8Array;
  /** Takes the buckets that the run fills, unless the kernel has written their points. */
  readonly full: Bucket[];
}

/** What ingester/assembly/lines exports about the buckets of its last call. */
export interface BucketExports {
  readonly fullBuckets: { readonly value: number };
  readonly bucketRows: { readonly value: number };
}

/** What the kernel has to know of the points that it writes, from the series keys of the finest level's points. */
export function formatBucketHeads(seriesKeys: readonly string[]): Uint8Array {
  const texts = [...seriesKeys, `,${BUCKET_ROWS_FIELD}=${BUCKET_FACTOR}`].map((text) => Buffer.from(text));
  const pieces = new DataView(new ArrayBuffer(texts.length * PIECE_BYTES));
  let next = BUCKET_HEADS_AT + pieces.byteLength;
  texts.forEach(({ length }, i) => {
    pieces.setInt32(i * PIECE_BYTES, next, true);
    pieces.setInt32(i * PIECE_BYTES + 4, length, true);
    next += length;
  });
  return Buffer.concat([new Uint8Array(pieces.buffer), ...texts]);
}

/**
 * How many buckets are full before the first one that the kernel writes: those that a table has not at its beginning
 * (BUCKETS_AFTER_ROWS), and one that has rows from before, of which the kernel does not know how they were printed.
 */
export function countSkippedBuckets({ fold }: RunBuckets): number {
  const rows = rowsInFinest(fold);
  return Math.max(rows > 0 ? 1 : 0, (BUCKETS_AFTER_ROWS - (fold.rows - rows)) / BUCKET_FACTOR);
}

/** Writes the open bucket of the finest level into the kernel's memory, and returns how many rows it has. */
export function putOpenBucket(view: DataView, { fold, places }: RunBuckets): number {
  const rows = rowsInFinest(fold);
  if (rows === 0) return 0;
  const { values } = openFinest(fold);
  let at = BUCKETS_AT + BUCKET_VALUES;
  for (const place of places) {
    for (let stat = 0; stat < STATS; stat += 1) {
      view.setFloat64(at + stat * DOUBLE_BYTES, values[place * STATS + stat] ?? NaN, true);
    }
    at += BUCKET_VALUE_BYTES;
  }
  return rows;
}

/** Reads the buckets back after a run whose first line has this time. */
export function readBuckets(
  view: DataView,
  { fullBuckets, bucketRows }: BucketExports,
  buckets: RunBuckets,
  firstTimeNs: bigint
): void {
  const skipped = countSkippedBuckets(buckets);
  let at: number = BUCKETS_AT;
  for (let i = 0; i < fullBuckets.value; i += 1) {
    readBucket(view, at, buckets, firstTimeNs);
    const full = passRows(buckets.fold, BUCKET_FACTOR);
    buckets.full.push(...(i < skipped ? full : full.filter(({ level }) => level > 1)));
    at += BUCKET_VALUES + buckets.places.length * BUCKET_VALUE_BYTES;
  }
  if (bucketRows.value === 0) return;
  readBucket(view, at, buckets, firstTimeNs);
  passRows(buckets.fold, bucketRows.value);
}

function readBucket(view: DataView, start: number, { fold, places }: RunBuckets, firstTimeNs: bigint): void {
  const open = openFinest(fold);
  if (rowsInFinest(fold) === 0) {
    open.timeNs = firstTimeNs + ROW_STEP_NS * BigInt(view.getInt32(start + BUCKET_LINE, true));
  }
  let at = start + BUCKET_VALUES;
  for (const place of places) {
    for (let stat = 0; stat < STATS; stat += 1) {
      open.values[place * STATS + stat] = view.getFloat64(at + stat * DOUBLE_BYTES, true);
    }
    at += BUCKET_VALUE_BYTES;
  }
}
