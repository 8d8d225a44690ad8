/** `2026-11-23 05:06:07` in the time zone of this process. */
export function formatLocalTime(timeMs: number): string {
  const date = new Date(timeMs);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

const STEPS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** A length of time, rounded to seconds, in two units at most: `45s`, `3m12s`, `2h5m`; '' when it is not known. */
export function formatSpan(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  const whole = Math.round(seconds);
  const first = Math.max(
    0,
    STEPS.findIndex(([, length]) => whole >= length)
  );
  if (whole < 1) return `${whole}s`;
  const parts = STEPS.slice(first, first + 2).map(([unit, length], i) => {
    const before = i === 0 ? whole : whole % (STEPS[first]?.[1] ?? 1);
    return [unit, Math.floor(before / length)] as const;
  });
  return parts.map(([unit, count], i) => (i > 0 && count === 0 ? '' : `${count}${unit}`)).join('');
}
