import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { AggregateName, GroupBy } from '@joblens/core';
import type { Field, FieldType } from './catalog.js';
import { fillBuckets } from './fill.js';
import type { BucketPoint } from './fill.js';
import { PointsSource } from './points-source.js';
import type { Cell, ResultBatch } from './result-batch.js';
import type { GroupedSeries, SelectContext } from './select-groups.js';
import { keyOfCall } from './select-plan.js';
import type { AggregatePlan, CallColumn, RefColumn } from './select-plan.js';
import { resolveTarget } from './series-filter.js';
import type { Sql } from './sql-text.js';
import { StatementError } from './statement-error.js';

/** Field types that a call computes with; the others take every type. */
const TYPES_OF_CALL: Partial<Record<AggregateName, readonly FieldType[]>> = {
  sum: ['float', 'integer'],
  mean: ['float', 'integer'],
  spread: ['float', 'integer'],
  min: ['float', 'integer', 'boolean'],
  max: ['float', 'integer', 'boolean'],
};

interface Call {
  readonly column: CallColumn;
  /** Undefined when no selected series has it. */
  readonly field: Field | undefined;
}

interface AggregateQuery {
  readonly plan: AggregatePlan;
  readonly grouped: GroupedSeries;
  readonly context: SelectContext;
  readonly calls: readonly Call[];
  readonly refs: readonly RefColumn[];
  readonly fill: NonNullable<GroupBy['fill']>;
}

/** The aggregates of one measurement: one row a group, or one row a group and time bucket. */
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
  const points = await readPoints(connection, query);
  const order = [...points.keys()].sort((a, b) => (context.isDescending ? b - a : a - b));
  for (const group of order) {
    const rows = shapeGroup(query, points.get(group) ?? []);
    const tags = grouped.groups[group];
    if (rows.length === 0) continue;
    yield {
      name: grouped.measurement.name,
      ...(plan.tagDimensions.length > 0 && tags && { tags }),
      columns: ['time', ...plan.columns.map(({ name }) => name)],
      hasTime: true,
      rows,
      isContinued: false,
    };
  }
}

function checkType({ column, field }: Call): void {
  const types = TYPES_OF_CALL[column.call];
  if (!field || !types || types.includes(field.type)) return;
  throw new StatementError(`unsupported ${column.call} iterator type: *query.${field.type}InterruptIterator`);
}

/** For each group the points of each call, ascending by bucket. */
type GroupPoints = BucketPoint[][];

async function readPoints(connection: DuckDBConnection, query: AggregateQuery): Promise<Map<number, GroupPoints>> {
  const [call] = query.calls;
  const isDistinct = call?.column.call === 'distinct';
  const sql = isDistinct ? writeDistinctSql(query, call.field) : writeSql(query);
  const result = await connection.stream(sql.text, sql.values, sql.types);
  const groups = new Map<number, GroupPoints>();
  for await (const rows of result.yieldRows()) {
    for (const row of rows) {
      const group = Number(row[0]);
      const points = groups.get(group) ?? query.calls.map((): BucketPoint[] => []);
      groups.set(group, points);
      if (query.plan.isPoint) addSelectedPoint(query, points, row);
      else addValues(query, points, row);
    }
  }
  return groups;
}

function addValues({ calls, context, plan }: AggregateQuery, points: GroupPoints, row: readonly DuckDBValue[]): void {
  const timeNs = plan.interval ? (row[1] as bigint) : (context.range.fromNs ?? 0n);
  let next = 2;
  calls.forEach(({ column, field }, i) => {
    if (!field) return;
    const value = row[next] as Cell;
    next += 1;
    const isAbsent = value === null || (column.call === 'count' && value === 0n);
    if (!isAbsent) points[i]?.push({ timeNs, value, others: [] });
  });
}

function addSelectedPoint(
  { grouped, plan, refs }: AggregateQuery,
  points: GroupPoints,
  row: readonly DuckDBValue[]
): void {
  const [, bucket, value, timeNs, seriesId, ...fields] = row;
  if (value === null || value === undefined) return;
  const tags = grouped.measurement.seriesById.get(Number(seriesId))?.tags;
  const others = refs.map(({ ref }, i): Cell => {
    const target = resolveTarget(ref, grouped.measurement);
    return target.kind === 'tag' ? (tags?.get(target.key) ?? null) : ((fields[i] ?? null) as Cell);
  });
  points[0]?.push({ timeNs: (plan.interval ? bucket : timeNs) as bigint, value: value as Cell, others });
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
  if (!plan.isPoint) {
    return source.parameters.toSql(`SELECT ${keys}, ${aggregates.join(', ')} ${from} GROUP BY g, b ORDER BY g, b`);
  }
  const extracted = query.refs.map((_ref, i) => `a.x${i}`).join(', ');
  const inner = `SELECT ${keys}, ${aggregates.join(', ')} AS a ${from} GROUP BY g, b`;
  return source.parameters.toSql(
    `SELECT g, b, a.v, a.t, a.s${extracted && `, ${extracted}`} FROM (${inner}) ORDER BY g, b`
  );
}

