import { findShare } from '@joblens/core/numbers/find-share';
import { selectRank } from './select-rank.js';

/**
 * The viewer's choice. `share` draws each line from its own lowest value (0) to its own highest (1), to compare
 * shapes.
 */
export type YScaleChoice = 'auto' | 'linear' | 'log' | 'share';

/**
 * The scale that is drawn. `symlog` is logarithmic, but linear within `threshold` of zero, so that it can show zero
 * or less. Values are drawn in this `unit`, 1 by default, so that the length of the axis is a number.
 */
export type YScale =
  | { readonly kind: 'linear'; readonly unit?: number }
  | { readonly kind: 'log' }
  | { readonly kind: 'share' }
  | { readonly kind: 'symlog'; readonly threshold: number; readonly unit?: number };

export interface Extent {
  readonly min: number;
  readonly max: number;
}

/** Lowest and highest finite value, of the points within `within` when given; `undefined` when there is none. */
export function findExtent(
  values: readonly number[],
  isCounted: (index: number) => boolean = () => true
): Extent | undefined {
  let min = Infinity;
  let max = -Infinity;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? NaN;
    if (!Number.isFinite(value) || !isCounted(index)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? { min, max } : undefined;
}

/** Lines whose typical sizes lie further apart than this cannot be read on one linear scale. */
const WIDE_RATIO = 1000;
/** A value below this share of the largest one cannot be read on a linear scale. */
const FLOOR_SHARE = 0.03;
/** Decades that a logarithmic scale through zero shows at most. */
const MAX_DECADES = 12;

const typicalSizes = new WeakMap<readonly number[], number>();

/** The median of a line's sizes without zeros; NaN when there is none. Computed once for each line. */
function findTypicalSize(ys: readonly number[]): number {
  const known = typicalSizes.get(ys);
  if (known !== undefined) return known;
  const sizes = new Float64Array(ys.length);
  let count = 0;
  for (const y of ys) {
    const size = Math.abs(y);
    if (size > 0 && size < Infinity) sizes[count++] = size;
  }
  const typical = selectRank(sizes.subarray(0, count), count >> 1);
  typicalSizes.set(ys, typical);
  return typical;
}

/** Whether lines are so far apart in size that one linear scale cannot show them. */
export function hasWidelyDifferentSizes(lines: readonly (readonly number[])[]): boolean {
  const sizes = lines.map(findTypicalSize).filter((size) => !Number.isNaN(size));
  return Math.max(...sizes) > WIDE_RATIO * Math.min(...sizes);
}

/** Several decades of positive values, most of them on the floor of a linear scale. */
function isMostlyOnFloor(ys: readonly number[]): boolean {
  const extent = findExtent(ys);
  if (extent === undefined || extent.min <= 0 || extent.max < extent.min * WIDE_RATIO) return false;
  return findTypicalSize(ys) < extent.max * FLOOR_SHARE;
}

/** The distance of larger values may be beyond all numbers. */
const HUGE = 2 ** 1000;
/** A power of ten, so that ticks stay round. */
const HUGE_UNIT = 1e12;

/** The unit in which a scale draws its values. */
export function readUnit(scale: YScale): number {
  return scale.kind === 'linear' || scale.kind === 'symlog' ? (scale.unit ?? 1) : 1;
}

function withUnit(scale: YScale, lines: readonly (readonly number[])[]): YScale {
  if (scale.kind !== 'linear' && scale.kind !== 'symlog') return scale;
  const isHuge = lines.some((ys) => ys.some((y) => Number.isFinite(y) && Math.abs(y) > HUGE));
  if (!isHuge) return scale;
  if (scale.kind === 'linear') return { kind: 'linear', unit: HUGE_UNIT };
  return { kind: 'symlog', threshold: scale.threshold / HUGE_UNIT, unit: HUGE_UNIT };
}

/** The least power of ten that is no rounded one. */
const MIN_DECADE = -307;

function createLogScale(lines: readonly (readonly number[])[]): YScale {
  if (lines.every((ys) => !ys.some((y) => y <= 0))) return { kind: 'log' };
  let [smallest, largest] = [Infinity, 0];
  for (const y of lines.flat()) {
    const size = Math.abs(y);
    if (!Number.isFinite(size) || size === 0) continue;
    smallest = Math.min(smallest, size);
    largest = Math.max(largest, size);
  }
  if (largest === 0) return { kind: 'linear' };
  const decade = Math.max(MIN_DECADE, Math.floor(Math.log10(Math.max(smallest, largest * 10 ** -MAX_DECADES))));
  return { kind: 'symlog', threshold: Number(`1e${decade}`) };
}

/**
 * The scale for the visible lines. `auto` is linear, unless the lines differ so much in size that some would lie flat
 * at the bottom, or one of them, all positive, lies there for the most part.
 */
export function resolveYScale(choice: YScaleChoice, visible: readonly (readonly number[])[]): YScale {
  return withUnit(resolveKind(choice, visible), visible);
}

function resolveKind(choice: YScaleChoice, visible: readonly (readonly number[])[]): YScale {
  if (choice === 'share' || choice === 'linear') return { kind: choice };
  if (choice === 'log' || hasWidelyDifferentSizes(visible)) return createLogScale(visible);
  const isPositive = visible.every((ys) => !ys.some((y) => y <= 0));
  return isPositive && visible.some(isMostlyOnFloor) ? { kind: 'log' } : { kind: 'linear' };
}

/** A line's values on the Y axis. A share is that of the extent of `whole`. */
export function scaleValues(ys: readonly number[], scale: YScale, whole = ys): readonly number[] {
  const unit = readUnit(scale);
  if (scale.kind !== 'share') return unit === 1 ? ys : ys.map((y) => y / unit);
  const extent = findExtent(whole);
  if (extent === undefined) return ys;
  if (extent.min === extent.max) return ys.map((y) => (Number.isFinite(y) ? 0.5 : NaN));
  return ys.map((y) => findShare(y, extent));
}

export function mergeExtents(extents: readonly (Extent | undefined)[]): Extent | undefined {
  return extents.reduce<Extent | undefined>((all, extent) => {
    if (extent === undefined || all === undefined) return all ?? extent;
    return { min: Math.min(all.min, extent.min), max: Math.max(all.max, extent.max) };
  }, undefined);
}

export interface ScaledLine {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

/** The Y extent of what is drawn between two X values. */
export function findYExtent(lines: readonly ScaledLine[], x: Extent): Extent | undefined {
  return mergeExtents(
    lines.map(({ xs, ys }) =>
      findExtent(ys, (index) => {
        const at = xs[index] ?? NaN;
        return at >= x.min && at <= x.max;
      })
    )
  );
}

export function findXExtent(lines: readonly ScaledLine[]): Extent | undefined {
  return mergeExtents(lines.map((line) => findExtent(line.xs)));
}

/** Values whose distance is less than this share of their size differ by rounding alone. */
const ROUNDING_SHARE = 1e-14;

/** Whole numbers up to here count something, such as nanoseconds: they differ by no rounding. */
const MAX_COUNT = 2 ** 64;

function differsByRounding({ min, max }: Extent, size: number): boolean {
  const isCount = Number.isInteger(min) && Number.isInteger(max) && size <= MAX_COUNT;
  return !isCount && max - min <= size * ROUNDING_SHARE;
}

/** An extent with a length, so that a single point is drawn in the middle of its graph. */
export function widenExtent({ min, max }: Extent): Extent {
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (min < max && !differsByRounding({ min, max }, size)) return { min, max };
  const half = size === 0 ? 1 : Math.max(size * 0.1, Number.MIN_VALUE);
  return limitExtent({ min: min - half, max: max + half });
}

/** Room on either side, for the dots at the ends. */
export function padExtent({ min, max }: Extent, share = 0.01): Extent {
  const room = max * share - min * share;
  return limitExtent({ min: min - room, max: max + room });
}

/** Ends that are numbers and whose distance is one. */
export function limitExtent({ min, max }: Extent): Extent {
  const limit = (most: number): Extent => ({ min: Math.max(-most, min), max: Math.min(most, max) });
  const limited = limit(Number.MAX_VALUE);
  return Number.isFinite(limited.max - limited.min) ? limited : limit(Number.MAX_VALUE / 2);
}
