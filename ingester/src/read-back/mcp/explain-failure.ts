import { findNearJob } from '../shell/near-job.js';
import type { Reading } from '../shell/reading.js';
import { formatUnknownJob } from '../shell/unknown-job.js';

/** A failure of a command, for an agent: of a job that is not there, with the id that may be meant. */
export async function explainFailure(reading: Reading, failure: string, jobs: readonly string[]): Promise<string> {
  const unknown = jobs.find((job) => failure === formatUnknownJob(job));
  if (unknown === undefined) return failure.replace(/--user/g, 'user');
  const nearest = await findNearJob(reading, unknown);
  const meant = nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
  return `There is no job ${JSON.stringify(unknown)}.${meant} find_jobs with "after": "7d" lists those of a week.`;
}
