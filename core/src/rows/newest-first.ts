/** Anything that has an exact time. */
export interface Timed {
  readonly timeNs: bigint;
}

/** Compares by time, newest first. */
export function compareNewestFirst(a: Timed, b: Timed): number {
  return compareTimes(b.timeNs, a.timeNs);
}

/** Compares by time, oldest first. */
export function compareOldestFirst(a: Timed, b: Timed): number {
  return compareTimes(a.timeNs, b.timeNs);
}

function compareTimes(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A copy, newest first; entries of the same time keep their order. */
export function sortNewestFirst<T extends Timed>(items: readonly T[]): T[] {
  return items.toSorted(compareNewestFirst);
}

/** Whether the times fall. False if there are fewer than two different ones. */
export function isDescending(items: readonly Timed[]): boolean {
  const first = items[0];
  const last = items.at(-1);
  return first !== undefined && last !== undefined && first.timeNs > last.timeNs;
}
