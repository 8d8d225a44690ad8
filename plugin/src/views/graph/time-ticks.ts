const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

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
