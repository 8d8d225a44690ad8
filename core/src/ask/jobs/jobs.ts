import { groupBy } from '../../lists/group-by.js';
import { isActiveState } from '../../words/states.js';
import {
  createCallColumn,
  createColumn,
  createMeasurement,
  createSelect,
  createTagDimension,
} from '../../influxql/build.js';
import type { Condition, SelectColumn, SelectStatement, Statement } from '../../influxql/nodes.js';
import type { ResultSeries } from '../../influxql/response.js';
import { NS_PER_US } from '../../numbers/time-units.js';
import { foldJobPoints, type JobFields, type JobState } from '../../rows/fold-job-points.js';
import { compareNatural } from '../../rows/natural-order.js';
import { compareNewestFirst, compareOldestFirst } from '../../rows/newest-first.js';
import { JOB_FIELDS } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { formatJobKey, type FoundJob } from '../heartbeats/find-jobs.js';
import { readLastValues } from './last-values.js';
import { listRows, listSeries, type ReadableResult, readTag } from '../reading/result-rows.js';
import { createTagCondition, createTimeConditions, type NameSelection, whereAll } from '../reading/selection.js';
import { readTables, tablesQuery, type TableSummary } from '../tables/tables.js';

export interface JobsRequest {
  /** Only jobs that ran or waited at some time from this one (inclusive) … */
  readonly fromNs?: bigint | undefined;
  /** … to this one (inclusive). */
  readonly toNs?: bigint | undefined;
  readonly job?: NameSelection;
  readonly user?: NameSelection;
  /**
   * Whether the last metadata values come too (default yes). They are most of the answer. In a store with thousands of
   * jobs, ask without them, then use jobValuesQuery for the jobs that are shown.
   */
  readonly values?: boolean;
  /** Whether each job's `config` comes too (default no). */
  readonly config?: boolean;
  /** Whether each job's `manifest` comes too (default no): some kilobytes. */
  readonly manifest?: boolean;
  /** Whether it comes what each job asked for and used (default no). Lists do not show it. */
  readonly resources?: boolean;
}

export interface JobRecord extends JobState {
  readonly job: string;
  readonly user: string;
  /** When the job started, or else was submitted, or else wrote its first point. Lists of jobs are in this order. */
  readonly timeNs: bigint;
  /** First and last log line or table, if there is any; the last is within the requested range. */
  readonly firstSeenNs?: bigint;
  readonly lastSeenNs?: bigint;
  /**
   * The last log line within the range, if there is any. For a job without a description, it is the only sign of its
   * end.
   */
  readonly lastLogNs?: bigint;
  /** The newest row, of any time, where that was asked for (lastRowQueries). */
  readonly lastRowNs?: bigint;
  /** Until when it lived, by its heartbeats, if nobody wrote how it ended (findLostJobs). */
  readonly aliveUntilMs?: number;
  /** The last value of each metadata key, in printed order; a long text is cut. */
  readonly values: ReadonlyMap<string, number | string>;
}

const JOB_COLUMNS = Object.values(JOB_FIELDS);
const TIME_COLUMNS: ReadonlySet<string> = new Set([JOB_FIELDS.submittedMs, JOB_FIELDS.startedMs, JOB_FIELDS.endedMs]);
const RESOURCE_COLUMNS: ReadonlySet<string> = new Set([
  JOB_FIELDS.account,
  JOB_FIELDS.requestedCpus,
  JOB_FIELDS.requestedGpus,
  JOB_FIELDS.requestedMemoryBytes,
  JOB_FIELDS.timeLimitS,
  JOB_FIELDS.usedMemoryBytes,
]);
const BY_JOB = { dimensions: ['job', 'user'].map(createTagDimension) };

/**
 * Everything about the jobs that a request names, as four statements: their descriptions, the first and last log line
 * of each, and the summaries of their tables. Descriptions have no time limit: a job that runs in the range may have
 * started long before. So without names this costs what all jobs ever run cost. For a list, use findJobsQuery and then
 * describeJobsQuery.
 */
