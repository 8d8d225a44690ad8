import type { ComparedFact } from '@joblens/core/ask/comparison/compare-jobs';
import { formatNumber } from '@joblens/core/numbers/format-number';
import { formatBytes } from '@joblens/core/words/bytes';
import { formatFineDuration } from '@joblens/core/words/duration';

/** The value of one job for people, with as many digits as tell it from those of the others. */
export function formatFact({ kind, name, values }: ComparedFact, at: number): string {
  const value = values[at];
  if (typeof value !== 'number') return value ?? '';
  if (kind !== 'result' && name.endsWith('_s')) return formatFineDuration(1000 * value);
  if (kind !== 'result' && name.endsWith('_bytes')) return formatBytes(value);
  return formatNumber(value, findStep(values, value));
}

/** The distance to the nearest other number. */
export function findStep(values: ReadonlyArray<number | string | undefined>, value: number): number {
  const distances = values.map((other) => (typeof other === 'number' ? Math.abs(other - value) : 0));
  return Math.min(...distances.filter((distance) => distance > 0));
}
