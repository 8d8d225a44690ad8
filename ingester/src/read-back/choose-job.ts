import type { JobRecord, Result } from '@joblens/core';
import { err, ok } from '@joblens/core';
import type { AskStore } from './ask-store.js';
import { readNamedJobs } from './find-jobs.js';

/** The job that a user names. The error is one line: there is none, or several users have one. */
export async function readJob(
  ask: AskStore,
  job: string,
  user: string | undefined
): Promise<Result<JobRecord, string>> {
  const found = await readNamedJobs(ask, { job, user });
  return found.ok ? chooseJob(found.value, job) : found;
}

/** The only job of these. The error says how to name one. */
export function chooseJob(found: readonly JobRecord[], job: string): Result<JobRecord, string> {
  const [record] = found;
  if (record === undefined) return err(formatUnknownJob(job));
  if (found.length === 1) return ok(record);
  return err(`${found.map(({ user }) => user).join(', ')} each have a job ${job}; give --user NAME`);
}

export function formatUnknownJob(job: string): string {
  return `no job ${job} is stored there; joblens jobs --after 7d lists those of a week`;
}
