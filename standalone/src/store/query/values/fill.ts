import type { GroupBy } from '@joblens/core/influxql/nodes';
import type { FieldType } from '../../kept/field.js';
import { MAX_BUCKETS, bucketsError } from './limits.js';
import type { Cell } from './result-batch.js';
import type { TimeRange } from '@joblens/core/influxql/time-range';
import type { ZoneOffset } from './zone.js';

/** One aggregated value with the other columns of its point, which only a single selector has. */
export interface BucketPoint {
  readonly timeNs: bigint;
  readonly value: Cell;
  readonly others: readonly Cell[];
}

export interface FillOptions {
  readonly fill: NonNullable<GroupBy['fill']>;
  readonly lengthNs: bigint;
  readonly offsetNs: bigint;
  readonly range: TimeRange;
  readonly isDescending: boolean;
  readonly type: FieldType;
  readonly zone?: ZoneOffset | undefined;
}

/**
 * Start of the bucket that holds a time. Buckets are aligned to the epoch plus the offset, also before 1970, and in a
 * time zone to its clock: a day begins at midnight there (query/iterator.go, IteratorOptions.Window).
 */
export function bucketStart(
  timeNs: bigint,
  { lengthNs, offsetNs, zone }: Pick<FillOptions, 'lengthNs' | 'offsetNs' | 'zone'>
): bigint {
  const shiftNs = zone?.(timeNs - offsetNs) ?? 0n;
  const rest = (timeNs - offsetNs + shiftNs) % lengthNs;
  const startNs = timeNs - (rest < 0n ? rest + lengthNs : rest);
  const changeNs = zone ? shiftNs - zone(startNs) : 0n;
  return startNs + (isShorter(changeNs, lengthNs) ? changeNs : 0n);
}

function isShorter(changeNs: bigint, lengthNs: bigint): boolean {
  return (changeNs < 0n ? -changeNs : changeNs) < lengthNs;
}

/** The points of one call in one group, in the order of the answer. */
export interface CallPoints {
  readonly first: BucketPoint;
  readonly last: BucketPoint;
  readonly all: Iterable<BucketPoint>;
}

/** How many buckets `fillBuckets` returns, within InfluxDB's limit for one column. */
export function countBuckets({ first, last }: CallPoints, options: FillOptions): number {
  const { start, end, step } = findBounds(first, last, options);
  const count = (end - start) / step + 1n;
  if (count > BigInt(MAX_BUCKETS)) throw bucketsError(count, MAX_BUCKETS);
  return Number(count);
}

/**
 * Puts a point into each bucket that has none, from the lower time bound (or the first point) to the upper one, in the
 * order of the answer. `previous` is the row before in that order. Ported rules: query/iterator.gen.go,
 * floatFillIterator.
 */
export function* fillBuckets(points: CallPoints, options: FillOptions): Generator<BucketPoint> {
  const { start, end, step } = findBounds(points.first, points.last, options);
  const stored = points.all[Symbol.iterator]();
  let previous: BucketPoint | undefined;
  let next = stored.next();
  countBuckets(points, options);
  for (let timeNs = start; step > 0n ? timeNs <= end : timeNs >= end; timeNs = nextBucket(timeNs, step, options)) {
    const point = next.done === true ? undefined : next.value;
    if (point?.timeNs === timeNs) {
      yield point;
      previous = point;
      next = stored.next();
    } else {
      yield createFilled(timeNs, previous, point, options);
    }
  }
}

/** The bucket behind one, or before it where the step is negative. A zone's clock may be put on or back between. */
function nextBucket(timeNs: bigint, step: bigint, { zone, lengthNs }: FillOptions): bigint {
  const nextNs = timeNs + step;
  if (zone === undefined) return nextNs;
  const changeNs = zone(timeNs) - zone(nextNs);
  return nextNs + (isShorter(changeNs, lengthNs) ? changeNs : 0n);
}

function findBounds(
  first: BucketPoint,
  last: BucketPoint,
  options: FillOptions
): { readonly start: bigint; readonly end: bigint; readonly step: bigint } {
  const { fromNs, toNs } = options.range;
  const lower = fromNs === undefined ? undefined : bucketStart(fromNs, options);
  const upper = toNs === undefined ? undefined : bucketStart(toNs, options);
  if (!options.isDescending) return { start: lower ?? first.timeNs, end: upper ?? last.timeNs, step: options.lengthNs };
  return { start: upper ?? first.timeNs, end: lower ?? last.timeNs, step: -options.lengthNs };
}

function createFilled(
  timeNs: bigint,
  previous: BucketPoint | undefined,
  next: BucketPoint | undefined,
  { fill, lengthNs, type }: FillOptions
): BucketPoint {
  const others = (previous ?? next)?.others.map(() => null) ?? [];
  if (fill === 'previous') return { timeNs, value: previous?.value ?? null, others };
  if (fill === 'linear') return { timeNs, value: interpolate(timeNs, previous, next, lengthNs), others };
  return { timeNs, value: typeof fill === 'number' ? castNumber(fill, type) : null, others };
}

function interpolate(
  timeNs: bigint,
  previous: BucketPoint | undefined,
  next: BucketPoint | undefined,
  lengthNs: bigint
): Cell {
  if (!previous || !next) return null;
  const start = previous.timeNs / lengthNs;
  const steps = Number(next.timeNs / lengthNs - start);
  const x = Number(timeNs / lengthNs - start);
  if (typeof previous.value === 'number' && typeof next.value === 'number') {
    return ((next.value - previous.value) / steps) * x + previous.value;
  }
  if (typeof previous.value === 'bigint' && typeof next.value === 'bigint') {
    const slope = Number(next.value - previous.value) / steps;
    return BigInt(Math.trunc(slope * x + Number(previous.value)));
  }
  return null;
}

/** A number that fills a column of another type becomes the nearest value of that type, or its empty value. */
function castNumber(value: number, type: FieldType): Cell {
  switch (type) {
    case 'float':
      return value;
    case 'integer':
      return BigInt(Math.trunc(value));
    case 'string':
      return '';
    case 'boolean':
      return false;
  }
}
