import type { TimeWindow } from '../analytics/transition.js';
import { createRef, freezeNode } from '../influxql/build.js';
import type { Condition } from '../influxql/nodes.js';
import { encodeName } from '../schema/name-transport.js';
import type { EventFilter } from './event-filter.js';
import { findJobsQuery, readFoundJobs } from './find-jobs.js';
import { jobLabelsQuery, matchesLabels, readJobLabels } from './job-labels.js';
import type { JobLabels } from './job-labels.js';
import type { ReadStep } from './read-step.js';
import { MAX_NAMED_JOBS } from './selection.js';

/** The most jobs whose descriptions are looked at. */
const MAX_LABELLED = 5_000;
const NS_PER_MS = 1_000_000n;

export interface LabelledJobs {
  readonly jobs: readonly string[];
  /** Whether older jobs of the window were not looked at. */
  readonly isCut: boolean;
}

/** Finds the jobs of a window whose tags and scheduler's ids match, among the newest that have heartbeats in it. */
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
      return read({ jobs: names.filter((name) => matching.has(name)), isCut });
    }
    return {
      kind: 'ask',
      statements: [jobLabelsQuery(names.slice(at, at + MAX_NAMED_JOBS))],
      read: ([result]) => next(names, isCut, at + MAX_NAMED_JOBS, new Map([...labels, ...readJobLabels(result)])),
    };
  };
  const begin = (names: readonly string[]): ReadStep<Done> =>
    next(names.slice(0, MAX_LABELLED), names.length > MAX_LABELLED, 0, new Map());
  if (jobs.length > 0) return begin(jobs);
  return {
    kind: 'ask',
    statements: [findJobsQuery({ ...range, user: users })],
    read: (results) => begin([...new Set(readFoundJobs(results).map(({ job }) => job))]),
  };
}

/** The field `job` is one of these; one pattern, as each point is compared with each of many conditions. */
export function createJobFieldCondition(jobs: readonly string[]): Condition {
  const names = jobs.map((job) => encodeName(job).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return freezeNode({ kind: 'match', left: createRef('job'), operator: '=~', source: `^(?:${names.join('|')})$` });
}
