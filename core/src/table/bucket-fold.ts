/** The statistics that a bucket keeps of each key's numbers, in the order of `Bucket.values`. */
export const BUCKET_STATS = ['min', 'max', 'mean', 'last'] as const;
export type BucketStat = (typeof BUCKET_STATS)[number];

/** Rows of a bucket of the finest level, and buckets of one level in a bucket of the next. */
export const BUCKET_FACTOR = 32;

/**
 * A table that is no longer than this has no buckets: it is read row by row. So these first rows have no buckets of
 * level 1, either; they have those of the other levels.
 */
export const BUCKETS_AFTER_ROWS = 1024;

/** BUCKET_FACTOR ** level rows of one run of a table, in printed order. */
export interface Bucket {
  /** 1 is the finest. */
  readonly level: number;
  readonly rows: number;
  /** The time of its first row. */
  readonly timeNs: bigint;
  /**
   * The statistics of the first key, then those of the second, and so on, each in the order of BUCKET_STATS. NaN for a
   * key without a number in these rows.
   */
  readonly values: readonly number[];
}

/** What an open bucket keeps of each key's numbers, in the order of `OpenBucket.values`. */
export const OPEN_BUCKET_PARTS = ['min', 'max', 'sum', 'last', 'count'] as const;

/** A bucket that is not full yet. */
export interface OpenBucket {
  timeNs: bigint;
  /**
   * OPEN_BUCKET_PARTS of the first key, then those of the second, and so on. A sum is that of the numbers divided by
   * the bucket's rows, a power of two: so it is as exact, and finite for any numbers. It is NaN where it is not known:
   * an older Joblens began the bucket. The others are NaN where there is no number, and the count is 0.
   */
  values: number[];
}

/**
 * The open buckets of one run of a table, in memory that depends on its keys and the logarithm of its rows. A row here
 * is one that holds a number, which is one point of `job_metadata`.
 */
export interface BucketFold {
  /** Number of keys. */
  readonly keys: number;
  /** Rows so far: they say how many each open bucket holds. */
  rows: number;
  /** From the finest level on. */
  readonly open: OpenBucket[];
}

const PARTS = OPEN_BUCKET_PARTS.length;
/** In the state of an older Joblens, each key has so many numbers: lowest, highest, first and last. */
const OLD_PARTS = 4;
const NONE: readonly Bucket[] = [];
/** OPEN_BUCKET_PARTS of a key without a number. */
const EMPTY = [NaN, NaN, NaN, NaN, 0];

export function createBucketFold(keys: number): BucketFold {
  return { keys, rows: 0, open: [createOpenBucket(keys)] };
}

/**
 * Folds the next row, and returns the buckets that are full with it, the finest first. `values` are those of the row in
 * the order of the table's keys; only numbers count. A row without a number changes nothing.
 */
export function foldIntoBuckets(
  fold: BucketFold,
  values: ReadonlyArray<number | string>,
  timeNs: bigint
): readonly Bucket[] {
  const open = openFinest(fold);
  const rows = rowsInFinest(fold);
  if (rows === 0) {
    open.timeNs = timeNs;
  }
  let hasNumber = false;
  for (let i = 0; i < fold.keys; i += 1) {
    const value = values[i];
    if (typeof value === 'number') {
      hasNumber = true;
      // -0 + 0 is 0: JSON has one zero.
      const number = value + 0;
      foldValues(open.values, i * PARTS, number, number, number / BUCKET_FACTOR, number, 1);
    }
  }
  return hasNumber ? passRows(fold, rows + 1) : NONE;
}

/** How many rows the open bucket of the finest level holds. */
export function rowsInFinest(fold: BucketFold): number {
  return fold.rows % BUCKET_FACTOR;
}

/** The open bucket of the finest level. Its time and values mean nothing while it holds no row. */
export function openFinest(fold: BucketFold): OpenBucket {
  return openBucket(fold, 1);
}

/**
 * Says how many rows the open bucket of the finest level holds after further rows were folded into it, at most
 * BUCKET_FACTOR. Returns the buckets that are full now, the finest first; `isFinestKnown`: but for that one.
 */
export function passRows(fold: BucketFold, rows: number, isFinestKnown = false): readonly Bucket[] {
  fold.rows += rows - rowsInFinest(fold);
  return rows < BUCKET_FACTOR ? NONE : takeFullBuckets(fold, isFinestKnown || fold.rows <= BUCKETS_AFTER_ROWS ? 2 : 1);
}

/** Closes the full buckets, and returns those from a level on. */
function takeFullBuckets(fold: BucketFold, firstLevel: number): Bucket[] {
  const taken: Bucket[] = [];
  for (let level = 1, rows = BUCKET_FACTOR; fold.rows % rows === 0; level += 1, rows *= BUCKET_FACTOR) {
    const full = openBucket(fold, level);
    if (level >= firstLevel) {
      taken.push({ level, rows, timeNs: full.timeNs, values: closeValues(full.values, rows) });
    }
    foldIntoNext(fold, level, full);
    clearBucket(full);
  }
  return taken;
}

