/**
 * The first `count` items in an order, sorted: as many comparisons as there are items, mostly, since a person sees one
 * page of a long list. `compare` tells any two items apart, or they come in any order.
 */
export function takeFirst<T>(items: Iterable<T>, count: number, compare: (a: T, b: T) => number): T[] {
  const first: T[] = [];
  let last: T | undefined;
  for (const item of items) {
    if (last !== undefined && compare(item, last) >= 0) continue;
    first.push(item);
    if (first.length < 2 * count) continue;
    first.sort(compare).length = count;
    last = first.at(-1);
  }
  return first.sort(compare).slice(0, count);
}
