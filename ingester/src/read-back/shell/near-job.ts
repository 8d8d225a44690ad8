import { findNearest, suggestNearest } from '@joblens/core/console/find-nearest';
import { findJobs } from '@joblens/core/ask/jobs/list-jobs';
import type { Reading } from './reading.js';
import { runReading } from './run-reading.js';
import { formatUnknownJob } from './unknown-job.js';

const WEEK_NS = 7n * 86_400_000_000_000n;
/** Jobs among which the one that was meant is looked for, newest first. */
const MOST_JOBS = 2000;

/** The job of the last 7 days that somebody most likely meant; undefined if none is near. */
export async function findNearJob({ ask, host }: Reading, unknown: string): Promise<string | undefined> {
  const toNs = BigInt(host.clock.nowMs()) * 1_000_000n;
  const found = await runReading(ask, findJobs({ fromNs: toNs - WEEK_NS, toNs, user: [] }, MOST_JOBS));
  return found.ok ? findNearest(unknown, [...new Set(found.value.map(({ job }) => job))]) : undefined;
}

/** Adds to a failure because of a job that is not there which of the named ones it is, and which may be meant. */
export async function explainUnknownJob(reading: Reading, failure: string, named: readonly string[]): Promise<string> {
  const unknown = named.find((job) => failure.endsWith(formatUnknownJob(job)));
  if (unknown === undefined) return failure;
  const near = await findNearJob(reading, unknown);
  // Another user has a job of this very name.
  if (near === undefined || near === unknown) return failure;
  return failure + suggestNearest(unknown, [near]);
}
