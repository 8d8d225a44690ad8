import type { DuckDBConnection } from '@duckdb/node-api';
import type { AggregateCall, ColumnRef, FunctionCall, GroupBy } from '@joblens/core/influxql/nodes';
import type { ComputedPlan } from './computed-plan.js';
import type { FieldType } from '../kept/field.js';
import { type FillOptions, bucketStart, countBuckets, fillBuckets } from './values/fill.js';
import { MAX_GROUP_CELLS, pointsError } from './values/limits.js';
import { FOLDS, type StoredPoint, selectExtremes, selectPercentile } from './values/point-folds.js';
import type { Cell, ResultBatch } from './values/result-batch.js';
import { selectAggregate } from './select-aggregate.js';
import type { GroupedSeries, SelectContext } from './select-groups.js';
import { selectRaw } from './select-raw.js';
import { StatementError } from './values/statement-error.js';
import { TRANSFORMATIONS, countLookBack, transform } from './values/transformations.js';
import type { ZoneOffset } from './values/zone.js';

/** What all leaves of a statement share. LIMIT and OFFSET are not theirs. */
export interface LeafQuery {
  readonly connection: DuckDBConnection;
  readonly plan: ComputedPlan;
  readonly grouped: GroupedSeries;
  readonly context: SelectContext;
  readonly fill: NonNullable<GroupBy['fill']>;
  readonly zone: ZoneOffset | undefined;
}

/** The points of a leaf in one group, in the order of the answer. */
export interface GroupPoints {
  readonly tags: ReadonlyMap<string, string> | undefined;
  readonly points: readonly StoredPoint[];
}

type Call = AggregateCall | FunctionCall;

/** The points of a call, group by group: only one group is held at a time. */
export async function* readCallPoints(query: LeafQuery, call: Call): AsyncGenerator<GroupPoints> {
  if (call.kind === 'call') {
    if (query.zone === undefined) yield* readAggregate(query, call);
    else yield* readFolded(query, call.name, call.argument as ColumnRef);
    return;
  }
  const { argument, name } = call;
  if (TRANSFORMATIONS.has(name)) {
    for await (const { tags, points } of readTransformed(query, call)) yield { tags, points };
    return;
  }
  if (argument.kind === 'call') {
    yield* readFolded(query, 'count', argument.argument as ColumnRef, countDistinct);
    return;
  }
  yield* readFolded(query, name, argument as ColumnRef, undefined, call);
}

async function* readTransformed(query: LeafQuery, call: FunctionCall): AsyncGenerator<GroupPoints> {
  const { argument } = call;
  const { isDescending } = query.context;
  const intervalNs = query.plan.interval?.lengthNs;
  const inner =
    argument.kind === 'call' || argument.kind === 'function'
      ? readCallPoints(lookBack(query, call), argument)
      : readRaw(query, argument as ColumnRef, []);
  for await (const { tags, points } of inner) {
    const present = points.filter(({ value }) => value !== null);
    for (const { value } of present) checkNumeric(call.name, value);
    yield { tags, points: transform(call, present, { isDescending, intervalNs }) };
  }
}

function checkNumeric(name: FunctionCall['name'], value: Cell): void {
  if (name === 'elapsed' || typeof value === 'number' || typeof value === 'bigint') return;
  throw new StatementError(`unsupported ${name} iterator type: *query.${typeof value}InterruptIterator`);
}

/** The first bucket of a range has a predecessor outside it. */
function lookBack(query: LeafQuery, call: FunctionCall): LeafQuery {
  const { range, isDescending } = query.context;
  const backNs = (query.plan.interval?.lengthNs ?? 0n) * BigInt(countLookBack(call));
  const { fromNs, toNs } = range;
  const wider = isDescending
    ? { ...range, ...(toNs !== undefined && { toNs: toNs + backNs }) }
    : { ...range, ...(fromNs !== undefined && { fromNs: fromNs - backNs }) };
  return { ...query, context: { ...query.context, range: wider } };
}

/** An aggregate that one SQL query answers. */
async function* readAggregate(query: LeafQuery, { name: call, argument }: AggregateCall): AsyncGenerator<GroupPoints> {
  const { plan, grouped, context, fill, connection } = query;
  const { name: field, cast } = argument as ColumnRef;
  const isKnown = grouped.measurement.fields.has(field) && cast !== 'tag';
  const column = { kind: 'call' as const, call, field, isKnown, name: call };
  const refs = plan.isPoint ? plan.refs.map((ref) => ({ kind: 'ref' as const, ref, name: ref.name })) : [];
  const { tagDimensions, interval, isPoint } = plan;
  const own = { kind: 'aggregate' as const, tagDimensions, columns: [column, ...refs], calls: [column], isPoint };
  const batches = selectAggregate(connection, { ...own, ...(interval && { interval }) }, grouped, context, fill);
  yield* gather(batches);
}

/** The points of a column as they are stored. */
async function* readRaw(
  { connection, plan, grouped, context }: LeafQuery,
  ref: ColumnRef,
  others: readonly ColumnRef[]
): AsyncGenerator<GroupPoints> {
  const columns = [ref, ...others].map((one) => ({ kind: 'ref' as const, ref: one, name: one.name }));
  const raw = { kind: 'raw' as const, tagDimensions: plan.tagDimensions, columns };
  for await (const { tags, points } of gather(selectRaw(connection, raw, grouped, context))) {
    yield { tags, points: points.filter(({ value }) => value !== null) };
  }
}

