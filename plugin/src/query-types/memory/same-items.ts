/** Items of a list that another one before has too, as the same objects, one behind the other. */
export interface SameItems {
  /** The number of earlier items that are not in the list any more: they were at its beginning. */
  readonly dropped: number;
  /** The number of items at the beginning of the list that are the same. */
  readonly count: number;
}

/** Compares two lists in the order of time: rows come at the end, and leave at the beginning as the range moves. */
export function findSameItems(items: readonly object[], before: readonly object[]): SameItems {
  const [first] = items;
  const dropped = first === undefined ? -1 : before.indexOf(first);
  if (dropped === -1) return { dropped: before.length, count: 0 };
  let count = 1;
  while (count < items.length && items[count] === before[dropped + count]) count += 1;
  return { dropped, count };
}
