import { formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import type { InfluxdbClient } from '../../store/influxdb-client.js';

const MAX_REMEMBERED = 5000;
const remembered = new WeakMap<InfluxdbClient, Map<string, JobRecord['values']>>();

/** Keeps the last values of a complete list. */
export function rememberValues(jobs: readonly JobRecord[], client: InfluxdbClient): void {
  const memory = remembered.get(client) ?? new Map<string, JobRecord['values']>();
  if (memory.size + jobs.length > MAX_REMEMBERED) memory.clear();
  for (const job of jobs) memory.set(formatJobKey(job), job.values);
  remembered.set(client, memory);
}

/** An early list with the values that were shown before, so that a refresh does not blank them until new ones come. */
export function recallValues(jobs: readonly JobRecord[], client: InfluxdbClient): JobRecord[] {
  const memory = remembered.get(client);
  return jobs.map((job) => ({ ...job, values: memory?.get(formatJobKey(job)) ?? job.values }));
}