export function jobsQuery(request: JobsRequest): [SelectStatement, SelectStatement, SelectStatement, SelectStatement] {
  const names = [createTagCondition('job', request.job), createTagCondition('user', request.user)];
  const { fromNs, toNs, values = true } = request;
  const described = JOB_COLUMNS.filter((name) => isAskedFor(name, request));
  return [
    createByJob(
      MEASUREMENT.job,
      described.map((name) => createColumn(name)),
      names
    ),
    createByJob(MEASUREMENT.log, [createCallColumn('first', 'kind')], [...names, ...createTimeConditions({ toNs })]),
    createByJob(MEASUREMENT.log, [createCallColumn('last', 'kind')], [...names, ...createTimeConditions({ fromNs })]),
    values
      ? tablesQuery({ job: request.job, user: request.user })
      : createByJob(MEASUREMENT.series, [createColumn('rows')], names),
  ];
}

function isAskedFor(column: string, { config, manifest, resources }: JobsRequest): boolean {
  if (RESOURCE_COLUMNS.has(column)) return resources === true;
  if (column === JOB_FIELDS.config) return config === true;
  return column !== JOB_FIELDS.manifest || manifest === true;
}

export function listNames(jobs: ReadonlyArray<{ readonly job: string }>): string[] {
  return [...new Set(jobs.map(({ job }) => job))];
}

/** The last metadata values of jobs that were listed without them. Use it for a page of jobs, not for thousands. */
export function jobValuesQuery(jobs: ReadonlyArray<Pick<JobRecord, 'job'>>): Statement {
  return tablesQuery({ job: listNames(jobs) });
}

/** The tables of jobs in the result of jobValuesQuery, by formatJobKey. */
export function readTablesByJob(result: ReadableResult): ReadonlyMap<string, readonly TableSummary[]> {
  return groupBy(readTables(result), formatJobKey);
}

/** The same jobs with the values of the result of jobValuesQuery. */
export function addJobValues(jobs: readonly JobRecord[], result: ReadableResult): JobRecord[] {
  const tables = readTablesByJob(result);
  return jobs.map((job) => ({ ...job, values: readLastValues(tables.get(formatJobKey(job)) ?? []) }));
}

function createByJob(
  measurement: string,
  columns: readonly SelectColumn[],
  conditions: ReadonlyArray<Condition | undefined>
): SelectStatement {
  return createSelect({ columns, from: [createMeasurement(measurement)], ...whereAll(...conditions), groupBy: BY_JOB });
}

/** The answers of the statements about one job. */
interface JobDraft {
  readonly job: string;
  readonly user: string;
  state: JobState;
  firstLogNs?: bigint;
  lastLogNs?: bigint;
  readonly tables: TableSummary[];
  /** Set if the job is known to have lived in the range. */
  readonly found?: FoundJob;
}

/**
 * The jobs in the results of jobsQuery: running jobs first, then the newest. Pass the same request: descriptions of all
 * times come, and this function decides which jobs ran in the range. A job that was only piped (no description) is
 * listed too. A job that has only tables has no known end, so it counts as still running. With `found`, only these jobs
 * count.
 */
export function readJobs(
  results: readonly ReadableResult[],
  request: JobsRequest = {},
  found?: readonly FoundJob[]
): JobRecord[] {
  const drafts = collectDrafts(results, found);
  return drafts
    .filter((draft) => (found === undefined || draft.found !== undefined) && isInRange(draft, request))
    .map(createRecord)
    .sort(compareJobs);
}

/** The order of lists: running jobs first, then the newest. */
export function compareJobs(a: JobRecord, b: JobRecord): number {
  return (
    Number(isActive(b)) - Number(isActive(a)) ||
    compareNewestFirst(a, b) ||
    compareNatural(b.job, a.job) ||
    compareNatural(a.user, b.user)
  );
}

function isActive({ state, endedMs }: JobState): boolean {
  return endedMs === undefined && isActiveState(state);
}

