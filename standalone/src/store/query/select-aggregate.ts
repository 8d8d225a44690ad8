import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { AggregateName, GroupBy } from '@joblens/core/influxql/nodes';
import { shapeGroup } from './aggregate-rows.js';
import type { Field, FieldType } from '../kept/field.js';
import { MAX_GROUP_CELLS, countBatchRows, pointsError } from './values/limits.js';
import { PointsSource } from './points-source.js';
import type { AggregateQuery, Call } from './aggregate-query.js';
import type { Cell, ResultBatch } from './values/result-batch.js';
import type { GroupedSeries, SelectContext } from './select-groups.js';
import type { AggregatePlan } from './select-plan.js';
import { resolveTarget } from './series-filter.js';
import type { Sql } from '../kept/sql-text.js';
import { StatementError } from './values/statement-error.js';

/** Field types that a call computes with. Calls that are not listed accept every type. */
const TYPES_OF_CALL: Partial<Record<AggregateName, readonly FieldType[]>> = {
  sum: ['float', 'integer'],
  mean: ['float', 'integer'],
  spread: ['float', 'integer'],
  min: ['float', 'integer', 'boolean'],
  max: ['float', 'integer', 'boolean'],
};

/** The aggregates of one measurement: one row per group, or per group and time bucket. */
export async function* selectAggregate(
  connection: DuckDBConnection,
  plan: AggregatePlan,
  grouped: GroupedSeries,
  context: SelectContext,
  fill: NonNullable<GroupBy['fill']>
): AsyncGenerator<ResultBatch> {
  const stored = new Set(grouped.selected.flatMap(({ series }) => series.layout.fields));
  const calls = plan.calls.map((column): Call => {
    const field = grouped.measurement.fields.get(column.field);
    return { column, field: field && stored.has(field) ? field : undefined };
  });
  const fields = calls.flatMap(({ field }) => field ?? []);
  const selected = grouped.selected.filter(({ series }) => fields.some((field) => series.layout.positions.has(field)));
  if (selected.length === 0) return;
  for (const call of calls) checkType(call);
  const isBounded = plan.interval === undefined || context.range.toNs !== undefined;
  const range = isBounded ? context.range : { ...context.range, toNs: context.nowNs };
  const query: AggregateQuery = {
    plan,
    calls,
    fill,
    refs: plan.columns.filter((column) => column.kind === 'ref'),
    grouped: { ...grouped, selected },
    context: { ...context, range },
  };
  const budget = { filledCells: 0 };
  for await (const { group, rows } of readGroups(connection, query)) {
    const tags = grouped.groups[group];
    const head = {
      name: grouped.measurement.name,
      ...(plan.tagDimensions.length > 0 && tags && { tags }),
      columns: ['time', ...plan.columns.map(({ name }) => name)],
      hasTime: true,
    };
    let isContinued = false;
    for (const part of inBatches(shapeGroup(query, rows, budget), head.columns.length)) {
      yield { ...head, rows: part, isContinued };
      isContinued = true;
    }
  }
}

