const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** The two largest units: `2 h 5 min`, `12 s`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  let rest = Math.round(durationMs / 1000) * 1000;
  const first = UNITS.findIndex(([, ms]) => rest >= ms);
  const parts: string[] = [];
  for (const [unit, ms] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / ms);
    rest -= count * ms;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(' ');
}

/** An estimate, no finer than it can be known: in the largest unit of which it has ten or more. */
export function formatEstimate(durationMs: number): string {
  const unitMs = UNITS.find(([, ms]) => durationMs >= 10 * ms)?.[1] ?? 1000;
  return formatDuration(Math.max(1, Math.round(durationMs / unitMs)) * unitMs);
}
