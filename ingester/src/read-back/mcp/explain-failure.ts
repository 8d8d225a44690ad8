import { findNearest } from '@joblens/core/console/find-nearest';
import { findJobs } from '@joblens/core/ask/jobs/list-jobs';
import { formatUnknownJob } from '../shell/choose-job.js';
import type { Reading } from '../shell/reading.js';
import { runReading } from '../shell/run-reading.js';

const WEEK_NS = 7n * 86_400_000_000_000n;
/** Jobs among which the one that was meant is looked for. */
const MOST_JOBS = 2000;

/** A failure of a command, for an agent: of a job that is not there, with the id that may be meant. */
export async function explainFailure(reading: Reading, failure: string, jobs: readonly string[]): Promise<string> {
  const unknown = jobs.find((job) => failure === formatUnknownJob(job));
  if (unknown === undefined) return failure.replace(/--user/g, 'user');
  const toNs = BigInt(reading.host.clock.nowMs()) * 1_000_000n;
  const found = await runReading(reading.ask, findJobs({ fromNs: toNs - WEEK_NS, toNs, user: [] }, MOST_JOBS));
  const nearest = found.ok ? findNearest(unknown, [...new Set(found.value.map(({ job }) => job))]) : undefined;
  const meant = nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
  return `There is no job ${JSON.stringify(unknown)}.${meant} find_jobs with "after": "7d" lists those of a week.`;
}
