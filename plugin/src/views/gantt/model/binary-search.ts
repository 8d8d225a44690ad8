/** The first of `count` places at which a condition holds that holds at all places behind it too; `count` for none. */
export function binarySearch(count: number, holds: (at: number) => boolean, from = 0): number {
  let [low, high] = [from, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
