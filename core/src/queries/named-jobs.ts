import type { TimeWindow } from '../analytics/transition.js';
import { createColumn, createMeasurement, createSelect, createTagEquals } from '../influxql/build.js';
import type { Condition, SelectStatement } from '../influxql/nodes.js';
import { STATE_TOPIC } from '../schema/job-point.js';
import { MEASUREMENT } from '../schema/measurements.js';
import type { EventFilter } from './event-filter.js';
import { findUntold } from './event-sources.js';
import { chooseGrid, findJobsQuery, type FindRequest, readFoundJobs } from './find-jobs.js';
import { type JobLabels, jobLabelsQuery, matchesLabels, readJobLabels } from './job-labels.js';
import type { ReadStep } from './read-step.js';
import { listSeries } from './result-rows.js';
import { MAX_NAMED_JOBS, createTagCondition, createTimeConditions, whereAll } from './selection.js';

/** The most jobs whose descriptions are looked at. */
const MAX_LABELLED = 5_000;
/** Changes of state that are looked through for jobs. */
const MAX_CHANGES = 20_000;
const NS_PER_MS = 1_000_000n;

export interface LabelledJobs {
  /** By formatJobKey: two users may have jobs of one name. */
  readonly keys: ReadonlySet<string>;
  readonly names: readonly string[];
  /** Whether older jobs of the window were not looked at. */
  readonly isCut: boolean;
}

/**
 * Finds the jobs of a window whose tags and scheduler's ids match, among the newest that have heartbeats or change
 * their state in it.
 */
export function findLabelledJobs<Done>(
  filter: EventFilter,
  { fromMs, toMs }: TimeWindow,
  read: (found: LabelledJobs) => ReadStep<Done>
): ReadStep<Done> {
  const { users, jobs = [] } = filter;
  const range = { fromNs: BigInt(fromMs) * NS_PER_MS, toNs: BigInt(toMs + 1) * NS_PER_MS - 1n };
  const next = (
    names: readonly string[],
    isCut: boolean,
    at: number,
    labels: ReadonlyMap<string, JobLabels>
  ): ReadStep<Done> => {
    if (at >= names.length) {
      const keys = [...labels].filter(([, one]) => matchesLabels(filter, one)).map(([key]) => key);
      const matching = new Set(keys.map((key) => (JSON.parse(key) as readonly [string, string])[0]));
      return read({ keys: new Set(keys), names: names.filter((name) => matching.has(name)), isCut });
    }
    return {
      kind: 'ask',
      statements: [jobLabelsQuery(names.slice(at, at + MAX_NAMED_JOBS))],
      read: ([result]) => next(names, isCut, at + MAX_NAMED_JOBS, new Map([...labels, ...readJobLabels(result)])),
    };
  };
  const begin = (names: readonly string[], isCut = false): ReadStep<Done> =>
    next(names.slice(0, MAX_LABELLED), isCut || names.length > MAX_LABELLED, 0, new Map());
  return jobs.length > 0 ? begin(jobs) : listNewest({ ...range, user: users }, begin);
}

/** The names of the jobs that lived in a range, also of those without heartbeats. */
function listNewest<Done>(
  request: FindRequest,
  read: (names: readonly string[], isCut: boolean) => ReadStep<Done>
): ReadStep<Done> {
  return findUntold((isUntold) => ({
    kind: 'ask',
    statements: [
      findJobsQuery(request),
      changesQuery(request, MEASUREMENT.transition, []),
      changesQuery(request, MEASUREMENT.event, [createTagEquals('topic', STATE_TOPIC), isUntold]),
    ],
    read: ([heartbeats, ...changes]) => {
      const count = (result: (typeof changes)[number]): number =>
        listSeries(result).reduce((rows, { values }) => rows + values.length, 0);
      const found = [
        ...readFoundJobs([heartbeats], chooseGrid(request)),
        ...changes.flatMap((result) => readFoundJobs([result])),
      ];
      return read(
        [...new Set(found.map(({ job }) => job))],
        changes.some((result) => count(result) >= MAX_CHANGES)
      );
    },
  }));
}

function changesQuery(
  { user, fromNs, toNs }: FindRequest,
  measurement: string,
  conditions: ReadonlyArray<Condition | undefined>
): SelectStatement {
  // In one of the two, `job` is a tag: only a field gives rows.
  return createSelect({
    columns: ['data', 'job', 'user'].map((name) => createColumn(name)),
    from: [createMeasurement(measurement)],
    ...whereAll(...conditions, createTagCondition('user', user), ...createTimeConditions({ fromNs, toNs })),
    orderBy: 'DESC',
    limit: MAX_CHANGES,
  });
}
