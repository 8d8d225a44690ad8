import type { PointStat } from '../../frames/frame-meta.js';

/**
 * Where to draw the rows of a folded frame: the lowest and the highest number of a bucket in the middle between its
 * first and its last X, so that X never turns back in a bucket. An aggregate, which has neither, is in the middle of
 * its X values.
 */
export function placeFolded(xs: readonly unknown[], stats: readonly PointStat[]): readonly unknown[] {
  return xs.map((x, row) => {
    const stat = stats[row];
    if (stat !== 'min' && stat !== 'max') return x;
    const min = stat === 'min' ? row : row - 1;
    return stats[min - 1] === 'first' ? findMiddle(xs[min - 1], xs[min + 2]) : findMiddle(xs[min], xs[min + 1]);
  });
}

function findMiddle(a: unknown, b: unknown): number | undefined {
  return typeof a === 'number' && typeof b === 'number' ? (a + b) / 2 : undefined;
}
