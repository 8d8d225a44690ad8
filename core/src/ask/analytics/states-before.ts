import {
  createCallColumn,
  createMeasurement,
  createSelect,
  createTagDimension,
  createTagEquals,
} from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { STATE_TOPIC } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import type { Reading } from '../reading/reading.js';
import { listRows, listSeries, readTag } from '../reading/result-rows.js';
import { createTagCondition, createTimeConditions, MAX_NAMED_JOBS, whereAll } from '../reading/selection.js';

const NS_PER_MS = 1_000_000n;
/** The most jobs to name. */
const MAX_JOBS = 5_000;

interface JobId {
  readonly job: string;
  readonly user: string;
}

/** Finds the states in which jobs were before an instant, by their last change of state; by formatJobKey. */
export function* findStatesBefore(named: readonly JobId[], beforeMs: number): Reading<ReadonlyMap<string, string>> {
  const names = [...new Set(named.map(({ job }) => job))].slice(0, MAX_JOBS);
  const newest = new Map<string, { readonly state: string; readonly timeNs: bigint }>();
  for (let at = 0; at < names.length; at += MAX_NAMED_JOBS) {
    const [result] = yield [lastChangesQuery(names.slice(at, at + MAX_NAMED_JOBS), beforeMs)];
    for (const series of listSeries(result)) {
      const [job = '', user = '', state] = ['job', 'user', 'to_state'].map((tag) => readTag(series, tag));
      const timeNs = listRows(series)[0]?.timeNs;
      const key = formatJobKey({ job, user });
      if (state === undefined || timeNs === undefined || (newest.get(key)?.timeNs ?? -1n) >= timeNs) continue;
      newest.set(key, { state, timeNs });
    }
  }
  return new Map([...newest].map(([key, { state }]) => [key, state]));
}

/** The last change to each state. */
function lastChangesQuery(jobs: readonly string[], beforeMs: number): SelectStatement {
  return createSelect({
    columns: [createCallColumn('last', 'data', 'data')],
    from: [createMeasurement(MEASUREMENT.event)],
    ...whereAll(
      createTagCondition('job', jobs),
      createTagEquals('topic', STATE_TOPIC),
      ...createTimeConditions({ fromNs: 0n, beforeNs: BigInt(beforeMs) * NS_PER_MS })
    ),
    groupBy: { dimensions: ['job', 'user', 'to_state'].map(createTagDimension) },
  });
}
