import type { ScaledLine } from './scale.js';

/** uPlot's own form: the distinct X values, ascending, then each line's newest value at each X, or null. */
export type AlignedData = [xs: number[], ...ys: (number | null)[][]];

const risingXs = new WeakMap<readonly number[], boolean>();

/** Whether each X is above the one before. Computed once for each array. */
function isRising(xs: readonly number[]): boolean {
  const known = risingXs.get(xs);
  if (known !== undefined) return known;
  const found = xs.every((x, index) => index === 0 || x > (xs[index - 1] ?? x));
  risingXs.set(xs, found);
  return found;
}

function listFinite(ys: readonly number[]): (number | null)[] {
  const found: (number | null)[] = ys.slice();
  for (let at = 0; at < found.length; at++) if (!Number.isFinite(found[at])) found[at] = null;
  return found;
}

/**
 * The lines by X, for the cursor, which may be at more X values. Lines that share their X array (columns of one table)
 * share the work.
 */
export function alignLines(lines: readonly ScaledLine[], moreXs: readonly number[] = []): AlignedData {
  const seen = new Set(lines.map(({ xs }) => xs));
  const [only] = seen;
  if (only !== undefined && seen.size === 1 && moreXs.length === 0 && isRising(only)) {
    return [only.slice(), ...lines.map(({ ys }) => listFinite(ys))];
  }
  const distinct = new Set(moreXs);
  for (const xs of seen) for (const x of xs) distinct.add(x);
  const aligned = [...distinct].sort((a, b) => a - b);
  const indexOf = new Map(aligned.map((x, index) => [x, index]));
  const columns = lines.map(({ xs, ys }) => {
    const column = new Array<number | null>(aligned.length).fill(null);
    xs.forEach((x, point) => {
      const y = ys[point];
      const index = indexOf.get(x);
      if (index !== undefined && y !== undefined && Number.isFinite(y)) column[index] = y;
    });
    return column;
  });
  return [aligned, ...columns];
}
