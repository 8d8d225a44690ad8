import { createColumn, createMeasurement, createSelect } from '../influxql/build.js';
import type { SelectStatement, Statement } from '../influxql/nodes.js';
import { MEASUREMENT } from '../schema/measurements.js';
import { formatJobKey } from './find-jobs.js';
import { describeJobsQuery, readJobs } from './jobs.js';
import { decodeTag, listRows, listSeries } from './result-rows.js';
import type { ReadableResult } from './result-rows.js';
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

/** The failures of a range, newest first: few series hold them, however many jobs there are. */
export function failuresQuery({ user, states = FAILURE_STATES, limit, ...range }: FailuresRequest): SelectStatement {
  return createSelect({
    columns: ['job', 'name', 'nodes', 'runtime_s', 'to_state', 'user'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.transition)],
    ...whereAll(
      createTagCondition('to_state', states),
      createTagCondition('user', user),
      ...createTimeConditions({ fromNs: range.fromNs, toNs: range.toNs })
    ),
    orderBy: 'DESC',
    limit: TELLERS * limit,
  });
}

/** The newest failures in the result of failuresQuery, each job once. */
export function readFailures(result: ReadableResult, limit: number): Failure[] {
  const failures = new Map<string, Failure>();
  for (const series of listSeries(result)) {
    for (const row of listRows(series)) {
      const [job, user] = [decodeTag(row.text('job')), decodeTag(row.text('user'))];
      const state = decodeTag(row.text('to_state'));
      if (job === undefined || user === undefined || state === undefined) continue;
      const [name, nodes, runtimeS] = [row.text('name'), row.number('nodes'), row.number('runtime_s')];
      const known = failures.get(formatJobKey({ job, user }));
      failures.set(formatJobKey({ job, user }), {
        ...{ timeNs: row.timeNs, job, user, state },
        ...(name !== undefined && { name }),
        ...(nodes !== undefined && { nodes }),
        ...(runtimeS !== undefined && { runtimeS }),
        // Rows come newest first.
        ...known,
      });
    }
  }
  return [...failures.values()].slice(0, limit);
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
