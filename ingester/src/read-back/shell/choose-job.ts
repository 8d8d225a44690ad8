import type { JobRecord, JobsRequest } from '@joblens/core/ask/jobs/jobs';
import { err, ok, type Result } from '@joblens/core/result/result';
import { readNamedJobs } from '@joblens/core/ask/jobs/list-jobs';
import type { AskStore } from './ask-store.js';
import { createUnknownJob, type Failure } from './failure.js';
import { runReading } from './run-reading.js';

/** The job that a user names. The error says that there is none, or that several users have one. */
export async function readJob(
  ask: AskStore,
  job: string,
  user: string | undefined,
  more: Pick<JobsRequest, 'values' | 'resources' | 'manifest'> = {}
): Promise<Result<JobRecord, Failure>> {
  const found = await runReading(ask, readNamedJobs({ job, user, values: false, ...more }));
  return found.ok ? chooseJob(found.value, job) : found;
}

/** The only job of these. The error says how to name one. */
export function chooseJob(found: readonly JobRecord[], job: string): Result<JobRecord, Failure> {
  const [record] = found;
  if (record === undefined) return err(createUnknownJob(job));
  if (found.length === 1) return ok(record);
  return err(
    formatAmbiguousJob(
      found.map(({ user }) => user),
      job
    )
  );
}

/** Says how to name one of several. */
export function formatAmbiguousJob(users: readonly string[], job: string): string {
  const named = users.filter((user) => user !== '').sort();
  if (named.length === users.length) return `${named.join(', ')} each have a job ${job}; give --user NAME`;
  return `${named.join(', ')} and nobody each have a job ${job}; give --user NAME, or --user '' for that of nobody`;
}
