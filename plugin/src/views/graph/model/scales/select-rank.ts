/**
 * The value that would be at this index if the numbers were sorted; NaN where there is none. It moves them, but does
 * not sort them all: Hoare's quickselect, which takes a time in proportion to their count.
 */
export function selectRank(values: Float64Array, rank: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const pivot = values[(low + high) >> 1] ?? NaN;
    let [left, right] = [low, high];
    while (left <= right) {
      while ((values[left] ?? pivot) < pivot) left += 1;
      while ((values[right] ?? pivot) > pivot) right -= 1;
      if (left > right) break;
      const moved = values[left] ?? NaN;
      values[left] = values[right] ?? NaN;
      values[right] = moved;
      left += 1;
      right -= 1;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else break;
  }
  return values[rank] ?? NaN;
}
