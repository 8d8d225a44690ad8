import { formatJobKey } from '../heartbeats/find-jobs.js';
import { type JobRecord, jobValuesQuery, readTablesByJob } from '../jobs/jobs.js';
import type { Reading } from '../reading/reading.js';
import type { ComparedJob } from './compare-jobs.js';

/**
 * The number of jobs that one statement names, and that are asked for at once. InfluxDB compares each job with each
 * name, so that more names take it twice as long. An answer must not get too long.
 */
const [JOBS_OF_STATEMENT, JOBS_AT_ONCE] = [100, 5000];

/** The same jobs, in the same order, with the summaries of their tables: numbers come from these, not from rows. */
export function* readCompared(records: readonly JobRecord[]): Reading<readonly ComparedJob[]> {
  const compared: ComparedJob[] = [];
  for (const some of splitEach(records, JOBS_AT_ONCE)) {
    const parts = splitEach(some, JOBS_OF_STATEMENT);
    const results = yield parts.map(jobValuesQuery);
    for (const [at, part] of parts.entries()) {
      const tables = readTablesByJob(results[at]);
      compared.push(...part.map((record) => ({ record, tables: tables.get(formatJobKey(record)) ?? [] })));
    }
  }
  return compared;
}

function splitEach<T>(items: readonly T[], size: number): ReadonlyArray<readonly T[]> {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
