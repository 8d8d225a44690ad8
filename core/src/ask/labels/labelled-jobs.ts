import {
  createColumn,
  createMeasurement,
  createOr,
  createSelect,
  createTagEquals,
  freezeNode,
} from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { encodeLabelText, type Label } from '../../schema/label-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { encodeName } from '../../schema/name-transport.js';
import { formatJobKey, type FoundJob, listFoundSigns, mergeFoundJobs } from '../heartbeats/find-jobs.js';
import { compareJobs, type JobRecord } from '../jobs/jobs.js';
import { describeFound, type JobList } from '../jobs/list-jobs.js';
import type { Reading } from '../reading/reading.js';
import type { ReadableResult } from '../reading/result-rows.js';
import { createTagCondition, type NameSelection, whereAll } from '../reading/selection.js';

export interface LabelRequest {
  /** At least one; a job has all of them. */
  readonly labels: readonly Label[];
  /** Only jobs of these users (default: of all). */
  readonly user?: NameSelection;
}

export interface LabelledRequest extends LabelRequest {
  /** Whether each job's `config` comes too (default no). */
  readonly config?: boolean;
  readonly isWanted?: (job: JobRecord) => boolean;
  readonly limit?: number;
}

/** The most jobs of one label; of more, those of the newest days count. */
const MAX_OF_LABEL = 200_000;
/** More are described by several requests, one after the other. */
const MAX_DESCRIBED = 20_000;

/** The jobs that have a label, whenever they ran: their cost does not depend on how many others there are. */
function labelQuery({ key, value }: Label, user: NameSelection): SelectStatement {
  return createSelect({
    columns: ['job', 'user'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.label)],
    ...whereAll(
      createTagEquals('key', encodeLabelText(key)),
      createTagEquals('value', encodeLabelText(value)),
      createTagCondition('user', user)
    ),
    orderBy: 'DESC',
    limit: MAX_OF_LABEL,
  });
}

/** The jobs that are in each result of labelQuery, those of the newest days first. Their times are near their start. */
function readLabelled(results: readonly ReadableResult[]): FoundJob[] {
  const [first = new Map<string, FoundJob>(), ...others] = results.map(readFound);
  return [...first].flatMap(([key, job]) => (others.every((other) => other.has(key)) ? [job] : []));
}

function readFound(result: ReadableResult): Map<string, FoundJob> {
  const found = new Map<string, FoundJob>();
  for (const sign of listFoundSigns(result)) {
    // The label was taken away, or the job deleted.
    if (sign.job === '') continue;
    const key = formatJobKey(sign);
    const known = found.get(key);
    found.set(key, known === undefined ? sign : mergeFoundJobs(known, sign));
  }
  return found;
}

/** The names of the jobs that have all these labels, whenever they ran: one request. Tags may have changed since. */
export function* findLabelledJobs({ labels, user }: LabelRequest): Reading<readonly FoundJob[]> {
  return readLabelled(yield labels.map((label) => labelQuery(label, user)));
}

/** The jobs that have any of these labels, those of the first label first: one request. */
export function* findJobsOfAny({ labels, user }: LabelRequest): Reading<readonly FoundJob[]> {
  const results = yield labels.map((label) => labelQuery(label, user));
  return results.flatMap((result) => readLabelled([result]));
}

/** The jobs that have all these tags now, whenever they ran: running ones first, then the newest. */
export function* listLabelledJobs(request: LabelledRequest): Reading<JobList> {
  const { labels, config = false, isWanted = () => true, limit = Infinity } = request;
  const found = yield* findLabelledJobs(request);
  const jobs: JobRecord[] = [];
  for (let at = 0; at < found.length; at += MAX_DESCRIBED) {
    const described = yield* describeFound(found.slice(at, at + MAX_DESCRIBED), { config });
    jobs.push(...described.filter((job) => hasLabels(job, labels) && isWanted(job)));
  }
  return { jobs: jobs.sort(compareJobs).slice(0, limit), isCut: jobs.length > limit };
}

/** The labels of these keys of one job, by their series. */
export function ownLabelsQuery(
  { job, user }: Pick<JobRecord, 'job' | 'user'>,
  keys: readonly string[]
): SelectStatement {
  return createSelect({
    columns: [createColumn('job')],
    from: [createMeasurement(MEASUREMENT.label)],
    ...whereAll(
      createOr(keys.map((key) => createTagEquals('key', encodeLabelText(key)))),
      createTagEquals('job', encodeName(job)),
      createTagCondition('user', user)
    ),
    groupBy: { dimensions: [freezeNode({ kind: 'wildcard' } as const)] },
  });
}

/** Whether these are among the tags of a job. */
export function hasLabels({ tags = {} }: Pick<JobRecord, 'tags'>, labels: readonly Label[]): boolean {
  return labels.every(({ key, value }) => Object.hasOwn(tags, key) && tags[key] === value);
}
