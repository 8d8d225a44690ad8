import {
  createAnd,
  createCallColumn,
  createColumn,
  createMeasurement,
  createSelect,
  createTimeComparison,
} from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import type { PartialRecord } from '../../rows/join-rows.js';
import { encodeFieldKey } from '../../schema/field-name.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { type ColumnFilter, compileColumnFilter, createFilterCondition, type RowHalf } from './column-filter.js';
import type { Reading } from '../reading/reading.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTableConditions, readHalf } from './rows.js';
import { createTimeConditions, type TimeSelection, whereAll } from '../reading/selection.js';
import type { TableIdentity, TableSummary } from './tables.js';

/** The table, and what is known of where the values of its keys are. */
export type SearchedTable = TableIdentity & Pick<TableSummary, 'form'>;

export interface FindRowsRequest extends TimeSelection {
  readonly table: SearchedTable;
  /** By key. Rows that pass all of them are found. At least one. */
  readonly filters: ReadonlyMap<string, ColumnFilter>;
  readonly order: 'asc' | 'desc';
  /** The most rows to read. */
  readonly limit: number;
}

/** The rows that pass, in the order asked for, each with its values of the keys of the filters alone. */
export interface FoundRows {
  readonly rows: readonly PartialRecord[];
  /** There are no others. */
  readonly isEnd: boolean;
}

/** Points of one half that pass the filters of these keys. */
interface PointSource {
  readonly half: RowHalf;
  readonly filters: ReadonlyArray<readonly [key: string, filter: ColumnFilter]>;
}

/** A row is found if each of these has it, in one of its sources. */
type SearchPlan = ReadonlyArray<readonly PointSource[]>;

const MEASUREMENT_OF: Readonly<Record<RowHalf, string>> = {
  numbers: MEASUREMENT.metadata,
  texts: MEASUREMENT.metadataText,
};

/** Where the rows must be looked for in both halves, a round asks for so many points of each, then for more. */
const FIRST_ROUND_POINTS = 2000;
const MAX_ROUND_POINTS = 50_000;

/** The halves that may have values of a key; both where nobody knows. */
export function listHalves({ form }: Pick<TableSummary, 'form'>, key: string): readonly RowHalf[] {
  if (form === undefined) return ['numbers', 'texts'];
  const own = form.find(([name]) => name === key)?.[1];
  if (own?.texts === undefined) return ['numbers'];
  return own.hasNumbers === true ? ['numbers', 'texts'] : ['texts'];
}

/** Filters that can pass in one half alone share a source; each of the others has one of either half. */
function createSearchPlan({ table, filters }: Pick<FindRowsRequest, 'table' | 'filters'>): SearchPlan {
  const parts = [...filters].map((part) => {
    const [key, filter] = part;
    return { part, halves: listHalves(table, key).filter((half) => filter[half] !== undefined) };
  });
  const shared = (['numbers', 'texts'] as const).flatMap((half) => {
    const own = parts.filter(({ halves }) => halves.length === 1 && halves[0] === half).map(({ part }) => part);
    return own.length === 0 ? [] : [[{ half, filters: own }]];
  });
  const others = parts.filter(({ halves }) => halves.length !== 1);
  return [...shared, ...others.map(({ part, halves }) => halves.map((half) => ({ half, filters: [part] })))];
}

function createConditions(request: Pick<FindRowsRequest, 'table'> & TimeSelection, { half, filters }: PointSource) {
  return [
    ...createTableConditions(request.table),
    ...createTimeConditions(request),
    createAnd(filters.map(([key, filter]) => createFilterCondition(key, half, filter))),
  ];
}

/**
 * Finds the rows of a table that pass filters, through the store. A row's numbers and its texts are points of two
 * measurements at one time. Where one of them alone decides, one question finds the rows; else both are read in rounds,
 * and the times that they have in common are the rows.
 */
export function* findRows(request: FindRowsRequest): Reading<FoundRows> {
  const plan = createSearchPlan(request);
  if (plan.some((sources) => sources.length === 0)) return { rows: [], isEnd: true };
  let rows: readonly PartialRecord[] = [];
  // Exclusive: all rows up to here are looked at.
  let edgeNs: bigint | undefined;
  for (let points = FIRST_ROUND_POINTS; ; points = Math.min(MAX_ROUND_POINTS, 4 * points)) {
    const limit = plan.length === 1 ? request.limit - rows.length + 1 : points;
    const results = yield plan.flat().map((source) => selectPoints(request, source, limit, edgeNs));
    const round = readRound(plan, results, request.order, limit);
    rows = [...rows, ...round.rows];
    edgeNs = round.nextEdgeNs;
    if (edgeNs === undefined || rows.length >= request.limit) break;
  }
  const isCut = rows.length > request.limit;
  return { rows: isCut ? rows.slice(0, request.limit) : rows, isEnd: !isCut && edgeNs === undefined };
}

