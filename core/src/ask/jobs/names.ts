import {
  createColumn,
  createMeasurement,
  createSelect,
  createTimeComparison,
  freezeNode,
} from '../../influxql/build.js';
import type { Condition, Statement } from '../../influxql/nodes.js';
import { compareNatural } from '../../rows/natural-order.js';
import { compareCodePoints } from '../../point/utf8.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { listRows, listSeries, type ReadableResult, readTagValues } from '../reading/result-rows.js';
import {
  createTagCondition,
  createTimeConditions,
  type NameSelection,
  SINCE_EVER,
  type TimeSelection,
  whereAll,
} from '../reading/selection.js';
import {
  chooseGrid,
  findFirstSlotNs,
  findJobsQuery,
  type FindRequest,
  FINEST_GRID,
  readFoundJobs,
} from '../heartbeats/find-jobs.js';
import { parseStringArray } from '../tables/tables.js';

export type NameKind = 'jobs' | 'users' | 'series' | 'fields' | 'tasks' | 'states' | 'categories' | 'workers';

export interface NamesRequest extends Pick<TimeSelection, 'fromNs' | 'toNs'> {
  readonly kind: NameKind;
  readonly job?: NameSelection;
  readonly user?: NameSelection;
  readonly series?: NameSelection;
}

/** Every measurement that can be the only one a job has points in. */
const JOB_MEASUREMENTS = [MEASUREMENT.job, MEASUREMENT.log, MEASUREMENT.series];

const TAG_OF: Readonly<Record<Exclude<NameKind, 'fields'>, string>> = {
  jobs: 'job',
  users: 'user',
  series: 'series',
  tasks: 'task',
  states: 'to_state',
  categories: 'category',
  workers: 'worker',
};

const OF_SPANS: readonly NameKind[] = ['categories', 'workers'];

/** Without a job, names of these kinds are those of the range: to collect all of a large store takes long. */
const KINDS_OF_RANGE: ReadonlySet<NameKind> = new Set(['series', 'fields', 'tasks', ...OF_SPANS]);

/** The most names of an answer: nobody reads more, and one can search. */
export const MAX_NAMES = 1000;

/**
 * The jobs that lived in a range, or the users who had any (InfluxDB 1.x gives those of whole shards), from the
 * heartbeats: their cost does not depend on how many jobs the store has. Undefined where only namesQuery can tell. Jobs
 * are the newest MAX_NAMES; `search` is a part of a name.
 */
export function recentNamesQuery(request: NamesRequest & FindRequest, search = ''): Statement | undefined {
  const { kind, job, series } = request;
  if (hasNames(job) || hasNames(series)) return undefined;
  if (kind === 'users') {
    const fromNs = findFirstSlotNs(request.fromNs, FINEST_GRID);
    return createTagValues([MEASUREMENT.heartbeat], 'user', ...createTimeConditions({ fromNs }));
  }
  if (kind !== 'jobs') return undefined;
  return { ...findJobsQuery(request, undefined, search), limit: MAX_NAMES };
}

/** The names in the result of recentNamesQuery: running jobs first, then the newest; users sorted. */
export function readRecentNames(
  { kind, fromNs, toNs }: Pick<NamesRequest, 'kind'> & FindRequest,
  results: readonly ReadableResult[]
): string[] {
  if (kind !== 'jobs') return readNames(kind, results);
  return unique(readFoundJobs(results, chooseGrid({ fromNs, toNs })).map(({ job }) => job));
}

/**
 * Which names exist, for a list to choose from. Fields are the keys of the selected tables; SHOW FIELD KEYS would give
 * every job's. Without a job, fields and series are those of tables that begin in the range, and tasks those that have
 * points in it (for series and tasks, InfluxDB 1.x takes whole shards).
 */
export function namesQuery(request: NamesRequest): Statement[] {
  const chosen = [
    createTagCondition('job', request.job),
    createTagCondition('user', request.user),
    OF_SPANS.includes(request.kind) ? undefined : createTagCondition('series', request.series),
  ];
  const isOfRange = !hasNames(request.job) && KINDS_OF_RANGE.has(request.kind);
  if (request.kind === 'fields') {
    return [
      createSelect({
        columns: [createColumn('keys')],
        from: [createMeasurement(MEASUREMENT.series)],
        ...whereAll(...chosen, ...(isOfRange ? createTimeConditions(request) : [])),
        ...(isOfRange && { limit: MAX_NAMES }),
      }),
    ];
  }
  // Few series have them, however many jobs there are.
  if (request.kind === 'states') {
    return [createTagValues([MEASUREMENT.transition], TAG_OF.states, createTimeComparison('>=', 0n))];
  }
  const range = isOfRange ? { fromNs: request.fromNs ?? SINCE_EVER.fromNs, toNs: request.toNs } : SINCE_EVER;
  const conditions = [...chosen, ...createTimeConditions(range)];
  return [createTagValues(chooseMeasurements(request), TAG_OF[request.kind], ...conditions)];
}

function chooseMeasurements({ kind, series }: NamesRequest): readonly string[] {
  if (OF_SPANS.includes(kind)) return [MEASUREMENT.span];
  return kind === 'series' || series !== undefined ? [MEASUREMENT.series] : JOB_MEASUREMENTS;
}

function createTagValues(
  measurements: readonly string[],
  tag: string,
  ...conditions: ReadonlyArray<Condition | undefined>
): Statement {
  const key = freezeNode({ operator: '=', name: tag });
  return freezeNode({
    kind: 'showTagValues',
    from: measurements.map(createMeasurement),
    key,
    ...whereAll(...conditions),
    limit: MAX_NAMES,
  });
}

function hasNames(selection: NameSelection): boolean {
  return selection !== undefined && selection.length > 0;
}

/** Whether the store may have more names than these results of namesQuery or recentNamesQuery have. */
export function isLimitedNames(results: readonly ReadableResult[]): boolean {
  return results.flatMap(listSeries).some(({ values }) => values.length >= MAX_NAMES);
}

/** The names without repeats: jobs with the highest number first, fields in printed order, others sorted. */
export function readNames(kind: NameKind, results: readonly ReadableResult[]): string[] {
  if (kind === 'fields') return unique(results.flatMap(readKeyLists));
  const names = unique(results.flatMap(readTagValues));
  if (kind === 'jobs') return names.sort((a, b) => compareNatural(b, a));
  return names.sort(kind === 'tasks' || kind === 'workers' ? compareNatural : compareCodePoints);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

function readKeyLists(result: ReadableResult): string[] {
  return listSeries(result).flatMap((series) =>
    listRows(series).flatMap((row) => parseStringArray(row.text('keys') ?? ''))
  );
}
