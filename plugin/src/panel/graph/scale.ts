import type { GraphLine } from '../model/graphs.js';

/** `share`: each line from its own lowest value (0) to its own highest (1), to compare shapes whatever the sizes. */
export type YScale = 'linear' | 'log' | 'share';

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
  values.forEach((value, index) => {
    if (!Number.isFinite(value) || !isCounted(index)) return;
    if (value < min) min = value;
    if (value > max) max = value;
  });
  return min <= max ? { min, max } : undefined;
}

/** A line's values as they stand on the Y axis: NaN for what it cannot show (zero and below on a log scale). */
export function scaleValues(ys: readonly number[], scale: YScale): readonly number[] {
  if (scale === 'linear') return ys;
  if (scale === 'log') return ys.map((y) => (y > 0 ? y : NaN));
  const extent = findExtent(ys);
  if (extent === undefined) return ys;
  const span = extent.max - extent.min;
  return ys.map((y) => (span === 0 ? (Number.isFinite(y) ? 0.5 : NaN) : y / span - extent.min / span));
}

/** How many values a log scale leaves out. */
export function countUnloggable(lines: readonly GraphLine[]): number {
  return lines.reduce((sum, line) => sum + line.ys.filter((y) => y <= 0).length, 0);
}

function mergeExtents(extents: readonly (Extent | undefined)[]): Extent | undefined {
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

/** An extent that has a length, so that one point stands in the middle of its graph. */
export function widenExtent({ min, max }: Extent): Extent {
  if (min < max) return { min, max };
  const half = min === 0 ? 1 : Math.abs(min) * 0.1;
  return { min: min - half, max: max + half };
}
