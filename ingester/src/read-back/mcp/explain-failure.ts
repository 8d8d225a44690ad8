import type { Failure } from '../shell/failure.js';
import { findNearJob } from '../shell/near-job.js';
import type { Reading } from '../shell/reading.js';

/** A failure of a command, for an agent: of a job that is not there, with the id that may be meant. */
export async function explainFailureToAgent(reading: Reading, failure: Failure): Promise<string> {
  if (typeof failure === 'string') return failure.replace(/--user/g, 'user');
  const nearest = await findNearJob(reading, failure.job);
  const meant = nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
  return `There is no job ${JSON.stringify(failure.job)}.${meant} find_jobs with "after": "7d" lists those of a week.`;
}
