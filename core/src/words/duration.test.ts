import { formatDuration, formatEstimate, formatFineDuration, formatSlurmTime, labelDurations } from './duration.js';

it.each([
  [0, '0s'],
  [0.4, '0s'],
  [-90_000, '-1m 30s'],
  [12_500, '13s'],
  [999.4, '999ms'],
  [1000, '1s'],
  [59_700, '1m'],
  [60_000, '1m'],
  [92_000, '1m 32s'],
  [3_600_000, '1h'],
  [7_505_000, '2h 5m'],
  [180_000_000, '2d 2h'],
])('writes %p ms as %p', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

const MINUTE_S = 60;
const HOUR_S = 3600;

it.each([
  [0.2, '1s'],
  [45.4, '45s'],
  [5 * MINUTE_S + 20, '5m 20s'],
  [59 * MINUTE_S + 2, '59m'],
  [59 * MINUTE_S + 40, '1h'],
  [3 * HOUR_S + 7 * MINUTE_S + 12, '3h 7m'],
  [26.4 * HOUR_S, '1d 2h'],
  [12.3 * 24 * HOUR_S, '12d'],
])('gives an estimate of %d s as %s', (seconds, expected) => {
  expect(formatEstimate(1000 * seconds)).toBe(expected);
});

it.each([
  [0, '0'],
  [250, '250ms'],
  [12_500, '12.5s'],
  [60_000, '1m'],
  [90_000, '1m 30s'],
  [3_600_000, '1h'],
  [3_900_000, '1h 5m'],
  [3_601_000, '1h'],
  [26 * 3_600_000, '1d 2h'],
  [-90_000, '-1m 30s'],
])('writes a duration of %p ms as %s', (durationMs, text) => {
  expect(formatFineDuration(durationMs)).toBe(text);
});

it.each([
  [
    [3_600_000, 3_601_000, 3_602_000],
    ['1h', '1h 1s', '1h 2s'],
  ],
  [
    [3_600_500, 3_600_600],
    ['1h 0.5s', '1h 0.6s'],
  ],
  [
    [90_000, 90_500],
    ['1m 30s', '1m 30.5s'],
  ],
  [
    [0, 3_600_000, 90 * 60_000],
    ['0', '1h', '1h 30m'],
  ],
])('tells durations of %j ms apart', (durationsMs, labels) => {
  expect(labelDurations(durationsMs)).toEqual(labels);
});

it.each([
  [60_000, '0:01:00'],
  [3_600_000, '1:00:00'],
  [2 * 86_400_000 + 90_000, '2-00:01:30'],
])('writes %d ms as Slurm takes them: %s', (ms, text) => {
  expect(formatSlurmTime(ms)).toBe(text);
});
