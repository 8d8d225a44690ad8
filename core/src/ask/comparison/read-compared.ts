import { formatJobKey } from '../heartbeats/find-jobs.js';
import { type JobRecord, jobValuesQuery, readTablesByJob } from '../jobs/jobs.js';
import type { Reading } from '../reading/reading.js';
import type { ComparedJob } from './compare-jobs.js';

/** The number of jobs whose tables are asked for at once. */
const JOBS_AT_ONCE = 500;

/** The same jobs, in the same order, with the summaries of their tables: numbers come from these, not from rows. */
export function* readCompared(records: readonly JobRecord[]): Reading<readonly ComparedJob[]> {
  const compared: ComparedJob[] = [];
  for (let at = 0; at < records.length; at += JOBS_AT_ONCE) {
    const some = records.slice(at, at + JOBS_AT_ONCE);
    const [result] = yield [jobValuesQuery(some)];
    const tables = readTablesByJob(result);
    compared.push(...some.map((record) => ({ record, tables: tables.get(formatJobKey(record)) ?? [] })));
  }
  return compared;
}
