import type { TimeWindow } from '../../analytics/transition.js';
import { createColumn, createMeasurement, createSelect, createTagEquals } from '../../influxql/build.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { STATE_TOPIC } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import type { EventFilter } from './event-filter.js';
import { findUntold } from './event-sources.js';
import { chooseGrid, findJobsQuery, type FindRequest, readFoundJobs } from '../heartbeats/find-jobs.js';
import { findJobLabels, matchesLabels } from './job-labels.js';
import type { Reading } from '../reading/reading.js';
import { listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTagCondition, createTimeConditions, whereAll } from '../reading/selection.js';

/** The most jobs whose descriptions are looked at. */
const MAX_LABELLED = 5_000;
/** Changes of state that are looked through for jobs. */
const MAX_CHANGES = 20_000;

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
export function* findLabelledJobs(filter: EventFilter, { fromMs, toMs }: TimeWindow): Reading<LabelledJobs> {
  const { users, jobs = [] } = filter;
  const range = { fromNs: BigInt(fromMs) * NS_PER_MS, toNs: BigInt(toMs + 1) * NS_PER_MS - 1n };
  const newest = jobs.length > 0 ? { names: jobs, isCut: false } : yield* listNewest({ ...range, user: users });
  const names = newest.names.slice(0, MAX_LABELLED);
  const labels = yield* findJobLabels(names);
  const keys = [...labels].filter(([, one]) => matchesLabels(filter, one)).map(([key]) => key);
  const matching = new Set(keys.map((key) => (JSON.parse(key) as readonly [string, string])[0]));
  return {
    keys: new Set(keys),
    names: names.filter((name) => matching.has(name)),
    isCut: newest.isCut || newest.names.length > MAX_LABELLED,
  };
}

/** The names of the jobs that lived in a range, also of those without heartbeats. */
function* listNewest(request: FindRequest): Reading<Pick<LabelledJobs, 'names' | 'isCut'>> {
  const isUntold = yield* findUntold();
  const [heartbeats, ...changes] = yield [
    findJobsQuery(request),
    changesQuery(request, MEASUREMENT.transition, []),
    changesQuery(request, MEASUREMENT.event, [createTagEquals('topic', STATE_TOPIC), isUntold]),
  ];
  const count = (result: ReadableResult): number =>
    listSeries(result).reduce((rows, { values }) => rows + values.length, 0);
  const found = [
    ...readFoundJobs([heartbeats], chooseGrid(request)),
    ...changes.flatMap((result) => readFoundJobs([result])),
  ];
  const isCut = changes.some((result) => count(result) >= MAX_CHANGES);
  return { names: [...new Set(found.map(({ job }) => job))], isCut };
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
