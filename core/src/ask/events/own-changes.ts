import {
  createAnd,
  createCallColumn,
  createComparison,
  createMeasurement,
  createOr,
  createRef,
  createSelect,
  createStringLiteral,
  createTagDimension,
  createTagEquals,
} from '../../influxql/build.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import { compareNatural } from '../../rows/natural-order.js';
import { ORIGIN_TAG, STATE_TOPIC } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { encodeName } from '../../schema/name-transport.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import { createJobFieldCondition } from '../reading/job-field.js';
import type { Reading } from '../reading/reading.js';
import { decodeTag, listRows, listSeries, type ReadableResult, readTag } from '../reading/result-rows.js';
import { createTagCondition, MAX_NAMED_JOBS, whereAll } from '../reading/selection.js';

/** Who wrote a change of state: Slurm's own service, or a `run` in a job of Slurm. */
export const [OF_SLURM, IN_SLURM] = ['slurm', 'slurm-job'] as const;
/** A job that only holds nodes for those of another program. */
export const ALLOCATION = 'allocation';

export interface JobId {
  readonly job: string;
  readonly user: string;
}

/** The jobs of Slurm that tell of themselves. What they tell counts, but of those that Slurm tells of too. */
export interface OwnChanges {
  readonly told: readonly JobId[];
  readonly untold: readonly JobId[];
}

/** One statement names at most so many jobs that it counts, or leaves out. */
const MAX_NAMED = 5_000;

/**
 * Finds the jobs of Slurm that tell of themselves in the transitions that the conditions choose. Whether Slurm tells of
 * a job does not depend on a range.
 */
export function* findOwnChanges(
  conditions: readonly (Condition | undefined)[],
  jobs: readonly string[]
): Reading<OwnChanges> {
  const named = jobs.length === 0 ? undefined : createJobFieldCondition(jobs);
  const listTellers = (source: string): SelectStatement =>
    createSelect({
      columns: [createCallColumn('distinct', 'job', 'job')],
      from: [createMeasurement(MEASUREMENT.transition)],
      ...whereAll(...conditions, createTagEquals('source', source), named),
      groupBy: { dimensions: [createTagDimension('user')] },
    });
  const [inSlurm, ofSlurm] = yield [listTellers(IN_SLURM), listTellers(OF_SLURM)];
  const told = new Set(readTellers(ofSlurm).map(formatJobKey));
  const own = readTellers(inSlurm);
  const isTold = (job: JobId): boolean => told.has(formatJobKey(job));
  const open = own.filter((job) => !isTold(job));
  const elsewhere = yield* findToldJobs([...new Set(open.map(({ job }) => job))]);
  for (const job of elsewhere) told.add(formatJobKey(job));
  return { told: own.filter(isTold), untold: own.filter((job) => !isTold(job)) };
}

function readTellers(result: ReadableResult): JobId[] {
  return listSeries(result).flatMap((series) => {
    const user = readTag(series, 'user') ?? '';
    return listRows(series).flatMap((row) => {
      const job = decodeTag(row.text('job'));
      return job === undefined ? [] : [{ job, user }];
    });
  });
}

/** Finds those of the named jobs that Slurm tells of, at any time. */
export function* findToldJobs(names: readonly string[]): Reading<readonly JobId[]> {
  const statements: SelectStatement[] = [];
  for (let at = 0; at < names.length; at += MAX_NAMED_JOBS) {
    statements.push(
      createSelect({
        columns: [createCallColumn('first', 'data', 'data')],
        from: [createMeasurement(MEASUREMENT.event)],
        ...whereAll(
          createTagCondition('job', names.slice(at, at + MAX_NAMED_JOBS)),
          createTagEquals('topic', STATE_TOPIC),
          createTagEquals(ORIGIN_TAG, OF_SLURM)
        ),
        groupBy: { dimensions: ['job', 'user'].map(createTagDimension) },
      })
    );
  }
  const series = (yield statements).flatMap(listSeries);
  return series.map((each) => ({ job: readTag(each, 'job') ?? '', user: readTag(each, 'user') ?? '' }));
}

/** Leaves out of `job_transition` what a job of Slurm tells of itself, if Slurm tells of it too. */
export function createOwnCondition({ told, untold }: OwnChanges): Condition | undefined {
  if (told.length === 0) return undefined;
  const others = createComparison(createRef('source'), '!=', createStringLiteral(IN_SLURM));
  if (untold.length === 0) return others;
  // Two users may have jobs of one id: of these, the statement names both.
  const shared = findShared(told, untold);
  const isShared = ({ job }: JobId): boolean => shared.has(job);
  if (untold.length <= told.length) {
    const names = listNames(untold.filter((job) => !isShared(job)));
    const ofUsers = untold.filter(isShared).map((job) => createAnd(listIdConditions(job, '=')));
    return createOr([others, names.length === 0 ? undefined : createJobFieldCondition(names), ...ofUsers]);
  }
  const names = listNames(told.filter((job) => !isShared(job)));
  const ofUsers = told.filter(isShared).map((job) => createOr([others, ...listIdConditions(job, '!=')]));
  return createAnd([
    names.length === 0 ? undefined : createOr([others, createJobFieldCondition(names, '!~')]),
    ...ofUsers,
  ]);
}

/** The same for the events of jobs that are named. */
export function createToldCondition(told: readonly JobId[]): Condition | undefined {
  const others = createComparison(createRef(ORIGIN_TAG), '!=', createStringLiteral(IN_SLURM));
  return createAnd(told.map((job) => createOr([others, ...listIdConditions(job, '!=')])));
}

function findShared(told: readonly JobId[], untold: readonly JobId[]): ReadonlySet<string> {
  const names = new Set(told.map(({ job }) => job));
  return new Set(untold.map(({ job }) => job).filter((job) => names.has(job)));
}

/** For `!=`, any of them must hold. */
export function listIdConditions({ job, user }: JobId, operator: '=' | '!='): Condition[] {
  return Object.entries({ job, user }).map(([name, value]) =>
    createComparison(createRef(name), operator, createStringLiteral(encodeName(value)))
  );
}

/** Prefers the highest ids if there are too many: those are the newest. */
function listNames(jobs: readonly JobId[]): readonly string[] {
  const names = [...new Set(jobs.map(({ job }) => job))];
  return names.length <= MAX_NAMED ? names : names.sort(compareNatural).slice(-MAX_NAMED);
}
