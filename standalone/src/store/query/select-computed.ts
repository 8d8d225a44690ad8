import { compareCodePoints } from '@joblens/core/point/utf8';
import { calculate } from './values/arithmetic.js';
import { formatSeriesKey } from '../kept/catalog.js';
import type { Computation } from './computed-plan.js';
import { type LeafQuery, readCallPoints } from './leaf-points.js';
import { MAX_GROUP_CELLS, countBatchRows, pointsError } from './values/limits.js';
import type { StoredPoint } from './values/point-folds.js';
import type { Cell, ResultBatch } from './values/result-batch.js';
import { selectRaw } from './select-raw.js';

/** The rows of a SELECT with functions or arithmetic: its leaves first, then what the columns make of them. */
export async function* selectComputed(query: LeafQuery): AsyncGenerator<ResultBatch> {
  const { plan, grouped } = query;
  if (plan.calls.length === 0) {
    yield* selectRows(query);
    return;
  }
  const leafQuery = { ...query, context: { ...query.context, limit: undefined, offset: undefined } };
  for await (const { tags, columns } of readJoined(leafQuery)) {
    const pages = columns.map((points) => inPage(points, query.context));
    const rows = computeRows(query, plan.isPoint ? pointRows(pages[0] ?? []) : joinRows(pages, query));
    const head = {
      name: grouped.measurement.name,
      ...(plan.tagDimensions.length > 0 && tags && { tags }),
      columns: ['time', ...plan.columns.map(({ name }) => name)],
      hasTime: true,
    };
    const size = countBatchRows(head.columns.length);
    for (let start = 0; start < rows.length; start += size) {
      yield { ...head, rows: rows.slice(start, start + size), isContinued: start > 0 };
    }
  }
}

/** Arithmetic on points as they are stored. */
async function* selectRows({ connection, plan, grouped, context }: LeafQuery): AsyncGenerator<ResultBatch> {
  const columns = plan.refs.map((ref) => ({ kind: 'ref' as const, ref, name: ref.name }));
  const raw = { kind: 'raw' as const, tagDimensions: plan.tagDimensions, columns };
  for await (const batch of selectRaw(connection, raw, grouped, context)) {
    yield {
      ...batch,
      columns: ['time', ...plan.columns.map(({ name }) => name)],
      rows: batch.rows.map(([timeNs = null, ...cells]) => [
        timeNs,
        ...plan.columns.map(({ computation }) => compute(computation, cells)),
      ]),
    };
  }
}

interface JoinedGroup {
  readonly tags: ReadonlyMap<string, string> | undefined;
  /** The points of each leaf. */
  readonly columns: readonly (readonly StoredPoint[])[];
}

/** The groups that any call has, in the order of the answer. */
async function* readJoined(query: LeafQuery): AsyncGenerator<JoinedGroup> {
  const [only, ...others] = query.plan.calls;
  if (only && others.length === 0) {
    for await (const { tags, points } of readCallPoints(query, only)) yield { tags, columns: [points] };
    return;
  }
  // A connection answers one query after the other, so what several calls have is held.
  const groups = new Map<string, { readonly tags: Tags; readonly columns: (readonly StoredPoint[])[] }>();
  let cells = 0;
  for (const [i, call] of query.plan.calls.entries()) {
    for await (const { tags, points } of readCallPoints(query, call)) {
      const key = formatSeriesKey(tags ?? new Map<string, string>());
      const group = groups.get(key) ?? { tags, columns: query.plan.calls.map(() => []) };
      group.columns[i] = points;
      groups.set(key, group);
      cells += 2 * points.length;
      if (cells > MAX_GROUP_CELLS) throw pointsError(cells, MAX_GROUP_CELLS);
    }
  }
  const direction = query.context.isDescending ? -1 : 1;
  const { tagDimensions } = query.plan;
  yield* [...groups.values()].sort((a, b) => direction * compareTags(a.tags, b.tags, tagDimensions));
}

type Tags = ReadonlyMap<string, string> | undefined;

function compareTags(a: Tags, b: Tags, dimensions: readonly string[]): number {
  for (const key of dimensions) {
    const order = compareCodePoints(a?.get(key) ?? '', b?.get(key) ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

/** As in InfluxDB, LIMIT and OFFSET count the points of each call before they become rows. */
function inPage(
  points: readonly StoredPoint[],
  { limit = 0, offset = 0 }: LeafQuery['context']
): readonly StoredPoint[] {
  return limit === 0 && offset === 0 ? points : points.slice(offset, limit > 0 ? offset + limit : undefined);
}

/** The cells of the calls, then of the other columns; undefined where a call has no point. */
interface SparseRow {
  readonly timeNs: bigint;
  readonly cells: readonly (Cell | undefined)[];
}

function pointRows(points: readonly StoredPoint[]): SparseRow[] {
  return points.map(({ timeNs, value, others }) => ({ timeNs, cells: [value, ...others] }));
}

/** One row for each time at which any call has a point. */
function joinRows(columns: readonly (readonly StoredPoint[])[], { context }: LeafQuery): SparseRow[] {
  const rows = new Map<bigint, (Cell | undefined)[]>();
  columns.forEach((points, i) => {
    for (const { timeNs, value } of points) {
      const cells = rows.get(timeNs) ?? new Array<Cell | undefined>(columns.length).fill(undefined);
      cells[i] = value;
      rows.set(timeNs, cells);
    }
  });
  const direction = context.isDescending ? -1 : 1;
  return [...rows]
    .map(([timeNs, cells]) => ({ timeNs, cells }))
    .sort((a, b) => (a.timeNs < b.timeNs ? -direction : direction));
}

/** Fills the missing cells as `fill` says, like InfluxDB's scanner, and computes the columns of them. */
function computeRows({ plan, fill }: LeafQuery, rows: readonly SparseRow[]): Cell[][] {
  let previous: readonly Cell[] = [];
  return rows.map(({ timeNs, cells }) => {
    const filled = cells.map((cell, i): Cell => {
      if (cell !== undefined || !plan.interval) return cell ?? null;
      if (fill === 'previous') return previous[i] ?? null;
      return typeof fill === 'number' ? fill : null;
    });
    previous = filled;
    return [timeNs, ...plan.columns.map(({ computation }) => compute(computation, filled))];
  });
}

function compute(computation: Computation, cells: readonly Cell[]): Cell {
  switch (computation.kind) {
    case 'leaf':
      return cells[computation.index] ?? null;
    case 'constant':
      return computation.value;
    case 'binary':
      return calculate(computation.operator, compute(computation.left, cells), compute(computation.right, cells));
  }
}
