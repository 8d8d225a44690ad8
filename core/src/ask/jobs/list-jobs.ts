import { describeJobsQuery } from './describe-jobs.js';
import { type FindRequest, type FoundJob, selectRange } from '../heartbeats/find-jobs.js';
import { findOtherJobs } from './find-other-jobs.js';
import { compareJobs, type JobRecord, jobsQuery, type JobsRequest, listNames, readJobs } from './jobs.js';
import type { Reading } from '../reading/reading.js';
import { lastChangesQuery } from './state-changes.js';
import { addJobBounds, jobBoundsQuery, listStateless, readToldJobs } from './told-jobs.js';
import { walkRange } from './walk-range.js';
import { sortWalkedJobs, type WalkedJob } from './walked-jobs.js';

/** The number of jobs of a range to describe at once. */
const DESCRIBED_AT_ONCE = 500;
/** One statement names so many: InfluxDB compares each job with each name, and with 500 it takes twice as long. */
const NAMED_AT_ONCE = 100;

interface ListRequest extends Pick<JobsRequest, 'config'> {
  readonly isWanted: (job: JobRecord) => boolean;
  readonly limit: number;
}

export interface JobList {
  /** Running jobs first, then the newest. */
  readonly jobs: readonly JobRecord[];
  /** Whether the list ends at the limit, though there may be more jobs. */
  readonly isCut: boolean;
}

/**
 * All that is known of the named jobs; of one user, or of all. Of a job of another writer there may be rows or events
 * alone; heartbeats alone are looked for where nothing else has the name.
 */
export function* readNamedJobs(request: JobsRequest): Reading<readonly JobRecord[]> {
  const { fromNs: _, toNs: __, ...names } = request;
  const results = yield jobsQuery(request);
  // A job that ran at another time is known, too.
  const known = readJobs(results, names);
  const told = yield* readToldJobs(request, known);
  const found = readJobs(results, request);
  const stateless = listNames(listStateless(found));
  const changes = stateless.length === 0 ? [] : yield [lastChangesQuery(stateless)];
  return [...addJobBounds(found, [undefined, undefined, ...changes]), ...told].sort(compareJobs);
}

/**
 * The jobs that lived in a range, running ones first, then the newest: those with heartbeats, and those of other
 * writers. Beyond `maxJobs`, older ones are left out.
 */
export function* findJobs(range: FindRequest, maxJobs?: number): Reading<readonly WalkedJob[], unknown> {
  const findOthers = (isExpected: boolean) => findOtherJobs(range, isExpected);
  const { jobs } = yield* walkRange(range, { findOthers, ...(maxJobs !== undefined && { maxJobs }) });
  return sortWalkedJobs(jobs.values());
}

/** What is known of jobs that were found in a range, in the order of lists. Asked at once: few at a time, or all. */
export function* describeFound(
  found: readonly FoundJob[],
  { config, ...range }: Pick<JobsRequest, 'fromNs' | 'toNs' | 'config'>
): Reading<readonly JobRecord[]> {
  const parts = Array.from({ length: Math.ceil(found.length / NAMED_AT_ONCE) }, (_, at) =>
    found.slice(at * NAMED_AT_ONCE, (at + 1) * NAMED_AT_ONCE)
  );
  const results = yield parts.map((part) => describeJobsQuery(part, { config: config === true }));
  const described = parts.map((part, at) => readJobs([results[at]], range, part));
  // Other writers say no state: lines and changes of state tell what they came to, and when.
  const questions = described.map((part) => jobBoundsQuery(part, range));
  const bounds = [...(yield questions.flat())];
  return described
    .flatMap((part, at) => {
      const answers = bounds.splice(0, questions[at]?.length);
      return answers.length === 0 ? part : addJobBounds(part, answers);
    })
    .sort(compareJobs);
}

/** The jobs that lived in a range and match, at most `limit`. Their cost is that of the jobs of the range. */
export function* listJobs(
  range: FindRequest,
  { isWanted, limit, config = false }: ListRequest
): Reading<JobList, unknown> {
  const found = yield* findJobs(range);
  const jobs: JobRecord[] = [];
  for (let at = 0; at < found.length && jobs.length <= limit; at += DESCRIBED_AT_ONCE) {
    const described = yield* describeFound(found.slice(at, at + DESCRIBED_AT_ONCE), { ...selectRange(range), config });
    jobs.push(...described.filter(isWanted));
  }
  return { jobs: jobs.sort(compareJobs).slice(0, limit), isCut: jobs.length > limit };
}
