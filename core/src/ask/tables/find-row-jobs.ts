import { createMeasurement, freezeNode } from '../../influxql/build.js';
import type { SelectStatement, Statement } from '../../influxql/nodes.js';
import { compareNatural } from '../../rows/natural-order.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { type Combination, findCombinedRows } from './find-combinations.js';
import { type FindRequest, formatJobKey, type FoundJob, selectRange } from '../heartbeats/find-jobs.js';
import { type Reading, together, withoutParts } from '../reading/reading.js';
import { decodeTag, listRows, listSeries, type ReadableResult, readTagValues } from '../reading/result-rows.js';
import {
  createTagCondition,
  createTimeConditions,
  type NameSelection,
  SINCE_EVER,
  type TimeSelection,
  whereAll,
} from '../reading/selection.js';

/** The most names to compare. Beyond this limit, jobs cannot be told apart. */
const MAX_ROW_JOB_NAMES = 20_000;
/** The most jobs to find by their rows, those with the highest numbers: a row has the keys of all of them. */
const MAX_ROW_JOBS = 100;
const ROWS = [MEASUREMENT.metadata, MEASUREMENT.metadataText];

/**
 * Asks for the names of jobs that have rows, and of those whose tables are described, in the range or near it: InfluxDB
 * takes whole shards. These questions read no values.
 */
export function rowJobNamesQueries(request: FindRequest): readonly [rows: Statement, tables: Statement] {
  const list = (measurements: readonly string[]): Statement =>
    freezeNode({
      kind: 'showTagValues',
      from: measurements.map(createMeasurement),
      key: freezeNode({ operator: '=', name: 'job' }),
      ...whereAll(createTagCondition('user', request.user), ...createTimeConditions(selectRange(request))),
      limit: MAX_ROW_JOB_NAMES,
    });
  return [list(ROWS), list([MEASUREMENT.series])];
}

/** The names of jobs that have rows alone, in the results of rowJobNamesQueries. */
function readRowJobNames([rows, tables]: readonly ReadableResult[]): readonly string[] {
  const described = new Set(readTagValues(tables));
  if (described.size >= MAX_ROW_JOB_NAMES) return [];
  const alone = new Set(readTagValues(rows).filter((name) => !described.has(name)));
  return [...alone].sort((a, b) => compareNatural(b, a)).slice(0, MAX_ROW_JOBS);
}

/** Jobs have few users, so that these tell the combinations in few questions. */
const TAGS = ['user', 'job'] as const;
const JOB = ['job'] as const;
const MAX_COMBINATIONS = 1000;

/** The jobs of a range that have rows alone, each at its newest one, from the results of rowJobNamesQueries. */
export function* findRowJobs(request: FindRequest, names: readonly ReadableResult[]): Reading<readonly FoundJob[]> {
  const job = readRowJobNames(names);
  if (job.length === 0) return [];
  return yield* findPoints({
    measurements: ROWS,
    job,
    user: request.user,
    range: selectRange(request),
    orderBy: 'DESC',
  });
}

interface NamesRequest {
  readonly job: NameSelection;
  readonly user?: NameSelection;
  /** By formatJobKey, those that need not be found. */
  readonly known: ReadonlySet<string>;
}

/**
 * Finds jobs by name at their first row, line or event: of a job of another writer, there may be nothing else.
 * An index answers, unless there are such jobs.
 */
export function* findNamedRowJobs({ job, user, known }: NamesRequest): Reading<readonly FoundJob[]> {
  const common = {
    measurements: [...ROWS, MEASUREMENT.event, MEASUREMENT.log],
    job,
    known,
    range: SINCE_EVER,
    orderBy: 'ASC',
  } as const;
  // No index tells of points without a user.
  const users = [user ?? []].flat().length === 0 ? [undefined, ''] : [user];
  const found = yield* withoutParts(together(users.map((one) => findPoints({ ...common, user: one }))));
  return found.flat();
}

interface PointsRequest extends Required<Pick<SelectStatement, 'orderBy'>> {
  readonly measurements: readonly string[];
  readonly job: NameSelection;
  readonly user?: NameSelection;
  readonly range: TimeSelection;
  readonly known?: ReadonlySet<string>;
}

/** The first point of each of these jobs, or the newest, with all of its fields. */
function* findPoints({ measurements, job, user, range, orderBy, known }: PointsRequest): Reading<readonly FoundJob[]> {
  const ofNames = [createTagCondition('job', job), createTagCondition('user', user)];
  const inRange = createTimeConditions({ fromNs: range.fromNs, toNs: range.toNs });
  const conditions = [...ofNames, ...inRange];
  const isWanted = (one: Combination): boolean => known?.has(formatJobKey(readNames(one))) !== true;
  // Points without a tag have no value of it in an index, and those beside them have.
  const tags = user === '' ? JOB : TAGS;
  const request = { measurements, tags, conditions, limit: MAX_COMBINATIONS, orderBy, rows: 1, isWanted };
  const { found, results } = yield* findCombinedRows(request);
  return readRowJobs(found, results);
}

function readNames({ values }: Pick<Combination, 'values'>): { readonly job: string; readonly user: string } {
  const [job = '', user = ''] = ['job', 'user'].map((tag) => decodeTag(values.get(tag)));
  return { job, user };
}

/** Their keys say nothing of them, not even one named `state`. */
function readRowJobs(asked: readonly Combination[], results: readonly ReadableResult[]): FoundJob[] {
  const found = new Map<string, FoundJob>();
  for (const [at, { values }] of asked.entries()) {
    const { job, user } = readNames({ values });
    const [row] = listSeries(results[at]).flatMap(listRows);
    if (job === '' || row === undefined) continue;
    const key = formatJobKey({ job, user });
    const { timeNs } = row;
    const known = found.get(key);
    if (known === undefined || known.toNs < timeNs) found.set(key, { job, user, fromNs: timeNs, toNs: timeNs });
  }
  return [...found.values()];
}
