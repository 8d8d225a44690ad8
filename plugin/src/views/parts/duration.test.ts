import { formatDuration, formatEstimate } from './duration.js';

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

const MINUTE_S = 60;
const HOUR_S = 3600;

it.each([
  [0.2, '1 s'],
  [45.4, '45 s'],
  [5 * MINUTE_S + 20, '5 min 20 s'],
  [59 * MINUTE_S + 2, '59 min'],
  [59 * MINUTE_S + 40, '1 h'],
  [3 * HOUR_S + 7 * MINUTE_S + 12, '3 h 7 min'],
  [26.4 * HOUR_S, '1 d 2 h'],
  [12.3 * 24 * HOUR_S, '12 d'],
])('gives an estimate of %d s as %s', (seconds, expected) => {
  expect(formatEstimate(1000 * seconds)).toBe(expected);
});
