import { formatNumber } from '../../numbers/format-number.js';
import { formatBytes } from '../../words/bytes.js';
import { formatDuration, formatFineDuration } from '../../words/duration.js';
import type { JobRecord } from '../jobs/jobs.js';
import type { ComparedFact } from './compare-jobs.js';

/** The value of one job for people, with as many digits as tell it from those of the others. */
export function formatFact({ kind, name, values }: Pick<ComparedFact, 'kind' | 'name' | 'values'>, at: number): string {
  const value = values[at];
  if (typeof value !== 'number') return value ?? '';
  if (kind !== 'result' && name.endsWith('_s')) return formatSeconds(value, values);
  if (kind !== 'result' && name.endsWith('_bytes')) return formatBytes(value);
  return formatNumber(value, findStep(values, value));
}

/** As in all lists of jobs; with parts of a second where nothing else tells the jobs apart. */
function formatSeconds(value: number, values: ReadonlyArray<number | string | undefined>): string {
  const others = new Set(values.filter((other) => typeof other === 'number'));
  const isTold = others.size < 2 || new Set([...others].map((other) => formatDuration(1000 * other))).size > 1;
  return isTold ? formatDuration(1000 * value) : formatFineDuration(1000 * value);
}

/** The distance to the nearest other number. */
export function findStep(values: ReadonlyArray<number | string | undefined>, value: number): number {
  const distances = values.map((other) => (typeof other === 'number' ? Math.abs(other - value) : 0));
  return Math.min(...distances.filter((distance) => distance > 0));
}

/** Ids, with their users where several of them have one job of this id. */
export function nameJobs(jobs: ReadonlyArray<Pick<JobRecord, 'job' | 'user'>>): readonly string[] {
  const counts = new Map<string, number>();
  for (const { job } of jobs) counts.set(job, (counts.get(job) ?? 0) + 1);
  return jobs.map(({ job, user }) => ((counts.get(job) ?? 0) > 1 ? `${job} (${user})` : job));
}
