import { selectRank } from './select-rank.js';

/**
 * The viewer's choice. `share` draws each line from its own lowest value (0) to its own highest (1), to compare
 * shapes.
 */
export type YScaleChoice = 'auto' | 'linear' | 'log' | 'share';

/**
 * The scale that is drawn. `symlog` is logarithmic, but linear within `threshold` of zero, so that it can show zero
 * or less.
 */
export type YScale =
  | { readonly kind: 'linear' }
  | { readonly kind: 'log' }
  | { readonly kind: 'share' }
  | { readonly kind: 'symlog'; readonly threshold: number };

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
  const decade = Math.floor(Math.log10(Math.max(smallest, largest * 10 ** -MAX_DECADES)));
  return { kind: 'symlog', threshold: Number(`1e${decade}`) };
}

/**
 * The scale for the visible lines. `auto` is linear, unless the lines differ so much in size that some would lie flat
 * at the bottom, or one of them, all positive, lies there for the most part.
 */
export function resolveYScale(choice: YScaleChoice, visible: readonly (readonly number[])[]): YScale {
  if (choice === 'share' || choice === 'linear') return { kind: choice };
  if (choice === 'log' || hasWidelyDifferentSizes(visible)) return createLogScale(visible);
  const isPositive = visible.every((ys) => !ys.some((y) => y <= 0));
  return isPositive && visible.some(isMostlyOnFloor) ? { kind: 'log' } : { kind: 'linear' };
}

/** A line's values on the Y axis. A share is that of the extent of `whole`. */
export function scaleValues(ys: readonly number[], scale: YScale, whole = ys): readonly number[] {
  if (scale.kind !== 'share') return ys;
  const extent = findExtent(whole);
  if (extent === undefined) return ys;
  const span = extent.max - extent.min;
  return ys.map((y) => (span === 0 ? (Number.isFinite(y) ? 0.5 : NaN) : y / span - extent.min / span));
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

/** An extent with a length, so that a single point is drawn in the middle of its graph. */
export function widenExtent({ min, max }: Extent): Extent {
  if (min < max) return { min, max };
  const half = min === 0 ? 1 : Math.abs(min) * 0.1;
  return { min: min - half, max: max + half };
}

/** A little room on either side, for the dots at the ends. */
export function padExtent({ min, max }: Extent): Extent {
  const room = (max - min) * 0.01;
  return { min: min - room, max: max + room };
}
