import { createCallColumn, createColumn, createMeasurement, createSelect } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import type { ResultSeries } from '../../influxql/response.js';
import { compareCodePoints } from '../../point/utf8.js';
import { decodeFieldKey, encodeFieldKey } from '../../schema/field-name.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { type Combination, findCombinedRows } from './find-combinations.js';
import type { Reading } from '../reading/reading.js';
import { decodeTag, listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTableConditions } from './rows.js';
import { createTagCondition, createTimeConditions, whereAll } from '../reading/selection.js';
import {
  markTablesBesideTasks,
  sortTables,
  type TableIdentity,
  type TablesRequest,
  type TableSummary,
} from './tables.js';

export interface FindTablesRequest extends TablesRequest {
  /** Inclusive. */
  readonly fromNs: bigint;
  /** Inclusive; left out: without an end. */
  readonly toNs?: bigint;
}

/** A table that was found by its rows. */
export interface FoundTable extends TableIdentity, Pick<TableSummary, 'mixedKeys'> {
  /** The keys of its newest rows, sorted: the printed order is not stored. */
  readonly keys: readonly string[];
  /** A key that most of these rows have, and its measurement: each row of the table is taken to have it. */
  readonly measurement: string;
  readonly countedKey: string;
}

/** The keys of a table are those of so many of its newest rows with numbers, and with texts. */
const NEWEST_ROWS = 4;
const TAGS = ['job', 'user', 'series', 'task'] as const;

/**
 * Finds the tables of a job by their newest rows in the range, for rows of writers that write no job_series points. A
 * wildcard gives the columns of every job of the range, so ask only for chosen jobs (findRowTables).
 * At most so many tables are looked for.
 */
export function* findTables(request: FindTablesRequest, limit: number): Reading<readonly FoundTable[]> {
  const conditions = [
    ...TAGS.map((tag) => createTagCondition(tag, request[tag])),
    ...createTimeConditions({ fromNs: request.fromNs, toNs: request.toNs }),
  ];
  const measurements = [MEASUREMENT.metadata, MEASUREMENT.metadataText];
  const newest = { orderBy: 'DESC', rows: NEWEST_ROWS } as const;
  const { found, results } = yield* findCombinedRows({ measurements, tags: TAGS, conditions, limit, ...newest });
  return readFoundTables(found, results).slice(0, limit);
}

function readFoundTables(asked: readonly Combination[], results: readonly ReadableResult[]): FoundTable[] {
  const found = new Map<string, FoundTable>();
  for (const [at, { measurement, values }] of asked.entries()) {
    const keys = listSeries(results[at]).flatMap(listKeys);
    const task = decodeTag(values.get('task'));
    const [job = '', user = '', name = ''] = ['job', 'user', 'series'].map((tag) => decodeTag(values.get(tag)));
    const id = JSON.stringify([job, user, name, task]);
    const known = found.get(id);
    const [countedKey] = keys;
    if (countedKey === undefined) continue;
    const mixedKeys = keys.filter((key) => known?.keys.includes(key));
    found.set(id, {
      ...{ job, user, series: name, ...(task !== undefined && { task }) },
      ...{ measurement, countedKey, ...known },
      keys: [...new Set([...(known?.keys ?? []), ...keys])].sort(compareCodePoints),
      ...(mixedKeys.length > 0 && { mixedKeys }),
    });
  }
  return markTablesBesideTasks([...found.values()]);
}

/** The keys of some rows, those that most rows have first. */
function listKeys(series: ResultSeries): readonly string[] {
  const rows = listRows(series);
  return series.columns
    .map((name) => ({ name, count: rows.filter((row) => row.value(name) !== null).length }))
    .filter(({ name, count }) => name !== 'time' && count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ name }) => decodeFieldKey(name));
}

/** How many rows a found table has in the range, and when the first one came. */
export function countFoundTableQueries(
  table: FoundTable,
  range: Pick<FindTablesRequest, 'fromNs' | 'toNs'>
): readonly [SelectStatement, SelectStatement] {
  const { measurement, countedKey } = table;
  const field = encodeFieldKey(countedKey);
  const source = {
    from: [createMeasurement(measurement)],
    ...whereAll(...createTableConditions(table), ...createTimeConditions({ fromNs: range.fromNs, toNs: range.toNs })),
  };
  return [
    createSelect({ columns: [createCallColumn('count', field, 'rows')], ...source }),
    createSelect({ columns: [createColumn(field)], ...source, orderBy: 'ASC', limit: 1 }),
  ];
}

/** Found tables as tables of one run each, from the results of countFoundTableQueries of one after the other. */
export function readCountedTables(tables: readonly FoundTable[], results: readonly ReadableResult[]): TableSummary[] {
  const counted = tables.flatMap(({ measurement: _, countedKey: __, ...table }, at): TableSummary[] => {
    const [counts, first] = [results[2 * at], results[2 * at + 1]].map((result) =>
      listSeries(result).flatMap(listRows)
    );
    const rows = counts?.[0]?.number('rows') ?? 0;
    const timeNs = first?.[0]?.timeNs;
    return timeNs === undefined || rows === 0
      ? []
      : [{ ...table, rows, runs: [{ timeNs, rows }], timeNs, hasBuckets: false }];
  });
  return sortTables(counted);
}
