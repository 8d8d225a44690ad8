import { createColumn, createMeasurement, createSelect, createTagEquals } from '../influxql/build.js';
import type { Condition, SelectStatement, Statement } from '../influxql/nodes.js';
import { STATE_TOPIC } from '../schema/job-point.js';
import { MEASUREMENT } from '../schema/measurements.js';
import { IS_UNTOLD } from './event-sources.js';
import { formatJobKey } from './find-jobs.js';
import { IS_REMEMBERED } from './forgotten-jobs.js';
import { describeJobsQuery } from './describe-jobs.js';
import { readJobs } from './jobs.js';
import { decodeTag, listRows, listSeries } from './result-rows.js';
import type { ReadableResult, ResultRow } from './result-rows.js';
import { createTagCondition, createTimeConditions, whereAll } from './selection.js';
import type { NameSelection } from './selection.js';

export interface FailuresRequest {
  readonly fromNs: bigint;
  readonly toNs: bigint;
  readonly user?: NameSelection;
  /** Default: FAILURE_STATES. */
  readonly states?: readonly string[];
  readonly limit: number;
}

/** A job that did not end well. */
export interface Failure {
  readonly timeNs: bigint;
  readonly job: string;
  readonly user: string;
  readonly state: string;
  readonly name?: string;
  readonly nodes?: number;
  readonly runtimeS?: number;
  /** Why, in a sentence; from the job's description. */
  readonly reason?: string;
  readonly exitCode?: number;
}

/** Final states in which a job did not do what it was for, and nobody wanted it to end. */
const FAILURE_STATES: readonly string[] = [
  ...['FAILED', 'TIMEOUT', 'OUT_OF_MEMORY', 'NODE_FAIL', 'BOOT_FAIL', 'DEADLINE', 'LOST'],
  // Balsam's words.
  ...['RUN_ERROR', 'RUN_TIMEOUT'],
];

/** A job of Slurm may be told of twice: by Slurm, and by the `run` in it. */
const TELLERS = 2;

/**
 * The failures of a range, newest first: of Joblens, which few series hold, however many jobs there are; and those of
 * programs that write events alone.
 */
export function failuresQueries(request: FailuresRequest): readonly SelectStatement[] {
  const { user, states = FAILURE_STATES, limit, fromNs, toNs } = request;
  const list = (measurement: string, names: readonly string[], most: number, ...of: Condition[]): SelectStatement =>
    createSelect({
      columns: ['job', 'user', 'to_state', ...names].map((name) => createColumn(name)),
      from: [createMeasurement(measurement)],
      ...whereAll(
        ...of,
        createTagCondition('to_state', states),
        createTagCondition('user', user),
        ...createTimeConditions({ fromNs, toNs })
      ),
      orderBy: 'DESC',
      limit: most,
    });
  return [
    list(MEASUREMENT.transition, ['name', 'nodes', 'runtime_s'], TELLERS * limit, IS_REMEMBERED),
    list(MEASUREMENT.event, ['data'], limit, createTagEquals('topic', STATE_TOPIC), IS_UNTOLD),
  ];
}

/** The newest failures in the results of failuresQueries, each job once. */
export function readFailures(results: readonly ReadableResult[], limit: number): Failure[] {
  const found = results.flatMap((result) =>
    listSeries(result).flatMap((series) => listRows(series).flatMap(readFailure))
  );
  const failures = new Map<string, Failure>();
  for (const failure of found.sort((a, b) => (a.timeNs < b.timeNs ? 1 : -1))) {
    const newer = failures.get(formatJobKey(failure));
    failures.set(formatJobKey(failure), { ...failure, ...newer });
  }
  return [...failures.values()].slice(0, limit);
}

function readFailure(row: ResultRow): Failure[] {
  const [job, user] = [decodeTag(row.text('job')), decodeTag(row.text('user'))];
  const state = decodeTag(row.text('to_state'));
  if (job === undefined || user === undefined || state === undefined) return [];
  const [name, nodes, runtimeS] = [row.text('name'), row.number('nodes'), row.number('runtime_s')];
  return [
    {
      ...{ timeNs: row.timeNs, job, user, state },
      ...(name !== undefined && { name }),
      ...(nodes !== undefined && { nodes }),
      ...(runtimeS !== undefined && { runtimeS }),
    },
  ];
}

/** Asks for the descriptions of these jobs, which say why. */
export function failureReasonsQuery(failures: readonly Failure[]): Statement {
  return describeJobsQuery(failures.map(({ job, user, timeNs }) => ({ job, user, fromNs: timeNs, toNs: timeNs })));
}

/** The same failures with their reasons; a job that ran again since has those of its last end. */
export function addFailureReasons(failures: readonly Failure[], result: ReadableResult): Failure[] {
  const described = new Map(readJobs([result]).map((job) => [formatJobKey(job), job]));
  return failures.map((failure) => {
    const { reason, exitCode } = described.get(formatJobKey(failure)) ?? {};
    return { ...failure, ...(reason !== undefined && { reason }), ...(exitCode !== undefined && { exitCode }) };
  });
}
