import type { AggregateName, FunctionName } from '@joblens/core/influxql/nodes';
import type { Cell } from './result-batch.js';

/** A value of a column with its time, and what else the row holds. Its value is never null. */
export interface StoredPoint {
  readonly timeNs: bigint;
  readonly value: Cell;
  readonly others: readonly Cell[];
}

/** What a function makes of the points of a bucket, which are never none; ascending by time. */
type Fold = (points: readonly StoredPoint[]) => Cell;

/** The value of every aggregate that folds a bucket to one value, as InfluxDB computes it (query/functions.go). */
export const FOLDS: Readonly<Partial<Record<AggregateName | FunctionName, Fold>>> = {
  count: (points) => BigInt(points.length),
  sum: (points) => sum(points),
  mean: (points) => Number(sum(points)) / points.length,
  min: (points) => smallest(points)?.value ?? null,
  max: (points) => largest(points)?.value ?? null,
  first: (points) => points[0]?.value ?? null,
  last: (points) => points.at(-1)?.value ?? null,
  spread: (points) => subtract(largest(points)?.value ?? null, smallest(points)?.value ?? null),
  median,
  mode,
  stddev,
};

function sum(points: readonly StoredPoint[]): number | bigint {
  let total: number | bigint = typeof points[0]?.value === 'bigint' ? 0n : 0;
  for (const { value } of points) {
    if (typeof total === 'bigint' && typeof value === 'bigint') total = BigInt.asIntN(64, total + value);
    else total = Number(total) + Number(value);
  }
  return total;
}

function subtract(left: Cell, right: Cell): Cell {
  if (typeof left === 'bigint' && typeof right === 'bigint') return left - right;
  return Number(left) - Number(right);
}

/** Among equal values, the earliest. */
function smallest(points: readonly StoredPoint[]): StoredPoint | undefined {
  let best = points[0];
  for (const point of points) if (best && compareCells(point.value, best.value) < 0) best = point;
  return best;
}

function largest(points: readonly StoredPoint[]): StoredPoint | undefined {
  let best = points[0];
  for (const point of points) if (best && compareCells(point.value, best.value) > 0) best = point;
  return best;
}

/** Compares two values of one field: false before true, texts by code unit. */
export function compareCells(left: Cell, right: Cell): number {
  if (left === right || left === null || right === null) return 0;
  return left < right ? -1 : 1;
}

function sortedByValue(points: readonly StoredPoint[]): StoredPoint[] {
  return [...points].sort((a, b) => compareCells(a.value, b.value));
}

/** The mean of both middle values where there is no middle one; a float, whatever the field is. */
function median(points: readonly StoredPoint[]): Cell {
  const sorted = sortedByValue(points);
  const middle = sorted.length >> 1;
  const high = Number(sorted[middle]?.value);
  if (sorted.length % 2 === 1) return high;
  const low = Number(sorted[middle - 1]?.value);
  return low + (high - low) / 2;
}

/** The value that comes most often; of several, the smallest, but `true` of truth values. */
function mode(points: readonly StoredPoint[]): Cell {
  const counts = new Map<Cell, number>();
  for (const { value } of sortedByValue(points)) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: readonly [Cell, number] = [null, 0];
  for (const entry of counts) if (entry[1] > best[1] || (entry[1] === best[1] && entry[0] === true)) best = entry;
  return best[0];
}

/** The deviation of a sample; null for a single value. The mean is Welford's running one. */
function stddev(points: readonly StoredPoint[]): Cell {
  if (points.length < 2) return null;
  let mean = 0;
  let count = 0;
  for (const { value } of points) {
    count += 1;
    mean += (Number(value) - mean) / count;
  }
  let variance = 0;
  for (const { value } of points) variance += (Number(value) - mean) ** 2;
  return Math.sqrt(variance / (count - 1));
}

/** The point at a percentile by the nearest rank; undefined below the first rank. */
export function selectPercentile(points: readonly StoredPoint[], percentile: number): StoredPoint | undefined {
  const rank = Math.floor((points.length * percentile) / 100 + 0.5) - 1;
  return rank < 0 ? undefined : sortedByValue(points)[Math.min(rank, points.length - 1)];
}

/**
 * The `count` points with the greatest (or smallest) values, ascending by time: among equal values the earliest. With
 * `distinctBy`, only the best point of each set of these other values counts.
 */
export function selectExtremes(
  points: readonly StoredPoint[],
  { isTop, count, distinctBy }: { readonly isTop: boolean; readonly count: number; readonly distinctBy: number }
): StoredPoint[] {
  const direction = isTop ? -1 : 1;
  const ranked = [...points].sort((a, b) => direction * compareCells(a.value, b.value));
  const chosen = distinctBy === 0 ? ranked : firstOfEach(ranked, distinctBy);
  return chosen.slice(0, count).sort((a, b) => (a.timeNs < b.timeNs ? -1 : Number(a.timeNs > b.timeNs)));
}

function firstOfEach(points: readonly StoredPoint[], distinctBy: number): StoredPoint[] {
  const seen = new Set<string>();
  return points.filter(({ others }) => {
    const key = JSON.stringify(others.slice(0, distinctBy).map(String));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
