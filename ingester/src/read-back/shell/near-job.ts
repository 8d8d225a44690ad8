import { findNearest, suggestNearest } from '@joblens/core/console/find-nearest';
import { toVisibleText } from '@joblens/core/console/terminal-text';
import { jobOwnersQuery, readJobOwners } from '@joblens/core/ask/jobs/job-owners';
import { findJobs } from '@joblens/core/ask/jobs/list-jobs';
import { NS_PER_MS, WEEK_NS } from '@joblens/core/numbers/time-units';
import type { AskStore } from './ask-store.js';
import { type Failure, formatFailure } from './failure.js';
import { quoteWord } from './quote-word.js';
import type { Reading } from './reading.js';
import { runReading } from './run-reading.js';

/** The most jobs among which a name that was meant is looked for, newest first. */
const MOST_JOBS = 2000;

export interface JobRange {
  readonly fromNs: bigint;
  readonly toNs: bigint;
  readonly isOpen: boolean;
}

/** The job of the last 7 days that somebody most likely meant; undefined if none is near. */
export async function findNearJob({ ask, host }: Reading, unknown: string): Promise<string | undefined> {
  const toNs = BigInt(host.clock.nowMs()) * NS_PER_MS;
  return findNearest(unknown, await listNewestNames(ask, { fromNs: toNs - WEEK_NS, toNs, isOpen: true }, 'job'));
}

/** The ids, or the users, of the newest jobs of a range; none where the store does not say. */
export async function listNewestNames(ask: AskStore, range: JobRange, key: 'job' | 'user'): Promise<readonly string[]> {
  const found = await runReading(ask, findJobs({ ...range, user: [] }, MOST_JOBS));
  return found.ok ? [...new Set(found.value.map((job) => job[key]))] : [];
}

/** One line for the user; of a job that is not there, with the users who have one, or the job that may be meant. */
export async function explainFailure(reading: Reading, failure: Failure): Promise<string> {
  if (typeof failure === 'string') return failure;
  const { job } = failure;
  const owners = await findOwners(reading, job);
  if (owners.length > 0) {
    const [meant, ...others] = owners;
    const advice = others.length > 0 ? '; give --user NAME' : `; did you mean --user ${quoteWord(meant ?? '')}?`;
    return `no job ${job} of that user is stored there, but one of ${owners.map(toVisibleText).join(', ')}${advice}`;
  }
  const near = await findNearJob(reading, job);
  const isHelp = near !== undefined && near !== job;
  return formatFailure(failure) + (isHelp ? suggestNearest(job, [near]) : '');
}

/** The users who have a job of this very id, which another one was said to have. */
async function findOwners({ ask }: Reading, job: string): Promise<readonly string[]> {
  const found = await ask([jobOwnersQuery(job)]);
  return found.ok ? readJobOwners(found.value[0]).filter((user) => user !== '') : [];
}
