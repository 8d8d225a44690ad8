import type { Statement } from '../../influxql/nodes.js';
import type { ResultSeries } from '../../influxql/response.js';
import { DAY_NS, WEEK_NS } from '../../numbers/time-units.js';
import { findStartNs, formatJobKey, type FoundJob } from '../heartbeats/find-jobs.js';
import { jobsQuery, type JobsRequest } from './jobs.js';
import { listSeries, type ReadableResult, readTag } from '../reading/result-rows.js';
import { createTimeConditions, type TimeSelection, whereAll } from '../reading/selection.js';

/**
 * The descriptions of jobs that were found, with their configurations if they are asked for: all that was ever written,
 * or what was written in a time. readJobs takes the series of several answers as one result.
 */
export function describeJobsQuery(
  found: ReadonlyArray<Pick<FoundJob, 'job'>>,
  {
    config,
    manifest,
    ...time
  }: Pick<TimeSelection, 'fromNs' | 'beforeNs'> & Pick<JobsRequest, 'config' | 'manifest'> = {}
): Statement {
  const job = [...new Set(found.map((each) => each.job))];
  const [statement] = jobsQuery({ job, ...(config && { config }), ...(manifest && { manifest }) });
  return { ...statement, ...whereAll(statement.where, ...createTimeConditions(time)) };
}

/** Shards of InfluxDB 1.x begin on Mondays; the first day of 1970 was a Thursday. */
const MONDAY_NS = 4n * DAY_NS;

/**
 * The time since which nearly all of what describes these jobs was written: a Monday, at least a week before the oldest
 * started. Each shard before it costs a look for each job, and most have nothing.
 */
export function findDescribedSinceNs(found: readonly FoundJob[]): bigint {
  const [first = 0n, ...others] = found.map(findStartNs);
  const oldestNs = others.reduce((a, b) => (b < a ? b : a), first);
  const sinceNs = oldestNs - WEEK_NS - ((oldestNs - MONDAY_NS) % WEEK_NS);
  return sinceNs < 0n ? 0n : sinceNs;
}

/** The parts of a result of describeJobsQuery, by formatJobKey. */
export function splitDescriptions(result: ReadableResult): ReadonlyMap<string, ResultSeries> {
  return new Map(
    listSeries(result).map((series) => [
      formatJobKey({ job: readTag(series, 'job') ?? '', user: readTag(series, 'user') ?? '' }),
      series,
    ])
  );
}
