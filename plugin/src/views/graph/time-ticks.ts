const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

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

const UNITS = [
  { name: 'd', sizeMs: DAY_MS },
  { name: 'h', sizeMs: HOUR_MS },
  { name: 'm', sizeMs: MINUTE_MS },
  { name: 's', sizeMs: SECOND_MS },
] as const;

/** A duration with its two largest units, such as `1h 5m`, `3d 4h`, `12.5s` or `0`; `unitCount` asks for others. */
export function formatDuration(durationMs: number, unitCount = 2): string {
  if (durationMs < 0) return `-${formatDuration(-durationMs, unitCount)}`;
  const rounded = Math.round(durationMs);
  if (rounded === 0) return '0';
  if (rounded < SECOND_MS) return `${rounded}ms`;
  const first = UNITS.findIndex(({ sizeMs }) => rounded >= sizeMs);
  let restMs = rounded;
  const parts = UNITS.slice(first, first + unitCount).map(({ name, sizeMs }) => {
    // What is less than a second is written behind a point, where no larger unit says enough.
    const isLast = sizeMs === SECOND_MS && (first === UNITS.length - 1 || unitCount >= UNITS.length);
    const count = isLast ? restMs / SECOND_MS : Math.floor(restMs / sizeMs);
    restMs %= sizeMs;
    return count === 0 ? '' : `${count}${name}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}

/** Durations with as many units as tell them apart. */
export function labelDurations(durationsMs: readonly (number | null)[]): string[] {
  for (let unitCount = 2; ; unitCount++) {
    const labels = durationsMs.map((durationMs) => (durationMs === null ? '' : formatDuration(durationMs, unitCount)));
    const written = labels.filter((label) => label !== '');
    if (unitCount >= UNITS.length || new Set(written).size === written.length) return labels;
  }
}