function* inBatches(rows: Iterable<Cell[]>, columns: number): Generator<Cell[][]> {
  const size = countBatchRows(columns);
  let batch: Cell[][] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function checkType({ column, field }: Call): void {
  const types = TYPES_OF_CALL[column.call];
  if (!field || !types || types.includes(field.type)) return;
  throw new StatementError(`unsupported ${column.call} iterator type: *query.${field.type}InterruptIterator`);
}

interface GroupRows {
  readonly group: number;
  /** In the order of the SQL below: ascending by bucket. */
  readonly rows: readonly (readonly DuckDBValue[])[];
}

/** Group by group, in the order of the answer. Only one is held at a time. */
async function* readGroups(connection: DuckDBConnection, query: AggregateQuery): AsyncGenerator<GroupRows> {
  const [call] = query.calls;
  const isDistinct = call?.column.call === 'distinct';
  const sql = isDistinct ? writeDistinctSql(query, call.field) : writeSql(query);
  const result = await connection.stream(sql.text, sql.values, sql.types);
  let group: number | undefined;
  let held: DuckDBValue[][] = [];
  for await (const rows of result.yieldRows()) {
    for (const row of rows) {
      if (group !== undefined && Number(row[0]) !== group) {
        yield { group, rows: held };
        held = [];
      }
      group = Number(row[0]);
      held.push(row);
    }
    const cells = held.length * (held[0]?.length ?? 0);
    if (cells > MAX_GROUP_CELLS) throw pointsError(cells, MAX_GROUP_CELLS);
  }
  if (group !== undefined) yield { group, rows: held };
}

function writeSql(query: AggregateQuery): Sql {
  const { calls, plan, grouped } = query;
  const source = new PointsSource({ ...grouped, ...query.context });
  const present = calls.filter(({ field }) => field !== undefined);
  const values = present.map(({ field }) => source.value(field));
  const isOneSeries = hasOneSeriesPerGroup(grouped);
  const aggregates = plan.isPoint
    ? writeSelectedPoint(query, source)
    : values.map((value, i) => writeAggregate(present[i], value, isOneSeries));
  const keys = `${source.group()} AS g, ${writeBucket(plan, source)} AS b`;
  const from = source.from(plan.isPoint ? [`${values[0] ?? 'NULL'} IS NOT NULL`] : []);
  const order = writeOrder(query);
  if (!plan.isPoint) {
    return source.parameters.toSql(`SELECT ${keys}, ${aggregates.join(', ')} ${from} GROUP BY g, b ORDER BY ${order}`);
  }
  const extracted = query.refs.map((_ref, i) => `a.x${i}`).join(', ');
  const inner = `SELECT ${keys}, ${aggregates.join(', ')} AS a ${from} GROUP BY g, b`;
  return source.parameters.toSql(
    `SELECT g, b, a.v, a.t, a.s${extracted && `, ${extracted}`} FROM (${inner}) ORDER BY ${order}`
  );
}

function writeDistinctSql(query: AggregateQuery, field: Field | undefined): Sql {
  const source = new PointsSource({ ...query.grouped, ...query.context });
  const value = source.value(field);
  const keys = `${source.group()} AS g, ${writeBucket(query.plan, source)} AS b`;
  const from = source.from([`${value} IS NOT NULL`]);
  return source.parameters.toSql(
    `SELECT ${keys}, ${value} AS v ${from} GROUP BY g, b, v ORDER BY ${writeOrder(query)}, min(p.time), v`
  );
}

function writeOrder({ context }: AggregateQuery): string {
  return `g ${context.isDescending ? 'DESC' : 'ASC'}, b`;
}

function writeBucket({ interval }: AggregatePlan, source: PointsSource): string {
  if (!interval) return '0';
  const length = source.parameters.bigint(interval.lengthNs);
  const offset = source.parameters.bigint(interval.offsetNs % interval.lengthNs);
  return `p.time - (((p.time - ${offset}) % ${length}) + ${length}) % ${length}`;
}

function hasOneSeriesPerGroup({ selected }: GroupedSeries): boolean {
  return new Set(selected.map(({ group }) => group)).size === selected.length;
}

/**
 * Ties: among points at one time, first and last choose the greater value; among equal values, min and max choose the
 * earliest (query/functions.go). Only a group of several series can have two points at one time.
 */
function writeAggregate(call: Call | undefined, value: string, isOneSeries: boolean): string {
  const present = `FILTER (WHERE ${value} IS NOT NULL)`;
  switch (call?.column.call) {
    case 'sum':
      return call.field?.type === 'integer' ? `CAST(sum(${value}) AS BIGINT)` : `sum(${value})`;
    case 'mean':
      return `avg(${value})`;
    case 'min':
      return `min(${value})`;
    case 'max':
      return `max(${value})`;
    case 'spread':
      return `max(${value}) - min(${value})`;
    case 'first':
      return isOneSeries ? `arg_min(${value}, p.time) ${present}` : `(max({'t': -p.time, 'v': ${value}}) ${present}).v`;
    case 'last':
      return isOneSeries ? `arg_max(${value}, p.time) ${present}` : `(max({'t': p.time, 'v': ${value}}) ${present}).v`;
    default:
      return `count(${value})`;
  }
}

/**
 * The point that a single selector chooses, as a struct: the first members decide the choice, the others come along.
 */
function writeSelectedPoint({ calls, refs, grouped }: AggregateQuery, source: PointsSource): string[] {
  const [call] = calls;
  const value = source.value(call?.field);
  const others = refs.map(({ ref }, i) => {
    const target = resolveTarget(ref, grouped.measurement);
    return `'x${i}': ${target.kind === 'field' ? source.value(target.field) : 'NULL'}`;
  });
  const rest = [`'s': p.series`, ...others].join(', ');
  switch (call?.column.call) {
    case 'first':
      return [`max({'n': -p.time, 'v': ${value}, 't': p.time, ${rest}})`];
    case 'last':
      return [`max({'t': p.time, 'v': ${value}, ${rest}})`];
    case 'max':
      return [`max({'v': ${value}, 'n': -p.time, 't': p.time, ${rest}})`];
    default:
      return [`min({'v': ${value}, 't': p.time, ${rest}})`];
  }
}
