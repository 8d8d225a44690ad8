import type { GraphLine } from './graphs.js';
import { findTimeOfX, findXOfTime } from './x-times.js';

it('goes from X to time and back, to the newest row of a repeated X', () => {
  const line = { name: 'a', xs: [1, 2, 1], ys: [1, 1, 1], timesMs: [10, 20, 30] } as unknown as GraphLine;
  expect(findTimeOfX([line], 1)).toBe(30);
  expect(findTimeOfX([line], 9)).toBeUndefined();
  expect([5, 20, 25, 99].map((timeMs) => findXOfTime([line], timeMs))).toEqual([1, 2, 2, 1]);
});
