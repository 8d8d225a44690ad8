import { compareNatural } from '../../rows/natural-order.js';
import { formatJobKey, type FoundJob } from '../heartbeats/find-jobs.js';
import type { JobRecord } from '../jobs/jobs.js';
import { type JobList, listJobs } from '../jobs/list-jobs.js';
import { type Reading, together, withoutParts } from '../reading/reading.js';
import { createNamedTest, nameAmong, type NamedJob, selectNamed } from '../reading/named-job.js';
import { findJobsOfAny, findLabelledJobs, hasLabels, type LabelRequest } from '../labels/labelled-jobs.js';
import type { ComparedJob } from './compare-jobs.js';
import { type ComparedParts, readByName, readFound } from './read-found.js';

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
  /** Jobs, whenever they ran; a name without a user means those with one of the tags first. */
  readonly job: readonly NamedJob[];
  /** Jobs with one of the tags only stand in for none that are named. */
  readonly isTagInstead?: boolean;
  readonly limit: number;
}

export interface Comparison {
  readonly jobs: readonly ComparedJob[];
  /** How many there are, beyond the limit too. */
  readonly total: number;
}

/**
 * The jobs that are named, of those with one of these tags where a name has no user; of none, all those with one of the
 * tags in the order in which they ran.
 */
export function* chooseNamed(job: readonly NamedJob[], request: TaggedRequest): Reading<readonly NamedJob[]> {
  const tagged = yield* findTagged(request);
  return job.length > 0 ? nameAmong(job, tagged) : tagged;
}

/**
 * The jobs with one of these tags, in the order in which they ran. Labels find them whenever that was. Where there are
 * none, as an older Joblens wrote none, the jobs of the range are looked at.
 */
function* findTagged(request: TaggedRequest): Reading<readonly FoundJob[]> {
  const { tags, user } = request;
  if (tags.length === 0) return [];
  const labelled = yield* findJobsOfAny({ labels: tags.map(([key, value]) => ({ key, value })), user });
  if (labelled.length === 0) return yield* findInRange(request);
  const jobs = new Map(labelled.map((job) => [formatJobKey(job), job]));
  return [...jobs.values()].sort((a, b) => (a.fromNs < b.fromNs ? -1 : 1));
}

function* findInRange({ tags, user, ...range }: TaggedRequest): Reading<readonly FoundJob[]> {
  const isWanted = ({ tags: own = {} }: JobRecord): boolean =>
    tags.some(([key, value]) => Object.hasOwn(own, key) && own[key] === value);
  const listing = listJobs({ ...range, user }, { isWanted, limit: Infinity });
  const { jobs } = yield* withoutParts<JobList>(listing);
  return jobs
    .toSorted((a, b) => (a.timeNs < b.timeNs ? -1 : 1))
    .map(({ job, user: owner, timeNs }) => ({ job, user: owner, fromNs: timeNs, toNs: timeNs }));
}

/**
 * The named jobs and those with one of the tags, with what they were given and the summaries of their tables: in the
 * order in which they ran, or without a tag in that in which they are named.
 */
export function* readComparison(request: ComparisonRequest): Reading<Comparison> {
  const { limit, isTagInstead = false } = request;
  const all = yield* findTagged(request);
  const named = nameAmong(request.job, all);
  const isNamed = createNamedTest(named);
  const tagged = isTagInstead && named.length > 0 ? [] : all.filter((found) => !isNamed(found));
  const keys = [...new Set(named.map(formatPlace))];
  const shown = new Set(keys.slice(0, limit));
  const own = named.filter((one) => shown.has(formatPlace(one)));
  const found = tagged.slice(0, Math.max(0, limit - keys.length));
  const both = [readOwned(own, request.user), readFound(found, { manifest: true })];
  const compared = (yield* withoutParts(together(both))).flat();
  // Named beside a tag, jobs stay among the others: nobody's choice moves rows.
  const isMoved = tagged.length === 0 && (isTagInstead || request.tags.length === 0);
  const places = new Map(isMoved ? keys.map((key, at) => [key, at]) : []);
  const placeOf = ({ record }: ComparedJob): number =>
    places.get(formatPlace(record)) ?? places.get(formatPlace({ job: record.job })) ?? 0;
  const ordered = compared.toSorted((a, b) => placeOf(a) - placeOf(b) || compareStarts(a, b));
  return { jobs: ordered, total: keys.length + tagged.length };
}

function formatPlace({ job, user }: NamedJob): string {
  return JSON.stringify(user === undefined ? [job] : [job, user]);
}

function* readOwned(named: readonly NamedJob[], chosen: readonly string[]): Reading<readonly ComparedJob[]> {
  const { job, user } = selectNamed(named, chosen);
  const compared = yield* readByName(job, { user, manifest: true });
  const isNamed = createNamedTest(named);
  return compared.filter(({ record }) => isNamed(record));
}

interface LabelledRequest extends LabelRequest, ComparedParts {}

/** The jobs that have all these tags, in the order in which they ran, whenever that was. */
export function* readLabelled({ manifest, ...request }: LabelledRequest): Reading<readonly ComparedJob[]> {
  const compared = yield* readFound(yield* findLabelledJobs(request), { manifest });
  return compared.filter(({ record }) => hasLabels(record, request.labels)).sort(compareStarts);
}

/** In the order in which they ran, those of one time as people count. */
function compareStarts({ record: a }: ComparedJob, { record: b }: ComparedJob): number {
  return a.timeNs === b.timeNs ? compareNatural(a.job, b.job) : a.timeNs < b.timeNs ? -1 : 1;
}
