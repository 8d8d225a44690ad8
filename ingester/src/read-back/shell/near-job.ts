import { findNearest, suggestNearest } from '@joblens/core/console/find-nearest';
import { toVisibleText } from '@joblens/core/console/terminal-text';
import { jobOwnersQuery, readJobOwners } from '@joblens/core/ask/jobs/job-owners';
import { findJobs } from '@joblens/core/ask/jobs/list-jobs';
import { NS_PER_MS, WEEK_NS } from '@joblens/core/numbers/time-units';
import { quoteWord } from './quote-word.js';
import type { Reading } from './reading.js';
import { runReading } from './run-reading.js';
import { formatUnknownJob } from './unknown-job.js';

/** Jobs among which the one that was meant is looked for, newest first. */
const MOST_JOBS = 2000;

/** The job of the last 7 days that somebody most likely meant; undefined if none is near. */
export async function findNearJob({ ask, host }: Reading, unknown: string): Promise<string | undefined> {
  const toNs = BigInt(host.clock.nowMs()) * NS_PER_MS;
  const found = await runReading(ask, findJobs({ fromNs: toNs - WEEK_NS, toNs, isOpen: true, user: [] }, MOST_JOBS));
  return found.ok ? findNearest(unknown, [...new Set(found.value.map(({ job }) => job))]) : undefined;
}

/** Adds to a failure because of a job that is not there which of the named ones it is, and which may be meant. */
export async function explainUnknownJob(reading: Reading, failure: string, named: readonly string[]): Promise<string> {
  const unknown = named.find((job) => failure.endsWith(formatUnknownJob(job)));
  if (unknown === undefined) return failure;
  const owners = await findOwners(reading, unknown);
  if (owners.length > 0) {
    const told = `no job ${unknown} of that user is stored there, but one of ${owners.map(toVisibleText).join(', ')}`;
    const [meant, ...others] = owners;
    const advice = others.length > 0 ? '; give --user NAME' : `; did you mean --user ${quoteWord(meant ?? '')}?`;
    return failure.slice(0, -formatUnknownJob(unknown).length) + told + advice;
  }
  const near = await findNearJob(reading, unknown);
  if (near === undefined || near === unknown) return failure;
  return failure + suggestNearest(unknown, [near]);
}

/** The users who have a job of this very id, which another one was said to have. */
async function findOwners({ ask }: Reading, job: string): Promise<readonly string[]> {
  const found = await ask([jobOwnersQuery(job)]);
  return found.ok ? readJobOwners(found.value[0]).filter((user) => user !== '') : [];
}
