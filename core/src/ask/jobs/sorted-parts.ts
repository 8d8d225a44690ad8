import { createColumn, createMeasurement, createSelect } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { foldJobPoints, type JobFields, type JobState } from '../../rows/fold-job-points.js';
import { compareOldestFirst } from '../../rows/newest-first.js';
import { JOB_FIELDS } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import { decodeTag, listRows, listSeries, type ReadableResult, readTag } from '../reading/result-rows.js';
import {
  createTagCondition,
  createTimeConditions,
  type NameSelection,
  type TimeSelection,
  whereAll,
} from '../reading/selection.js';

/** What a long list is sorted by that heartbeats do not tell. */
export type SortedPart = 'times' | 'nodes' | 'tags' | 'config';

const { submittedMs, startedMs, endedMs, nodes, tags, config } = JOB_FIELDS;
const COLUMNS: Readonly<Record<SortedPart, readonly string[]>> = {
  times: [submittedMs, startedMs, endedMs],
  nodes: [nodes],
  tags: [tags],
  config: [config],
};
const TIMES: ReadonlySet<string> = new Set(COLUMNS.times);

interface PartRequest extends Pick<TimeSelection, 'fromNs' | 'beforeNs'> {
  readonly part: SortedPart;
  readonly user?: NameSelection;
}

/** The most points of one answer; a configuration may be long. */
const maxPoints = (part: SortedPart): number => (part === 'config' ? 5000 : 20_000);

/** Asks for a part of the descriptions of all jobs, newest first. The answer may end within the time. */
export function sortedPartQuery({ part, user, ...time }: PartRequest): SelectStatement {
  return createSelect({
    columns: ['job', 'user', ...COLUMNS[part]].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.job)],
    ...whereAll(createTagCondition('user', user), ...createTimeConditions(time)),
    orderBy: 'DESC',
    limit: maxPoints(part),
  });
}

interface PartPoints {
  /** What was written of each job, by formatJobKey. */
  readonly points: ReadonlyArray<readonly [jobKey: string, point: JobFields]>;
  /** The time of the oldest point, where the answer ends there. */
  readonly endNs?: bigint;
}

/** The points in the answer to sortedPartQuery, or to describeJobsQuery. */
export function readSortedPart(part: SortedPart, result: ReadableResult): PartPoints {
  const points = listSeries(result).flatMap((series) => {
    const ofSeries = { job: readTag(series, 'job'), user: readTag(series, 'user') };
    return listRows(series).flatMap((row) => {
      const job = ofSeries.job ?? decodeTag(row.text('job'));
      if (job === undefined) return [];
      const user = ofSeries.user ?? decodeTag(row.text('user')) ?? '';
      const values = COLUMNS[part].map((name) => [name, TIMES.has(name) ? row.timeMs(name) : row.value(name)] as const);
      return [[formatJobKey({ job, user }), { timeNs: row.timeNs, values: new Map(values) }] as const];
    });
  });
  const last = points.length < maxPoints(part) ? undefined : points.at(-1);
  return { points, ...(last !== undefined && { endNs: last[1].timeNs }) };
}

/** What is known of the parts of jobs: points come in any order, and some come again. */
export class SortedParts {
  readonly #points = new Map<string, Map<bigint, JobFields>>();
  readonly #states = new Map<string, JobState>();

  add(points: PartPoints['points']): void {
    for (const [key, point] of points) {
      const known = this.#points.get(key) ?? new Map<bigint, JobFields>();
      known.set(point.timeNs, joinPoints(known.get(point.timeNs), point));
      this.#points.set(key, known);
      this.#states.delete(key);
    }
  }

  /** The state of a job as far as its part tells. */
  read(jobKey: string): JobState | undefined {
    const known = this.#states.get(jobKey);
    const points = known === undefined ? this.#points.get(jobKey) : undefined;
    if (points === undefined) return known;
    const state = foldJobPoints([...points.values()].sort(compareOldestFirst));
    this.#states.set(jobKey, state);
    return state;
  }
}

/** Two writers may write of a job at the same time. */
function joinPoints(known: JobFields | undefined, point: JobFields): JobFields {
  if (known === undefined) return point;
  const said = [...point.values].filter(([, value]) => value !== undefined && value !== null);
  return { ...point, values: new Map([...known.values, ...said]) };
}
