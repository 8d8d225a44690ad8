import type { ScaledLine } from './scale.js';

/** uPlot's own form: the distinct X values, ascending, then each line's newest value at each X, or null. */
export type AlignedData = [xs: number[], ...ys: (number | null)[][]];

/** The lines by X, for the cursor. Lines that share their X array (columns of one table) share the work. */
export function alignLines(lines: readonly ScaledLine[]): AlignedData {
  const distinct = new Set<number>();
  const seen = new Set<readonly number[]>();
  for (const { xs } of lines) {
    if (seen.has(xs)) continue;
    seen.add(xs);
    for (const x of xs) distinct.add(x);
  }
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
