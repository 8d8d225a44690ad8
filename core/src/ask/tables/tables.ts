import { parseJson } from '../../json/bounded-json.js';
import { parseKeyPaths } from '../../table/key-paths.js';
import { createTableForm, type TableForm } from '../../table/table-form.js';
import { parseTableStats, type TableStats } from '../../table/table-stats.js';
import { createColumn, createMeasurement, createSelect, createTagDimension } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import type { ResultSeries } from '../../influxql/response.js';
import { compareCodePoints } from '../../point/utf8.js';
import { compareOldestFirst, type Timed } from '../../rows/newest-first.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { SUMMARIES_SPREAD_NS } from '../../schema/metadata-point.js';
import { listRows, listSeries, type ReadableResult, readTag, type ResultRow } from '../reading/result-rows.js';
import { createTagCondition, type NameSelection, whereAll } from '../reading/selection.js';

export interface TablesRequest {
  readonly job: NameSelection;
  readonly user?: NameSelection;
  readonly series?: NameSelection;
  readonly task?: NameSelection;
}

/** One run of a table: its rows from a start of the job to the next one. */
export interface TableRun extends Timed {
  readonly rows: number;
}

/** One table of a job: the rows that share a key set. */
export interface TableSummary {
  readonly job: string;
  readonly user: string;
  readonly series: string;
  readonly task?: string;
  /**
   * Set if this table has no task, but others of the same job, user and series have one: their rows must be told apart.
   */
  readonly isBesideTasks?: true;
  /** In printed order. */
  readonly keys: readonly string[];
  /** The running statistics of the newest run; undefined when they cannot be read. */
  readonly stats?: TableStats;
  /** Keys that are known to have numbers and texts, where there are no statistics. */
  readonly mixedKeys?: readonly string[];
  /** How the rows of all runs were printed; undefined if nobody knows. */
  readonly form?: TableForm;
  /** The key that the ingester chose for X. */
  readonly x?: string;
  readonly rows: number;
  /** Oldest first; each at the time of its first row. */
  readonly runs: readonly TableRun[];
  /** Time of the table's first row. */
  readonly timeNs: bigint;
  /** Set if nobody can have written buckets of its rows. */
  readonly hasBuckets?: false;
}

/** What tells the points of one table from those of all others. */
export type TableIdentity = Pick<TableSummary, 'job' | 'user' | 'series' | 'task' | 'isBesideTasks'>;

/**
 * The tables of the selected jobs: one point each and one more for each time that the job was run again, or several
 * where the store does not rewrite points.
 */
export function tablesQuery(request: TablesRequest): SelectStatement {
  return createSelect({
    columns: ['keys', 'stats', 'x', 'rows', 'paths'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.series)],
    ...whereAll(
      createTagCondition('job', request.job),
      createTagCondition('user', request.user),
      createTagCondition('series', request.series),
      createTagCondition('task', request.task)
    ),
    groupBy: { dimensions: ['job', 'user', 'series', 'task'].map(createTagDimension) },
  });
}

/** Oldest table first; tables that begin together by series, then task. */
export function readTables(result: ReadableResult): TableSummary[] {
  const tables = listSeries(result).flatMap((series) => readTable(series));
  return sortTables(markTablesBesideTasks(tables));
}

export function sortTables(tables: readonly TableSummary[]): TableSummary[] {
  return tables.toSorted(
    (a, b) =>
      compareOldestFirst(a, b) ||
      compareCodePoints(a.job, b.job) ||
      compareCodePoints(a.series, b.series) ||
      compareCodePoints(a.task ?? '', b.task ?? '')
  );
}

export function markTablesBesideTasks<T extends Omit<TableIdentity, 'isBesideTasks'>>(
  tables: readonly T[]
): Array<T & Pick<TableIdentity, 'isBesideTasks'>> {
  const keyOf = ({ job, user, series }: T): string => JSON.stringify([job, user, series]);
  const withTasks = new Set(tables.filter(({ task }) => task !== undefined).map(keyOf));
  return tables.map((table) =>
    table.task === undefined && withTasks.has(keyOf(table)) ? { ...table, isBesideTasks: true } : table
  );
}

function readTable(series: ResultSeries): TableSummary[] {
  const runs = listRuns(series);
  const [first] = runs;
  const latest = runs.at(-1);
  if (first === undefined || latest === undefined) return [];
  const task = readTag(series, 'task');
  const runStats = runs.map((run) => parseTableStats(run.text('stats') ?? ''));
  const stats = runStats.at(-1);
  const keys = [...new Set(runs.flatMap(readKeys))];
  const paths = runs.findLast((run) => run.text('paths') !== undefined)?.text('paths');
  const x = latest.text('x');
  return [
    {
      job: readTag(series, 'job') ?? '',
      user: readTag(series, 'user') ?? '',
      series: readTag(series, 'series') ?? '',
      ...(task !== undefined && { task }),
      keys,
      ...(stats !== undefined && { stats }),
      form: createTableForm(keys, parseKeyPaths(paths ?? ''), runStats),
      ...(x !== undefined && { x }),
      rows: runs.reduce((sum, run) => sum + (run.number('rows') ?? 0), 0),
      runs: runs.map((run) => ({ timeNs: run.timeNs, rows: run.number('rows') ?? 0 })),
      timeNs: first.timeNs,
    },
  ];
}

/** The newest summary of each run, at the time of the run's first row. */
function listRuns(series: ResultSeries): ResultRow[] {
  const runs: ResultRow[] = [];
  for (const row of listRows(series).sort(compareOldestFirst)) {
    const last = runs.at(-1);
    if (last === undefined || row.timeNs >= last.timeNs + SUMMARIES_SPREAD_NS) runs.push(row);
    else runs[runs.length - 1] = { ...row, timeNs: last.timeNs };
  }
  return runs;
}

function readKeys(run: ResultRow): readonly string[] {
  return parseStringArray(run.text('keys') ?? '');
}

/** The texts of a JSON array; empty for any other text. */
export function parseStringArray(json: string): readonly string[] {
  const parsed = parseJson(json);
  return parsed.ok && Array.isArray(parsed.value) ? parsed.value.filter((item) => typeof item === 'string') : [];
}
