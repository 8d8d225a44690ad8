import { compareNatural } from '../../rows/natural-order.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import { type JobRecord, jobsQuery, readJobs, readTablesByJob } from '../jobs/jobs.js';
import { type JobList, listJobs } from '../jobs/list-jobs.js';
import { type Ask, type Reading, relay } from '../reading/reading.js';
import { findJobsOfAny } from '../labels/labelled-jobs.js';
import { tablesQuery } from '../tables/tables.js';
import type { ComparedJob } from './compare-jobs.js';

/** A tag as a job has it. */
export type TagPair = readonly [key: string, value: string];

interface TaggedRequest {
  /** Any of these. */
  readonly tags: readonly TagPair[];
  /** Users; none means all. */
  readonly user: readonly string[];
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

export interface ComparisonRequest extends TaggedRequest {
  /** Names of jobs, whenever they ran. */
  readonly job: readonly string[];
  readonly limit: number;
}

export interface Comparison {
  readonly jobs: readonly ComparedJob[];
  /** How many there are, beyond the limit too. */
  readonly total: number;
}

/** The number of jobs that one statement names. */
const JOBS_AT_ONCE = 500;

/**
 * The names of the jobs with one of these tags, in the order in which they ran. Labels find them whenever that was.
 * Where there are none, as an older Joblens wrote none, the jobs of the range are looked at.
 */
export function* findTaggedJobs(request: TaggedRequest): Reading<readonly string[]> {
  const { tags, user } = request;
  if (tags.length === 0) return [];
  const labelled = yield* findJobsOfAny({ labels: tags.map(([key, value]) => ({ key, value })), user });
  if (labelled.length === 0) return yield* findInRange(request);
  const ordered = labelled.toSorted((a, b) => (a.fromNs < b.fromNs ? -1 : 1));
  return [...new Set(ordered.map(({ job }) => job))];
}

function* findInRange({ tags, user, ...range }: TaggedRequest): Reading<readonly string[]> {
  const isWanted = ({ tags: own = {} }: JobRecord): boolean =>
    tags.some(([key, value]) => Object.hasOwn(own, key) && own[key] === value);
  const listing = listJobs({ ...range, user }, { isWanted, limit: Infinity });
  const { jobs } = yield* relay<JobList, unknown, never, Ask>(listing, (yielded) =>
    'soFar' in yielded ? undefined : yielded
  );
  return [...new Set(jobs.toSorted((a, b) => (a.timeNs < b.timeNs ? -1 : 1)).map(({ job }) => job))];
}

/**
 * The named jobs and those with one of the tags, with what they were given and the summaries of their tables: in the
 * order in which they ran, or without a tag in that in which they are named.
 */
export function* readComparison(request: ComparisonRequest): Reading<Comparison> {
  const { job, user, limit } = request;
  const names = [...new Set([...job, ...(yield* findTaggedJobs(request))])];
  const compared = yield* readNamed(names.slice(0, limit), user);
  // Named beside a tag, jobs stay among the others: nobody's choice moves rows.
  const places = new Map(request.tags.length > 0 ? [] : job.map((name, at) => [name, at]));
  const placeOf = ({ record }: ComparedJob): number => places.get(record.job) ?? 0;
  return { jobs: compared.toSorted((a, b) => placeOf(a) - placeOf(b) || compareStarts(a, b)), total: names.length };
}

/** In the order in which they ran, those of one time as people count. */
function compareStarts({ record: a }: ComparedJob, { record: b }: ComparedJob): number {
  return a.timeNs === b.timeNs ? compareNatural(a.job, b.job) : a.timeNs < b.timeNs ? -1 : 1;
}

/** All is asked at once. */
function* readNamed(names: readonly string[], user: readonly string[]): Reading<readonly ComparedJob[]> {
  const parts = Array.from({ length: Math.ceil(names.length / JOBS_AT_ONCE) }, (_, at) => ({
    ...{ job: names.slice(at * JOBS_AT_ONCE, (at + 1) * JOBS_AT_ONCE), user },
    ...{ values: false, config: true, manifest: true, resources: true },
  }));
  const results = yield parts.flatMap((part) => [jobsQuery(part)[0], tablesQuery(part)]);
  return parts.flatMap((part, at) => {
    const [described, summaries] = results.slice(2 * at);
    const tables = readTablesByJob(summaries);
    return readJobs([described, undefined, undefined, summaries], part).map((record) => ({
      record,
      tables: tables.get(formatJobKey(record)) ?? [],
    }));
  });
}
