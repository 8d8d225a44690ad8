/**
 * Tells where X turns back, so that a line needs a new segment: as when a run was restarted. X turns back where it
 * falls, but on a line whose X falls more often than it rises (a countdown) where it rises. X that only repeats stays
 * in its segment.
 * @param xs finite numbers in the order printed
 * @returns whether a new segment starts at this index
 */
export function findTurns(xs: readonly number[]): (index: number) => boolean {
  let [rises, falls] = [0, 0];
  xs.forEach((x, index) => {
    const before = xs[index - 1] ?? x;
    if (x > before) rises += 1;
    if (x < before) falls += 1;
  });
  const forward = falls > rises ? -1 : 1;
  return (index) => forward * ((xs[index] ?? 0) - (xs[index - 1] ?? xs[index] ?? 0)) < 0;
}