function writeDistinctSql(query: AggregateQuery, field: Field | undefined): Sql {
  const source = new PointsSource({ ...query.grouped, ...query.context });
  const value = source.value(field);
  const keys = `${source.group()} AS g, ${writeBucket(query.plan, source)} AS b`;
  const from = source.from([`${value} IS NOT NULL`]);
  return source.parameters.toSql(
    `SELECT ${keys}, ${value} AS v ${from} GROUP BY g, b, v ORDER BY g, b, min(p.time), v`
  );
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
 * Ties: of points at one time first and last take the greater value, of equal values min and max take the earliest
 * (query/functions.go). Only several series in one group can have two points at one time.
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

/** The point that a single selector chooses, as a struct: its order is that of the choice, the rest comes along. */
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

/** The rows of one group. As in InfluxDB, LIMIT and OFFSET count the points of each call before these are joined to rows. */
function shapeGroup(query: AggregateQuery, points: GroupPoints): Cell[][] {
  const { plan, calls, context, fill } = query;
  if (calls[0]?.column.call === 'distinct') {
    return pageOf(distinctRows(points[0] ?? [], context.isDescending), context);
  }
  const filled = points.map((ofCall, i) => {
    const ordered = context.isDescending ? [...ofCall].reverse() : ofCall;
    const call = calls[i];
    if (!plan.interval || !call) return pageOf(ordered, context);
    return pageOf(fillBuckets(ordered, { ...plan.interval, ...fillOf(call, fill), ...context }), context);
  });
  const rows = plan.isPoint
    ? (filled[0] ?? []).map(({ timeNs, value, others }): SparseRow => ({ timeNs, cells: [value, ...others] }))
    : joinByTime(filled, context.isDescending);
  return shapeRows(query, rows);
}

/** The value of each call, then of each other column; undefined where a call has no point in the bucket. */
interface SparseRow {
  readonly timeNs: bigint;
  readonly cells: (Cell | undefined)[];
}

/** Puts the cells in the order of the columns and into what is missing what `fill` says, as InfluxDB's scanner does. */
function shapeRows({ plan, calls, refs, fill }: AggregateQuery, rows: readonly SparseRow[]): Cell[][] {
  const callIndex = new Map(calls.map(({ column }, i) => [keyOfCall(column), i]));
  const sources = plan.columns.map((column) =>
    column.kind === 'call' ? (callIndex.get(keyOfCall(column)) ?? -1) : calls.length + refs.indexOf(column)
  );
  let previous: readonly Cell[] = [];
  return rows.map(({ timeNs, cells }) => {
    const shaped = sources.map((source, i): Cell => {
      const cell = cells[source];
      const isMissing = cell === undefined || (cell === null && source >= calls.length);
      const column = plan.columns[i];
      // A count is an integer, whatever it counts.
      const isUnknown = column?.kind === 'call' && !column.isKnown && column.call !== 'count';
      if (!isMissing || !plan.interval || isUnknown) return cell ?? null;
      if (fill === 'previous') return previous[i] ?? null;
      return typeof fill === 'number' ? fill : null;
    });
    previous = shaped;
    return [timeNs, ...shaped];
  });
}

/** An empty bucket counts 0, unless another filling was asked for. */
function fillOf(
  { column, field }: Call,
  fill: NonNullable<GroupBy['fill']>
): { readonly fill: NonNullable<GroupBy['fill']>; readonly type: FieldType } {
  if (column.call === 'count') return { fill: fill === 'null' ? 0 : fill, type: 'integer' };
  return { fill, type: column.call === 'mean' ? 'float' : (field?.type ?? 'float') };
}

function distinctRows(points: readonly BucketPoint[], isDescending: boolean): Cell[][] {
  const rows = points.map(({ timeNs, value }): Cell[] => [timeNs, value]);
  return isDescending ? rows.reverse() : rows;
}

function joinByTime(columns: readonly (readonly BucketPoint[])[], isDescending: boolean): SparseRow[] {
  const rows = new Map<bigint, SparseRow>();
  columns.forEach((points, i) => {
    for (const { timeNs, value } of points) {
      const row = rows.get(timeNs) ?? { timeNs, cells: columns.map(() => undefined) };
      rows.set(timeNs, row);
      row.cells[i] = value;
    }
  });
  return [...rows.values()].sort((a, b) => (a.timeNs < b.timeNs !== isDescending ? -1 : 1));
}

function pageOf<T>(rows: readonly T[], { limit = 0, offset = 0 }: SelectContext): T[] {
  return rows.slice(offset, limit > 0 ? offset + limit : undefined);
}