export function collectDrafts(results: readonly ReadableResult[], found: readonly FoundJob[] = []): JobDraft[] {
  const drafts = new Map<string, JobDraft>();
  for (const one of found) {
    drafts.set(formatJobKey(one), { job: one.job, user: one.user, state: {}, tables: [], found: one });
  }
  const draftOf = (job: string, user: string): JobDraft => {
    const key = formatJobKey({ job, user });
    const draft = drafts.get(key) ?? { job, user, state: {}, tables: [] };
    drafts.set(key, draft);
    return draft;
  };
  const [jobs, firsts, lasts, tables] = results;
  const eachJob = (result: ReadableResult, visit: (draft: JobDraft, series: ResultSeries) => void): void => {
    for (const series of listSeries(result))
      visit(draftOf(readTag(series, 'job') ?? '', readTag(series, 'user') ?? ''), series);
  };
  const points = new Map<JobDraft, JobFields[]>();
  eachJob(jobs, (draft, series) => points.set(draft, [...(points.get(draft) ?? []), ...readJobPoints(series)]));
  for (const [draft, changes] of points) draft.state = foldJobPoints(changes.sort(compareOldestFirst));
  eachJob(firsts, (draft, series) => {
    const timeNs = listRows(series)[0]?.timeNs;
    if (timeNs !== undefined) draft.firstLogNs = timeNs;
  });
  eachJob(lasts, (draft, series) => {
    const timeNs = listRows(series)[0]?.timeNs;
    if (timeNs !== undefined) draft.lastLogNs = timeNs;
  });
  for (const table of readTables(tables)) draftOf(table.job, table.user).tables.push(table);
  return [...drafts.values()];
}

function readJobPoints(series: ResultSeries): JobFields[] {
  return listRows(series).map((row) => ({
    timeNs: row.timeNs,
    values: new Map(JOB_COLUMNS.map((name) => [name, TIME_COLUMNS.has(name) ? row.timeMs(name) : row.value(name)])),
  }));
}

function isInRange(draft: JobDraft, { fromNs, toNs }: JobsRequest): boolean {
  const beginNs = findBegin(draft);
  const endNs = draft.found === undefined || draft.state.endedMs !== undefined ? findEnd(draft) : undefined;
  if (beginNs === undefined) return false;
  if (toNs !== undefined && beginNs > toNs) return false;
  return fromNs === undefined || endNs === undefined || endNs >= fromNs;
}

/** The first sign of a job, of its earliest run. */
function findBegin(draft: JobDraft): bigint | undefined {
  const { firstMs, changedNs } = draft.state;
  const described = firstMs === undefined ? changedNs : nsOfMs(firstMs);
  const seen = [draft.firstLogNs, draft.tables[0]?.timeNs, described].filter((timeNs) => timeNs !== undefined);
  return seen.length === 0 ? draft.found?.fromNs : seen.reduce((a, b) => (b < a ? b : a));
}

/** When a job ended; undefined while it waits or runs, and if nothing tells. */
function findEnd(draft: JobDraft): bigint | undefined {
  const { endedMs, changedNs } = draft.state;
  if (endedMs !== undefined) {
    // A clock may have been set back before the end was written, and another host's may be ahead of it.
    const known = [nsOfMs(endedMs), findBegin(draft), draft.lastLogNs].filter((timeNs) => timeNs !== undefined);
    return known.reduce((a, b) => (b > a ? b : a));
  }
  if (changedNs !== undefined) return undefined;
  if (draft.lastLogNs !== undefined) return draft.lastLogNs;
  // The last line is before the range, or there is no log at all.
  return draft.tables.length > 0 && draft.firstLogNs === undefined ? undefined : draft.firstLogNs;
}

function createRecord(draft: JobDraft): JobRecord {
  const { changedNs } = draft.state;
  const state = addFoundState(draft);
  const { startedMs, submittedMs } = state;
  const describedMs = startedMs ?? submittedMs;
  const begin = findBegin(draft) ?? changedNs ?? 0n;
  const seen = [draft.firstLogNs, draft.lastLogNs, ...draft.tables.map((table) => table.timeNs)].filter(
    (timeNs) => timeNs !== undefined
  );
  const [first] = seen;
  const bounds =
    first === undefined
      ? {}
      : {
          firstSeenNs: seen.reduce((a, b) => (b < a ? b : a), first),
          lastSeenNs: seen.reduce((a, b) => (b > a ? b : a), first),
        };
  return {
    ...state,
    job: draft.job,
    user: draft.user,
    timeNs: describedMs === undefined ? begin : nsOfMs(describedMs),
    ...bounds,
    ...(draft.lastLogNs !== undefined && { lastLogNs: draft.lastLogNs }),
    values: readLastValues(draft.tables),
  };
}

/** Where nobody described a job, its heartbeats tell. */
function addFoundState({ state, found }: JobDraft): JobState {
  if (found?.state === undefined || state.state !== undefined) return state;
  return { ...(found.startedMs !== undefined && { startedMs: found.startedMs }), ...state, state: found.state };
}

function nsOfMs(timeMs: number): bigint {
  return BigInt(Math.round(timeMs * 1000)) * NS_PER_US;
}
