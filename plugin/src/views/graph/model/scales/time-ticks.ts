import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@joblens/core/numbers/time-units';

/**
 * The moment.js format for the ticks of a time axis: the shortest that tells neighbours apart, with the day when the
 * axis spans several.
 */
export function chooseTimeFormat(stepMs: number, rangeMs: number): string {
  if (stepMs >= 365 * DAY_MS) return 'YYYY';
  if (stepMs >= 28 * DAY_MS) return 'YYYY-MM';
  if (stepMs >= DAY_MS) return 'MM-DD';
  if (rangeMs > DAY_MS) return 'MM-DD HH:mm';
  if (stepMs >= MINUTE_MS) return 'HH:mm';
  return stepMs >= SECOND_MS ? 'HH:mm:ss' : 'HH:mm:ss.SSS';
}

const SIXTIETHS = [1, 2, 5, 10, 15, 30];

/** The steps between ticks of an axis of durations: those that people count time in. */
export const DURATION_STEPS_MS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...SIXTIETHS.map((count) => count * SECOND_MS),
  ...SIXTIETHS.map((count) => count * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR_MS),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].map((count) => count * DAY_MS),
];
