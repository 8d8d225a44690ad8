import {
  createCallColumn,
  createColumn,
  createMeasurement,
  createSelect,
  createTagDimension,
  createTagEquals,
} from '../../influxql/build.js';
import type { SelectColumn, SelectStatement } from '../../influxql/nodes.js';
import { WEEK_NS } from '../../numbers/time-units.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import {
  COARSEST_GRID,
  type FindRequest,
  formatJobKey,
  type FoundJob,
  readFoundJobs,
  selectRange,
} from '../heartbeats/find-jobs.js';
import { findRowJobs, rowJobNamesQueries } from '../tables/find-row-jobs.js';
import type { Reading } from '../reading/reading.js';
import { listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTagCondition, createTimeConditions, whereAll } from '../reading/selection.js';

const BY_JOB = { dimensions: ['job', 'user'].map(createTagDimension) };

/**
 * Finds the jobs without heartbeats in a range, also those that have rows alone. Unless they are expected, it asks
 * first whether heartbeats are old news: then there are none.
 */
export function* findOtherJobs(request: FindRequest, isExpected: boolean): Reading<readonly FoundJob[]> {
  if (!isExpected) {
    const [era] = yield [heartbeatEraQuery(request)];
    if (isHeartbeatEra(era)) return [];
  }
  const statements = findOtherJobsQuery(request);
  const results = yield [...statements, ...rowJobNamesQueries(request)];
  const found = readFoundJobs(results.slice(0, statements.length));
  const known = new Set(found.map(formatJobKey));
  const rows = yield* findRowJobs(request, results.slice(statements.length));
  return [...found, ...rows.filter((job) => !known.has(formatJobKey(job)))];
}

/**
 * Finds the jobs that have something else in the range: a change of their description, a log line, the first row of a
 * table, or an event. For jobs without heartbeats, of an older Joblens or of another writer; readFoundJobs reads them.
 * InfluxDB looks at each job that has points in the shards of the range, so it is slow in a large store: ask only where
 * isHeartbeatEra says no, last, and not often.
 */
export function findOtherJobsQuery(request: FindRequest): SelectStatement[] {
  const find = (measurement: string, column: SelectColumn): SelectStatement =>
    createSelect({
      columns: [column],
      from: [createMeasurement(measurement)],
      ...whereAll(createTagCondition('user', request.user), ...createTimeConditions(selectRange(request))),
      groupBy: BY_JOB,
    });
  return [
    find(MEASUREMENT.job, createCallColumn('last', 'state')),
    find(MEASUREMENT.log, createCallColumn('last', 'kind')),
    find(MEASUREMENT.series, createCallColumn('last', 'rows')),
    find(MEASUREMENT.event, createCallColumn('last', 'data')),
  ];
}

/**
 * Asks for one heartbeat of the week that ended a week before the range: with one, an older Joblens is long gone when
 * the range begins. It costs a few series of one or two shards.
 */
export function heartbeatEraQuery({ fromNs }: Pick<FindRequest, 'fromNs'>): SelectStatement {
  const atLeast0 = (timeNs: bigint): bigint => (timeNs < 0n ? 0n : timeNs);
  const week = { fromNs: atLeast0(fromNs - 2n * WEEK_NS), toNs: atLeast0(fromNs - WEEK_NS) };
  return createSelect({
    columns: [createColumn('job')],
    from: [createMeasurement(MEASUREMENT.heartbeat)],
    ...whereAll(createTagEquals('grid', COARSEST_GRID.grid), ...createTimeConditions(week)),
    limit: 1,
  });
}

/** Whether each job of the range has heartbeats, going by the result of heartbeatEraQuery. */
export function isHeartbeatEra(result: ReadableResult): boolean {
  return listSeries(result).some(({ values }) => values.length > 0);
}
