import { createMeasurement, createSelect, createTagDimension, freezeNode } from '../influxql/build.js';
import type { Condition, SelectStatement, Statement } from '../influxql/nodes.js';
import { compareNatural } from '../rows/natural-order.js';
import { MEASUREMENT } from '../schema/measurements.js';
import type { FindRequest, FoundJob } from './find-jobs.js';
import { formatJobKey } from './find-jobs.js';
import { listRows, listSeries, readTag, readTagValues } from './result-rows.js';
import type { ReadableResult } from './result-rows.js';
import { createTagCondition, createTimeConditions, whereAll } from './selection.js';
import type { NameSelection } from './selection.js';

/** So many names are compared. Of more, those beyond cannot be told apart. */
const MAX_ROW_JOB_NAMES = 20_000;
/** So many jobs are looked for by their rows, those with the highest numbers: a row has the keys of all of them. */
const MAX_ROW_JOBS = 100;
const ROWS = [MEASUREMENT.metadata, MEASUREMENT.metadataText];

/**
 * Asks for the names of jobs that have rows, and of those whose tables are described, in the range or near it: InfluxDB
 * takes whole shards. These questions read no values.
 */
export function rowJobNamesQueries({ user, ...range }: FindRequest): readonly [rows: Statement, tables: Statement] {
  const list = (measurements: readonly string[]): Statement =>
    freezeNode({
      kind: 'showTagValues',
      from: measurements.map(createMeasurement),
      key: freezeNode({ operator: '=', name: 'job' }),
      ...whereAll(createTagCondition('user', user), ...createTimeConditions(range)),
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

/**
 * Asks for the newest row of each job that has rows alone in the range, from the results of rowJobNamesQueries.
 * Undefined where there is no such job.
 */
export function rowJobsQueries(
  { user, ...range }: FindRequest,
  names: readonly ReadableResult[]
): readonly SelectStatement[] | undefined {
  const job = readRowJobNames(names);
  if (job.length === 0) return undefined;
  const inRange = createTimeConditions({ fromNs: range.fromNs, toNs: range.toNs });
  return ROWS.map((measurement) => onePointQuery(measurement, { job, user }, { more: inRange, orderBy: 'DESC' }));
}

/**
 * Asks for the first row and the first event of jobs by name: of a job of another writer, there may be nothing else.
 * readRowJobs reads the results.
 */
export function namedRowJobsQueries(names: JobNames): readonly SelectStatement[] {
  return [...ROWS, MEASUREMENT.event].map((measurement) => onePointQuery(measurement, names));
}

interface JobNames {
  readonly job: NameSelection;
  readonly user?: NameSelection;
}

/** The first point of each of these jobs, or the newest, with all of its fields. */
function onePointQuery(
  measurement: string,
  { job, user }: JobNames,
  {
    more = [],
    ...order
  }: { readonly more?: readonly (Condition | undefined)[] } & Pick<SelectStatement, 'orderBy'> = {}
): SelectStatement {
  return createSelect({
    columns: [{ expression: { kind: 'wildcard', only: 'field' } }],
    from: [createMeasurement(measurement)],
    ...whereAll(createTagCondition('job', job), createTagCondition('user', user), ...more),
    groupBy: { dimensions: ['job', 'user'].map(createTagDimension) },
    ...order,
    limit: 1,
  });
}

/** The jobs in the results of rowJobsQueries. Their keys say nothing of them, not even one named `state`. */
export function readRowJobs(results: readonly ReadableResult[]): FoundJob[] {
  const found = new Map<string, FoundJob>();
  for (const series of results.flatMap(listSeries)) {
    const [job, user = ''] = [readTag(series, 'job'), readTag(series, 'user')];
    const [row] = listRows(series);
    if (job === undefined || row === undefined) continue;
    const key = formatJobKey({ job, user });
    const { timeNs } = row;
    if ((found.get(key)?.toNs ?? -1n) < timeNs) found.set(key, { job, user, fromNs: timeNs, toNs: timeNs });
  }
  return [...found.values()];
}
