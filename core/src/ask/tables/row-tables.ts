import { createMeasurement, freezeNode } from '../../influxql/build.js';
import type { Statement } from '../../influxql/nodes.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import { countFoundTableQueries, findTables, type FindTablesRequest, readCountedTables } from './find-tables.js';
import type { Reading } from '../reading/reading.js';
import { decodeTag, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTagCondition, createTimeConditions, whereAll } from '../reading/selection.js';
import { markTablesBesideTasks, sortTables, type TableIdentity, type TableSummary } from './tables.js';

/** One request counts the rows of so many tables. */
const COUNTED_AT_ONCE = 50;
/** The tables of more jobs are not compared with their rows. */
const MAX_JOBS = 100;

/**
 * Finds the tables of chosen jobs of which there are rows alone in the range, as their writer describes none. All
 * tables of a job are these and the described ones (joinTables). Where all are described, an index says so.
 */
export function* findRowTables(
  request: FindTablesRequest,
  described: readonly TableSummary[],
  limit: number
): Reading<readonly TableSummary[]> {
  const jobs = [...new Map(described.map((table) => [formatJobKey(table), table])).values()];
  if (jobs.length === 0) return yield* findOthers(request, described, limit);
  if (jobs.length > MAX_JOBS) return [];
  const isOfAnyone = [request.user ?? []].flat().length === 0;
  const nobodys = jobs.every(({ user }) => user !== '') && isOfAnyone ? [{ ...request, user: '' }] : [];
  const [all, ...results] = yield [
    listValues(request, ['job', 'user']),
    ...nobodys.map((of) => listValues(of, ['series'])),
    ...jobs.map(({ job, user }) => listValues({ ...request, job, user }, ['series', 'task'])),
  ];
  const [ofNobody, ofJobs] = [results.slice(0, nobodys.length), results.slice(nobodys.length)];
  const isOther = hasOthers(all, jobs) || ofNobody.some((result) => readValues(result).size > 0);
  const open = jobs.map((job, at) => listOpen(ofJobs[at], described, job));
  if (isOther || open.includes('all')) return yield* findOthers(request, described, limit);
  const series = [...new Set(open.flatMap((names) => (names === 'all' ? [] : names)))];
  return series.length === 0 ? [] : yield* findOthers({ ...request, series }, described, limit);
}

/** All tables of a job: those that are described, and those of which there are rows alone. */
export function joinTables(described: readonly TableSummary[], found: readonly TableSummary[]): TableSummary[] {
  const known = new Set(described.map(formatId));
  return sortTables(markTablesBesideTasks([...described, ...found.filter((table) => !known.has(formatId(table)))]));
}

function listValues(request: FindTablesRequest, names: readonly string[]): Statement {
  const { fromNs, toNs } = request;
  return freezeNode({
    kind: 'showTagValues',
    from: [MEASUREMENT.metadata, MEASUREMENT.metadataText].map(createMeasurement),
    key: freezeNode({ operator: 'in', names }),
    ...whereAll(
      ...(['job', 'user', 'series', 'task'] as const).map((tag) => createTagCondition(tag, request[tag])),
      ...createTimeConditions({ fromNs, toNs })
    ),
  });
}

function readValues(result: ReadableResult): ReadonlyMap<string, ReadonlySet<string>> {
  const lists = new Map<string, Set<string>>();
  for (const { columns, values } of listSeries(result)) {
    const [keyAt, valueAt] = [columns.indexOf('key'), columns.indexOf('value')];
    for (const row of values) {
      const [key, value] = [row[keyAt], row[valueAt]];
      const name = typeof value === 'string' ? decodeTag(value) : undefined;
      if (typeof key !== 'string' || name === undefined) continue;
      lists.set(key, (lists.get(key) ?? new Set()).add(name));
    }
  }
  return lists;
}

type JobId = Pick<TableIdentity, 'job' | 'user'>;

function hasOthers(result: ReadableResult, jobs: readonly JobId[]): boolean {
  const values = readValues(result);
  return (['job', 'user'] as const).some((tag) => {
    const known = new Set(jobs.map((job) => job[tag]));
    return [...(values.get(tag) ?? [])].some((name) => !known.has(name));
  });
}

/** The series of a job that nobody has described; all of them, where a task has none. */
function listOpen(result: ReadableResult, described: readonly TableSummary[], job: JobId): readonly string[] | 'all' {
  const values = readValues(result);
  const own = described.filter((table) => formatJobKey(table) === formatJobKey(job));
  const [series, tasks] = [new Set(own.map((table) => table.series)), new Set(own.map((table) => table.task))];
  if ([...(values.get('task') ?? [])].some((task) => !tasks.has(task))) return 'all';
  return [...(values.get('series') ?? [])].filter((name) => !series.has(name));
}

function* findOthers(
  request: FindTablesRequest,
  described: readonly TableSummary[],
  limit: number
): Reading<readonly TableSummary[]> {
  const known = new Set(described.map(formatId));
  // Described tables are among those that are found.
  const found = yield* findTables(request, limit + described.length);
  const open = found.filter((table) => !known.has(formatId(table))).slice(0, limit);
  const counted: TableSummary[] = [];
  for (let at = 0; at < open.length; at += COUNTED_AT_ONCE) {
    const some = open.slice(at, at + COUNTED_AT_ONCE);
    const results = yield some.flatMap((table) => countFoundTableQueries(table, request));
    counted.push(...readCountedTables(some, results));
  }
  return sortTables(counted);
}

function formatId({ job, user, series, task }: TableIdentity): string {
  return JSON.stringify([job, user, series, task]);
}
