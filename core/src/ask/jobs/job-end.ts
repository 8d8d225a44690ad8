import { createColumn, createMeasurement, createSelect } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { NS_PER_MS_FLOAT } from '../../numbers/time-units.js';
import { encodeFieldKey } from '../../schema/field-name.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import { type JobRecord, jobsQuery } from './jobs.js';
import { listRows, listSeries, type ReadableResult, readTag } from '../reading/result-rows.js';
import { createTagCondition, whereAll } from '../reading/selection.js';

/** Beyond it a job's rows are found by these of its keys alone. */
const MAX_KEYS = 200;

/**
 * Asks for the newest line of jobs at any time from `fromNs` on: the clocks of two hosts differ, and one may be set
 * back, so there may be lines behind what was written as a job's end.
 */
export function lastLinesQuery(jobs: ReadonlyArray<Pick<JobRecord, 'job'>>, fromNs: bigint): SelectStatement {
  const [, , lasts] = jobsQuery({ job: [...new Set(jobs.map(({ job }) => job))], fromNs });
  return lasts;
}

/** Asks for the newest row of a job that was read with its last values: its numbers, and its texts. */
export function lastRowQueries({
  job,
  user,
  values,
}: Pick<JobRecord, 'job' | 'user' | 'values'>): readonly SelectStatement[] {
  const keys = [...values.keys()].slice(0, MAX_KEYS);
  if (keys.length === 0) return [];
  return [MEASUREMENT.metadata, MEASUREMENT.metadataText].map((measurement) =>
    createSelect({
      columns: keys.map((key) => createColumn(encodeFieldKey(key))),
      from: [createMeasurement(measurement)],
      ...whereAll(createTagCondition('job', job), createTagCondition('user', user)),
      orderBy: 'DESC',
      limit: 1,
    })
  );
}

/** The times of the newest lines in a result of lastLinesQuery, by formatJobKey. */
export function readLastLines(result: ReadableResult): ReadonlyMap<string, bigint> {
  return new Map(
    listSeries(result).flatMap((series) => {
      const timeNs = readNewest([series]);
      const key = formatJobKey({ job: readTag(series, 'job') ?? '', user: readTag(series, 'user') ?? '' });
      return timeNs === undefined ? [] : [[key, timeNs] as const];
    })
  );
}

/** The time of the newest row in the results of lastRowQueries. */
export function readLastRow(results: readonly ReadableResult[]): bigint | undefined {
  return readNewest(results.flatMap(listSeries));
}

function readNewest(series: ReturnType<typeof listSeries>): bigint | undefined {
  return findLatest(series.flatMap((one) => listRows(one).map(({ timeNs }) => timeNs)));
}

function findLatest(timesNs: ReadonlyArray<bigint | undefined>): bigint | undefined {
  return timesNs.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined);
}

/** The newest line or row of a job, as far as they were asked for. */
export function findLastPointNs({ lastLogNs, lastRowNs }: JobRecord): bigint | undefined {
  return findLatest([lastLogNs, lastRowNs]);
}

/**
 * When a job ended, in milliseconds since the epoch: the later of what was written as its end, or of its last sign of
 * life, and its newest point. Undefined if nobody knows of an end.
 */
export function findJobEndMs(job: JobRecord): number | undefined {
  const saidMs = job.endedMs ?? job.aliveUntilMs;
  if (saidMs === undefined) return undefined;
  const pointNs = findLastPointNs(job);
  return Math.max(saidMs, job.startedMs ?? saidMs, pointNs === undefined ? saidMs : Number(pointNs) / NS_PER_MS_FLOAT);
}

/** The same for a job whose end was written; undefined for one that runs, or was lost. */
export function findWrittenEndMs(job: JobRecord): number | undefined {
  return job.endedMs === undefined ? undefined : findJobEndMs(job);
}

/**
 * How long a job has run, in milliseconds, until its end or until `nowMs`. Start and end are those that one host wrote;
 * where a clock was set back between them, its newest point tells. Undefined if nothing does.
 */
export function findJobDurationMs(job: JobRecord, nowMs: number): number | undefined {
  const { startedMs, endedMs, aliveUntilMs } = job;
  if (startedMs === undefined) return undefined;
  const untilMs = endedMs ?? aliveUntilMs ?? nowMs;
  return Math.max(0, (untilMs >= startedMs ? untilMs : (findJobEndMs(job) ?? untilMs)) - startedMs);
}