/** The first points of a source behind an edge. */
function selectPoints(
  request: FindRowsRequest,
  source: PointSource,
  limit: number,
  edgeNs: bigint | undefined
): SelectStatement {
  const isRising = request.order === 'asc';
  return createSelect({
    columns: source.filters.map(([key]) => createColumn(encodeFieldKey(key))),
    from: [createMeasurement(MEASUREMENT_OF[source.half])],
    ...whereAll(
      ...createConditions(request, source),
      edgeNs === undefined ? undefined : createTimeComparison(isRising ? '>' : '<', edgeNs)
    ),
    orderBy: isRising ? 'ASC' : 'DESC',
    limit,
  });
}

interface Round {
  readonly rows: readonly PartialRecord[];
  /** Undefined: there are no rows beyond. */
  readonly nextEdgeNs: bigint | undefined;
}

function readRound(plan: SearchPlan, results: readonly ReadableResult[], order: 'asc' | 'desc', limit: number): Round {
  const rest = results.map(readHalf);
  const isCut = rest.map((points) => points.length >= limit);
  const last = rest.map((points) => points.at(-1)?.timeNs ?? 0n);
  const edges = last.filter((_, at) => isCut[at]);
  const isBefore = (a: bigint, b: bigint): boolean => (order === 'asc' ? a < b : a > b);
  const edgeNs = edges.length === 0 ? undefined : edges.reduce((first, each) => (isBefore(each, first) ? each : first));
  const isKnown = (timeNs: bigint): boolean => edgeNs === undefined || !isBefore(edgeNs, timeNs);
  let at = 0;
  let isEnd = edgeNs === undefined;
  const streams = plan.map((sources) => {
    const points = new Map<bigint, PartialRecord>();
    let hasMore = false;
    for (const { filters } of sources) {
      const isPassing = createPointTest(filters);
      for (const point of rest[at] ?? []) {
        if (!isKnown(point.timeNs)) hasMore = true;
        // An integer beyond 2^53 has two points; its number comes first, and rows are sorted by it.
        else if (isPassing(point) && !points.has(point.timeNs)) points.set(point.timeNs, point);
      }
      hasMore ||= isCut[at] === true;
      at += 1;
    }
    isEnd ||= !hasMore;
    return points;
  });
  return { rows: joinStreams(streams, order, plan), nextEdgeNs: isEnd ? undefined : edgeNs };
}

/** Stores differ in conditions on what a point does not have; this is what the filters mean. */
function createPointTest(filters: PointSource['filters']): (point: PartialRecord) => boolean {
  const tests = filters.map(([key, filter]) => ({ key, test: compileColumnFilter(filter) }));
  return ({ values }) => tests.every(({ key, test }) => test(values.get(key) ?? null));
}

function joinStreams(
  streams: ReadonlyArray<ReadonlyMap<bigint, PartialRecord>>,
  order: 'asc' | 'desc',
  plan: SearchPlan
): readonly PartialRecord[] {
  const [first = new Map<bigint, PartialRecord>(), ...others] = streams;
  const joined = [...first.values()].flatMap(({ timeNs, values }) => {
    const parts = others.map((points) => points.get(timeNs));
    if (parts.some((part) => part === undefined)) return [];
    if (parts.length === 0) return [{ timeNs, values }];
    return [{ timeNs, values: new Map([...values, ...parts.flatMap((part) => [...(part?.values ?? [])])]) }];
  });
  // Points of one source are in order.
  if (plan[0]?.length === 1) return joined;
  const sign = order === 'asc' ? 1 : -1;
  return joined.sort((a, b) => (a.timeNs < b.timeNs ? -sign : sign));
}

/** Counts the rows that findRows finds. Rows of both halves must be found to be counted. */
export function* countRows(request: Omit<FindRowsRequest, 'order' | 'limit'>): Reading<number> {
  const plan = createSearchPlan(request);
  const [sources = []] = plan;
  const isInBoth = sources.length > 1 && hasInexact(request.table, sources);
  if (plan.length !== 1 || isInBoth) {
    const { rows } = yield* findRows({ ...request, order: 'desc', limit: Number.MAX_SAFE_INTEGER });
    return rows.length;
  }
  const results = yield sources.map((source) =>
    createSelect({
      columns: [createCallColumn('count', encodeFieldKey(source.filters[0]?.[0] ?? ''), 'rows')],
      from: [createMeasurement(MEASUREMENT_OF[source.half])],
      ...whereAll(...createConditions(request, source)),
    })
  );
  const rows = results.flatMap((result) => listSeries(result).flatMap(listRows));
  return rows.reduce((sum, row) => sum + (row.number('rows') ?? 0), 0);
}

/** Whether both halves may have a value of one row. */
function hasInexact({ form = [] }: SearchedTable, sources: readonly PointSource[]): boolean {
  const keys = new Set(sources.flatMap(({ filters }) => filters.map(([key]) => key)));
  return form.some(([key, own]) => own.hasInexact === true && keys.has(key));
}
