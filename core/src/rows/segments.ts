/**
 * The positions at which X falls back, where a new segment of the line starts. A value that is not a finite number
 * neither breaks the line nor counts as the value before. X that only repeats stays in its segment.
 */
export function segmentByX(xs: ReadonlyArray<number | null | undefined>): number[] {
  const breaks: number[] = [];
  let before = -Infinity;
  xs.forEach((x, at) => {
    if (x === null || x === undefined || !Number.isFinite(x)) return;
    if (x < before) breaks.push(at);
    before = x;
  });
  return breaks;
}
