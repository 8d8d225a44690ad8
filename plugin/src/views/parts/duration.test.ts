import { formatDuration } from './duration.js';

it.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [1000, '1 s'],
  [59_700, '1 min'],
  [60_000, '1 min'],
  [92_000, '1 min 32 s'],
  [3_600_000, '1 h'],
  [7_505_000, '2 h 5 min'],
  [180_000_000, '2 d 2 h'],
])('writes %p ms as %p', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
