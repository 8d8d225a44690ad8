import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../numbers/time-units.js';

const UNITS = [
  { name: 'd', sizeMs: DAY_MS },
  { name: 'h', sizeMs: HOUR_MS },
  { name: 'm', sizeMs: MINUTE_MS },
  { name: 's', sizeMs: SECOND_MS },
] as const;

/** How long something took, in its two largest units and no finer than seconds: `345ms`, `12s`, `2h 5m`, `3d`. */
export function formatDuration(durationMs: number): string {
  if (Math.abs(durationMs) >= SECOND_MS) {
    return formatFineDuration(Math.round(durationMs / SECOND_MS) * SECOND_MS);
  }
  return Math.round(durationMs) === 0 ? '0s' : formatFineDuration(durationMs);
}

/** With parts of a second, for places on an axis: `12.5s`, `1h 5m`, `0`. `unitCount`: of how many units, at most. */
export function formatFineDuration(durationMs: number, unitCount = 2): string {
  if (durationMs < 0) return `-${formatFineDuration(-durationMs, unitCount)}`;
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
    const labels = durationsMs.map((each) => (each === null ? '' : formatFineDuration(each, unitCount)));
    const written = labels.filter((label) => label !== '');
    if (unitCount >= UNITS.length || new Set(written).size === written.length) return labels;
  }
}

/** An estimate, no finer than it can be known: in the largest unit of which it has ten or more. */
export function formatEstimate(durationMs: number): string {
  const unitMs = UNITS.find(({ sizeMs }) => durationMs >= 10 * sizeMs)?.sizeMs ?? SECOND_MS;
  return formatDuration(Math.max(1, Math.round(durationMs / unitMs)) * unitMs);
}

/** As one gives it to Slurm's `--time`: `1:00:00`, `2-00:00:00`. */
export function formatSlurmTime(durationMs: number): string {
  const seconds = Math.round(durationMs / SECOND_MS);
  const two = (count: number): string => String(count).padStart(2, '0');
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const clock = `${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
  return days === 0 ? `${hours}:${clock}` : `${days}-${two(hours)}:${clock}`;
}
