import { createColumn, createMeasurement, createSelect } from '../../influxql/build.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import { type JoinOptions, joinPartialRecords, type MetadataRecord, type PartialRecord } from '../../rows/join-rows.js';
import { decodeFieldKey, encodeFieldKey } from '../../schema/field-name.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { listRows, listSeries, type ReadableResult, type ResultRow } from '../reading/result-rows.js';
import {
  createNoTaskCondition,
  createTagCondition,
  createTimeConditions,
  type TimeSelection,
  whereAll,
} from '../reading/selection.js';
import type { TableIdentity, TableSummary } from './tables.js';

export interface RowsRequest extends TimeSelection {
  readonly table: TableIdentity & Pick<TableSummary, 'keys'>;
  /** Only these keys; rows without any of them are left out. Default: all keys of the table. */
  readonly keys?: readonly string[] | undefined;
  readonly order: 'asc' | 'desc';
  readonly limit?: number | undefined;
}

/**
 * The two halves of a table's rows: its numbers and its texts. Each names the table's own keys, because a wildcard
 * would give the columns of every job. The limit applies to each half, so the joined rows are whole up to it.
 */
export function rowsQueries(request: RowsRequest): readonly [SelectStatement, SelectStatement] {
  return [createHalf(request, MEASUREMENT.metadata), createHalf(request, MEASUREMENT.metadataText)];
}

export function createTableConditions(table: TableIdentity): ReadonlyArray<Condition | undefined> {
  return [
    createTagCondition('job', table.job),
    createTagCondition('user', table.user),
    createTagCondition('series', table.series),
    table.isBesideTasks === true ? createNoTaskCondition() : createTagCondition('task', table.task),
  ];
}

function createHalf(request: RowsRequest, measurement: string): SelectStatement {
  const { table, keys = table.keys, order, limit } = request;
  return createSelect({
    columns: keys.map((key) => createColumn(encodeFieldKey(key))),
    from: [createMeasurement(measurement)],
    ...whereAll(...createTableConditions(table), ...createTimeConditions(request)),
    orderBy: order === 'asc' ? 'ASC' : 'DESC',
    ...(limit !== undefined && { limit }),
  });
}

/**
 * The rows of a table from the results of rowsQueries, newest first unless asked otherwise. Pass the request's order
 * and limit.
 */
export function joinRows(
  numericResult: ReadableResult,
  textResult: ReadableResult,
  keys: readonly string[],
  options: Partial<Omit<JoinOptions, 'keys'>> = {}
): MetadataRecord[] {
  const { order = 'desc', limit } = options;
  return joinPartialRecords(readHalf(numericResult), readHalf(textResult), { keys, order, limit });
}

/** The points of one half of rowsQueries. */
export function readHalf(result: ReadableResult): PartialRecord[] {
  return listSeries(result).flatMap((series) => {
    const columns = series.columns
      .filter((column) => column !== 'time')
      .map((column) => [column, decodeFieldKey(column)] as const);
    return listRows(series).map((row) => ({ timeNs: row.timeNs, values: readValues(row, columns) }));
  });
}

function readValues(
  row: ResultRow,
  columns: ReadonlyArray<readonly [string, string]>
): ReadonlyMap<string, number | string> {
  const values = new Map<string, number | string>();
  for (const [column, key] of columns) {
    const value = row.value(column);
    if (typeof value === 'number' || typeof value === 'string') values.set(key, value);
  }
  return values;
}
