import type { DuckDBValue } from '@duckdb/node-api';
import type { GroupBy } from '@joblens/core/influxql/nodes';
import type { FieldType } from '../kept/field.js';
import { type BucketPoint, type CallPoints, countBuckets, fillBuckets, type FillOptions } from './values/fill.js';
import { MAX_FILLED_CELLS, bucketsError } from './values/limits.js';
import type { Cell } from './values/result-batch.js';
import type { AggregateQuery, Call } from './aggregate-query.js';
import { keyOfCall } from './select-plan.js';
import { resolveTarget } from './series-filter.js';

type SqlRow = readonly DuckDBValue[];

/** How many cells a statement has filled so far. */
export interface FillBudget {
  filledCells: number;
}

/**
 * The rows of one group, one by one. As in InfluxDB, LIMIT and OFFSET count the points of each call before they become
 * rows.
 */
export function* shapeGroup(query: AggregateQuery, sqlRows: readonly SqlRow[], budget: FillBudget): Generator<Cell[]> {
  const { plan, calls, context } = query;
  const columns = calls.map((call, i) => {
    const readPoint = createPointReader(query, i);
    return inPage(readColumn(query, call, pointsOf(sqlRows, readPoint, context.isDescending), budget), query);
  });
  if (calls[0]?.column.call === 'distinct') {
    for (const { timeNs, value } of columns[0] ?? []) yield [timeNs, value];
  } else {
    yield* shapeRows(query, plan.isPoint ? pointRows(columns[0] ?? []) : joinByTime(columns, context.isDescending));
  }
}

/** The points of one call, with those that `fill` adds. */
function readColumn(
  { plan, context, fill }: AggregateQuery,
  call: Call,
  points: CallPoints | undefined,
  budget: FillBudget
): Iterable<BucketPoint> {
  if (!points) return [];
  const filling = fillOf(call, fill);
  if (!plan.interval || filling.fill === 'none' || call.column.call === 'distinct') return points.all;
  const options: FillOptions = { ...plan.interval, ...filling, ...context };
  budget.filledCells += countBuckets(points, options);
  if (budget.filledCells > MAX_FILLED_CELLS) throw bucketsError(budget.filledCells, MAX_FILLED_CELLS);
  return fillBuckets(points, options);
}

type PointReader = (row: SqlRow) => BucketPoint | undefined;

/** The points that one call has in the rows; undefined when it has none. */
function pointsOf(rows: readonly SqlRow[], readPoint: PointReader, isDescending: boolean): CallPoints | undefined {
  const [first] = inOrder(rows, readPoint, isDescending);
  const [last] = inOrder(rows, readPoint, !isDescending);
  return first && last && { first, last, all: inOrder(rows, readPoint, isDescending) };
}

function* inOrder(rows: readonly SqlRow[], readPoint: PointReader, isDescending: boolean): Generator<BucketPoint> {
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[isDescending ? rows.length - 1 - i : i];
    const point = row && readPoint(row);
    if (point) yield point;
  }
}

function createPointReader(query: AggregateQuery, callIndex: number): PointReader {
  if (query.plan.isPoint) return (row) => readSelectedPoint(query, row);
  const { calls, context, plan } = query;
  const call = calls[callIndex];
  if (!call?.field) return () => undefined;
  // The SQL has no column for a call without a field.
  const place = 2 + calls.slice(0, callIndex).filter(({ field }) => field !== undefined).length;
  const isCount = call.column.call === 'count';
  const startNs = context.range.fromNs ?? 0n;
  return (row) => {
    const value = row[place] as Cell;
    if (value === null || (isCount && value === 0n)) return undefined;
    return { timeNs: plan.interval ? (row[1] as bigint) : startNs, value, others: [] };
  };
}

function readSelectedPoint({ grouped, plan, refs }: AggregateQuery, row: SqlRow): BucketPoint | undefined {
  const [, bucket, value, timeNs, seriesId, ...fields] = row;
  if (value === null || value === undefined) return undefined;
  const tags = grouped.measurement.table.series.get(Number(seriesId))?.tags;
  const others = refs.map(({ ref }, i): Cell => {
    const target = resolveTarget(ref, grouped.measurement);
    return target.kind === 'tag' ? (tags?.get(target.key) ?? null) : ((fields[i] ?? null) as Cell);
  });
  return { timeNs: (plan.interval ? bucket : timeNs) as bigint, value: value as Cell, others };
}

/** The value of each call, then of each other column; undefined if a call has no point in the bucket. */
interface SparseRow {
  readonly timeNs: bigint;
  readonly cells: readonly (Cell | undefined)[];
}

function* pointRows(points: Iterable<BucketPoint>): Generator<SparseRow> {
  for (const { timeNs, value, others } of points) yield { timeNs, cells: [value, ...others] };
}

/** One row for each time at which any column has a value. */
function* joinByTime(columns: readonly Iterable<BucketPoint>[], isDescending: boolean): Generator<SparseRow> {
  const iterators = columns.map((column) => column[Symbol.iterator]());
  const heads = iterators.map((iterator) => nextOf(iterator));
  for (;;) {
    let timeNs: bigint | undefined;
    for (const head of heads) {
      if (head && (timeNs === undefined || head.timeNs < timeNs !== isDescending)) timeNs = head.timeNs;
    }
    if (timeNs === undefined) return;
    const cells = iterators.map((iterator, i) => {
      const head = heads[i];
      if (head?.timeNs !== timeNs) return undefined;
      heads[i] = nextOf(iterator);
      return head.value;
    });
    yield { timeNs, cells };
  }
}

function nextOf(iterator: Iterator<BucketPoint, unknown>): BucketPoint | undefined {
  const result = iterator.next();
  return result.done === true ? undefined : result.value;
}

/** Puts the cells in the order of the columns, and fills missing ones as `fill` says, like InfluxDB's scanner. */
function* shapeRows({ plan, calls, refs, fill }: AggregateQuery, rows: Iterable<SparseRow>): Generator<Cell[]> {
  const callIndex = new Map(calls.map(({ column }, i) => [keyOfCall(column), i]));
  const sources = plan.columns.map((column) =>
    column.kind === 'call' ? (callIndex.get(keyOfCall(column)) ?? -1) : calls.length + refs.indexOf(column)
  );
  let previous: readonly Cell[] = [];
  for (const { timeNs, cells } of rows) {
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
    yield [timeNs, ...shaped];
  }
}

/** An empty bucket counts 0, unless the statement asks for another filling. */
function fillOf(
  { column, field }: Call,
  fill: NonNullable<GroupBy['fill']>
): { readonly fill: NonNullable<GroupBy['fill']>; readonly type: FieldType } {
  if (column.call === 'count') return { fill: fill === 'null' ? 0 : fill, type: 'integer' };
  return { fill, type: column.call === 'mean' ? 'float' : (field?.type ?? 'float') };
}

function inPage<T>(items: Iterable<T>, { context }: AggregateQuery): Iterable<T> {
  const { limit = 0, offset = 0 } = context;
  return limit === 0 && offset === 0 ? items : cutPage(items, limit, offset);
}

function* cutPage<T>(items: Iterable<T>, limit: number, offset: number): Generator<T> {
  let index = 0;
  for (const item of items) {
    if (limit > 0 && index >= offset + limit) return;
    if (index >= offset) yield item;
    index += 1;
  }
}
