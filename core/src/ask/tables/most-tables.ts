import { createCallColumn, createMeasurement, createSelect, createTagDimension } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { listRows, listSeries, type ReadableResult, readTag } from '../reading/result-rows.js';
import { createTimeConditions, type TimeSelection, whereAll } from '../reading/selection.js';

/** How many tables a job has; one that was started again has those of each start. */
export interface JobTables {
  readonly job: string;
  readonly user: string;
  readonly tables: number;
}

/** Counts the tables that jobs began in a range. */
export function countTablesQuery(range: TimeSelection): SelectStatement {
  return createSelect({
    columns: [createCallColumn('count', 'rows', 'tables')],
    from: [createMeasurement(MEASUREMENT.series)],
    ...whereAll(...createTimeConditions(range)),
    groupBy: { dimensions: [createTagDimension('job'), createTagDimension('user')] },
  });
}

/** The jobs that have the most tables, these first. */
export function readMostTables(result: ReadableResult, most: number): readonly JobTables[] {
  const jobs = listSeries(result).flatMap((series) => {
    const [row] = listRows(series);
    const tables = row?.number('tables') ?? 0;
    return tables === 0 ? [] : [{ job: readTag(series, 'job') ?? '', user: readTag(series, 'user') ?? '', tables }];
  });
  return jobs.sort((a, b) => b.tables - a.tables).slice(0, most);
}
