import { FAILURE_STATES } from '../../words/states.js';
import { createColumn, createMeasurement, createOr, createSelect, createTagEquals } from '../../influxql/build.js';
import type { Condition, SelectStatement, Statement } from '../../influxql/nodes.js';
import { STATE_TOPIC } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { findUntold } from './event-sources.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import { IS_REMEMBERED } from '../reading/forgotten-jobs.js';
import { describeJobsQuery } from '../jobs/describe-jobs.js';
import { readJobs } from '../jobs/jobs.js';
import { type JobId, listIdConditions } from './own-changes.js';
import type { Reading } from '../reading/reading.js';
import { decodeTag, listRows, listSeries, type ReadableResult, type ResultRow } from '../reading/result-rows.js';
import { createTagCondition, createTimeConditions, type NameSelection, whereAll } from '../reading/selection.js';

export interface FailuresRequest {
  readonly fromNs: bigint;
  readonly toNs: bigint;
  readonly user?: NameSelection;
  /** Default: those in which a job failed. */
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

/** A job of Slurm may be told of twice: by Slurm, and by the `run` in it. */
const TELLERS = 2;

export interface Failures {
  /** Newest first, each job once. */
  readonly failures: readonly Failure[];
  /** Whether there are older ones, or may be. */
  readonly isCut: boolean;
}

/** A page of changes of state; at most so many are read. */
const [PAGE, MAX_PAGES] = [1000, 20];
/** A job that fails so often in a page is left out of the next ones, and so many of them. */
const [LOUD, MAX_LOUD] = [8, 100];

/**
 * The newest failures of a range: of Joblens, which few series hold, however many jobs there are; and those of programs
 * that write events alone.
 */
export function* findFailures(request: FailuresRequest): Reading<Failures> {
  const { limit } = request;
  const most = Math.max(PAGE, TELLERS * limit);
  const isUntold = yield* findUntold();
  let kept: readonly Failure[] = [];
  // The newest instant that is not wholly read.
  let { toNs } = request;
  // One job that fails again and again must not hide the others: pages are read until enough jobs are found.
  for (let pages = 1; ; pages += 1) {
    const loud = listLoud(kept).slice(0, MAX_LOUD);
    const results = yield createStatements({ ...request, toNs }, isUntold, loud, most);
    const lists = results.map((result) => listSeries(result).flatMap(listRows));
    const edges = lists.flatMap((list) => (list.length < most ? [] : (list.at(-1)?.timeNs ?? [])));
    const edgeNs = edges.reduce((a, b) => (b > a ? b : a), request.fromNs - 1n);
    const isStuck = edgeNs === toNs;
    // Rows at the edge and before it come again.
    const found = [...kept, ...lists.flat().flatMap(readFailure)];
    kept = found.filter(({ timeNs }) => timeNs > edgeNs || isStuck);
    const failures = dropDoubles(kept);
    const isWhole = edges.length === 0;
    if (isWhole || failures.length > limit || pages >= MAX_PAGES) {
      return { failures: failures.slice(0, limit), isCut: !isWhole || failures.length > limit };
    }
    toNs = isStuck ? edgeNs - 1n : edgeNs;
  }
}

/** Jobs whose newest failure is known. */
function listLoud(page: readonly Failure[]): readonly JobId[] {
  const counts = new Map<string, number>();
  for (const job of page) counts.set(formatJobKey(job), (counts.get(formatJobKey(job)) ?? 0) + 1);
  return dropDoubles(page).filter((job) => (counts.get(formatJobKey(job)) ?? 0) >= LOUD);
}

function createStatements(
  request: FailuresRequest,
  isUntold: Condition | undefined,
  loud: readonly JobId[],
  most: number
): readonly SelectStatement[] {
  const { user, states = FAILURE_STATES, fromNs, toNs } = request;
  const isOther = loud.map((job) => createOr(listIdConditions(job, '!=')));
  const list = (
    measurement: string,
    names: readonly string[],
    ...of: ReadonlyArray<Condition | undefined>
  ): SelectStatement =>
    createSelect({
      columns: ['job', 'user', 'to_state', ...names].map((name) => createColumn(name)),
      from: [createMeasurement(measurement)],
      ...whereAll(
        ...of,
        ...isOther,
        createTagCondition('to_state', states),
        createTagCondition('user', user),
        ...createTimeConditions({ fromNs, toNs })
      ),
      orderBy: 'DESC',
      limit: most,
    });
  return [
    list(MEASUREMENT.transition, ['name', 'nodes', 'runtime_s'], IS_REMEMBERED),
    list(MEASUREMENT.event, ['data'], createTagEquals('topic', STATE_TOPIC), isUntold),
  ];
}

/** The newest failure of each job, with what other tellers know of it. */
function dropDoubles(found: readonly Failure[]): Failure[] {
  const failures = new Map<string, Failure>();
  for (const failure of found.toSorted((a, b) => (a.timeNs < b.timeNs ? 1 : -1))) {
    const newer = failures.get(formatJobKey(failure));
    failures.set(formatJobKey(failure), { ...failure, ...newer });
  }
  return [...failures.values()];
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