/** Joins the batches of each group. */
async function* gather(batches: AsyncIterable<ResultBatch>): AsyncGenerator<GroupPoints> {
  let tags: ReadonlyMap<string, string> | undefined;
  let points: StoredPoint[] | undefined;
  let cells = 0;
  for await (const batch of batches) {
    if (!batch.isContinued) {
      if (points) yield { tags, points };
      [tags, points, cells] = [batch.tags, [], 0];
    }
    for (const [timeNs, value = null, ...others] of batch.rows) {
      points?.push({ timeNs: timeNs as bigint, value, others });
      cells += 2 + others.length;
    }
    if (cells > MAX_GROUP_CELLS) throw pointsError(cells, MAX_GROUP_CELLS);
  }
  if (points) yield { tags, points };
}

function countDistinct(points: readonly StoredPoint[]): Cell {
  return BigInt(new Set(points.map(({ value }) => value)).size);
}

type FoldName = AggregateCall['name'] | FunctionCall['name'];

/** A function that needs all points of a bucket at once. */
async function* readFolded(
  query: LeafQuery,
  name: FoldName,
  ref: ColumnRef,
  fold = FOLDS[name],
  call?: FunctionCall
): AsyncGenerator<GroupPoints> {
  const { plan, context } = query;
  const tags = call?.parameters.filter((parameter) => parameter.kind === 'ref') ?? [];
  const ascending = { ...query, context: withUpperBound(query) };
  const type = query.grouped.measurement.fields.get(ref.name)?.type ?? 'float';
  checkFoldedType(name, type);
  for await (const group of readRaw(ascending, ref, [...tags, ...plan.refs])) {
    const points = context.isDescending ? [...group.points].reverse() : group.points;
    const made = buckets(points, query).map(({ timeNs, members }): StoredPoint[] => {
      if (name === 'top' || name === 'bottom') return rank(members, call, tags.length);
      if (name === 'percentile') return selectRank(query, timeNs, members, call);
      const value = fold?.(members) ?? null;
      return [{ timeNs, value, others: [] }];
    });
    if (context.isDescending) made.reverse();
    yield { tags: group.tags, points: fillAll(query, name, made.flat(), type) };
  }
}

function withUpperBound({ plan, context }: LeafQuery): SelectContext {
  const isBounded = plan.interval === undefined || context.range.toNs !== undefined;
  return isBounded ? context : { ...context, range: { ...context.range, toNs: context.nowNs } };
}

const FOR_ALL_TYPES: readonly FoldName[] = ['count', 'first', 'last', 'mode'];

function checkFoldedType(name: FoldName, type: FieldType): void {
  if (FOR_ALL_TYPES.includes(name) || type === 'float' || type === 'integer') return;
  if (type === 'boolean' && (name === 'min' || name === 'max')) return;
  throw new StatementError(`unsupported ${name} iterator type: *query.${type}InterruptIterator`);
}

interface Bucket {
  readonly timeNs: bigint;
  readonly members: readonly StoredPoint[];
}

/** The buckets that hold points, ascending; without an interval one, at the start of the range. */
function buckets(points: readonly StoredPoint[], { plan, context, zone }: LeafQuery): Bucket[] {
  if (!plan.interval) return points.length === 0 ? [] : [{ timeNs: context.range.fromNs ?? 0n, members: points }];
  const result: { timeNs: bigint; members: StoredPoint[] }[] = [];
  for (const point of points) {
    const timeNs = bucketStart(point.timeNs, { ...plan.interval, zone });
    const last = result.at(-1);
    if (last?.timeNs === timeNs) last.members.push(point);
    else result.push({ timeNs, members: [point] });
  }
  return result;
}

function rank(members: readonly StoredPoint[], call: FunctionCall | undefined, tagCount: number): StoredPoint[] {
  const last = call?.parameters.at(-1);
  const count = last?.kind === 'integer' ? Number(last.value) : 1;
  const chosen = selectExtremes(members, { isTop: call?.name === 'top', count, distinctBy: tagCount });
  return chosen.map((point) => ({ ...point, others: point.others.slice(tagCount) }));
}

function selectRank(
  { plan }: LeafQuery,
  bucketNs: bigint,
  members: readonly StoredPoint[],
  call: FunctionCall | undefined
): StoredPoint[] {
  const [parameter] = call?.parameters ?? [];
  const isNumber = parameter?.kind === 'number' || parameter?.kind === 'integer';
  const point = selectPercentile(members, isNumber ? Number(parameter.value) : 0);
  if (point === undefined) return [];
  return [plan.isPoint && !plan.interval ? point : { ...point, timeNs: bucketNs }];
}

/** Adds the buckets that `fill` asks for. `top` and `bottom` keep the times of their points, so they have none. */
function fillAll(query: LeafQuery, name: FoldName, points: StoredPoint[], type: FieldType): readonly StoredPoint[] {
  const { plan, context, fill, zone } = query;
  const [first] = points;
  const last = points.at(-1);
  const isCount = name === 'count';
  const filling = isCount && fill === 'null' ? 0 : fill;
  const keepsTimes = name === 'top' || name === 'bottom';
  if (!first || !last || !plan.interval || filling === 'none' || keepsTimes) return points;
  const range = withUpperBound(query).range;
  const filledType = isCount ? 'integer' : ['mean', 'median', 'stddev'].includes(name) ? 'float' : type;
  const options: FillOptions = { ...plan.interval, ...context, range, fill: filling, type: filledType, zone };
  const calls = { first, last, all: points };
  const cells = countBuckets(calls, options);
  if (cells > MAX_GROUP_CELLS) throw pointsError(cells, MAX_GROUP_CELLS);
  return [...fillBuckets(calls, options)];
}