/** Folds a full bucket into the open one of the next level. */
function foldIntoNext(fold: BucketFold, level: number, full: OpenBucket): void {
  const next = openBucket(fold, level + 1);
  const rowsBefore = fold.rows - BUCKET_FACTOR ** level;
  if (rowsBefore % BUCKET_FACTOR ** (level + 1) === 0) {
    next.timeNs = full.timeNs;
  }
  const { values } = full;
  for (let at = 0; at < values.length; at += PARTS) {
    const count = values[at + 4] ?? 0;
    const sum = (values[at + 2] ?? NaN) / BUCKET_FACTOR;
    if (count > 0) {
      foldValues(next.values, at, values[at] ?? NaN, values[at + 1] ?? NaN, sum, values[at + 3] ?? NaN, count);
    }
  }
}

/** Folds what came after the values from `at` on, OPEN_BUCKET_PARTS, into them. */
function foldValues(
  values: number[],
  at: number,
  min: number,
  max: number,
  sum: number,
  last: number,
  count: number
): void {
  const before = values[at + 4] ?? 0;
  const isEmpty = before === 0;
  values[at] = isEmpty ? min : Math.min(values[at] ?? min, min);
  values[at + 1] = isEmpty ? max : Math.max(values[at + 1] ?? max, max);
  values[at + 2] = isEmpty ? sum : (values[at + 2] ?? NaN) + sum;
  values[at + 3] = last;
  values[at + 4] = before + count;
}

/** The BUCKET_STATS of a full bucket with so many rows. */
function closeValues(values: readonly number[], rows: number): readonly number[] {
  const closed: number[] = [];
  for (let at = 0; at < values.length; at += PARTS) {
    const [min, max, count] = [values[at] ?? NaN, values[at + 1] ?? NaN, values[at + 4] ?? 0];
    const mean = count === 0 ? NaN : ((values[at + 2] ?? NaN) / count) * rows;
    // Rounding takes no mean out of the range of its numbers.
    closed.push(min, max, Math.max(min, Math.min(max, mean)), values[at + 3] ?? NaN);
  }
  return closed;
}

function openBucket({ keys, open }: BucketFold, level: number): OpenBucket {
  return (open[level - 1] ??= createOpenBucket(keys));
}

function createOpenBucket(keys: number): OpenBucket {
  const values: number[] = [];
  // Pushed one by one, no place is ever empty, so V8 reads numbers from it without an object for each.
  for (let key = 0; key < keys; key += 1) values.push(...EMPTY);
  return { timeNs: 0n, values };
}

function clearBucket(bucket: OpenBucket): void {
  const { values } = bucket;
  bucket.timeNs = 0n;
  values.fill(NaN);
  for (let at = PARTS - 1; at < values.length; at += PARTS) values[at] = 0;
}

/** A fold as JSON, or what has changed in one: then the levels from some one on are those of the older state. */
export interface BucketFoldState {
  readonly rows: number;
  /** From the finest level on: the time and the values of each open bucket, null for no number; null if it is empty. */
  readonly open: ReadonlyArray<readonly [timeNs: string, ...values: Array<number | null>] | null>;
}

/** The state with which the fold continues after a restart. With `sinceRows`, only what has changed since then. */
export function formatBucketFold(fold: BucketFold, sinceRows?: number): BucketFoldState {
  const changed = fold.open.filter((_, i) => {
    // A bucket changes when one of the level before it is full.
    const step = BUCKET_FACTOR ** i;
    return sinceRows === undefined || Math.floor(fold.rows / step) > Math.floor(sinceRows / step);
  });
  const open = changed.map(({ timeNs, values }, i) => {
    const isEmpty = fold.rows % BUCKET_FACTOR ** (i + 1) < BUCKET_FACTOR ** i;
    return isEmpty ? null : ([String(timeNs), ...values.map(toJson)] as const);
  });
  return { rows: fold.rows, open };
}

function toJson(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** The state after a later change. */
export function mergeBucketFoldState(older: BucketFoldState, change: BucketFoldState): BucketFoldState {
  return { rows: change.rows, open: [...change.open, ...older.open.slice(change.open.length)] };
}

/** The fold of a table with so many keys, as formatBucketFold found it. */
export function restoreBucketFold(keys: number, { rows, open }: BucketFoldState): BucketFold {
  const restored = open.map((bucket) => {
    if (bucket === null) {
      return createOpenBucket(keys);
    }
    const [timeNs, ...stored] = bucket;
    const values = stored.map((value) => value ?? NaN);
    const isOld = values.length === keys * OLD_PARTS;
    return { timeNs: BigInt(timeNs), values: isOld ? readOldValues(values) : values };
  });
  return { keys, rows, open: restored };
}

/** The first number says nothing of the sum. */
function readOldValues(values: readonly number[]): number[] {
  return Array.from({ length: values.length / OLD_PARTS }, (_, key) => {
    const [min = NaN, max = NaN, , last = NaN] = values.slice(key * OLD_PARTS, (key + 1) * OLD_PARTS);
    return [min, max, NaN, last, Number.isNaN(min) ? 0 : 1];
  }).flat();
}
