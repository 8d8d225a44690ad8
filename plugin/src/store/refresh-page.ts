import { createAnd, createCallColumn, createSelect, createTimeComparison } from '@joblens/core/influxql/build';
import type { SelectStatement } from '@joblens/core/influxql/nodes';
import type { ResultValue, StatementResult } from '@joblens/core/influxql/response';
import { parseRfc3339Nano } from '@joblens/core/point/timestamp';

/** Both ends inclusive. */
export interface PageRange {
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

/** Rows that a query type takes newest first, up to a limit. They are asked for in full once, then only what is new. */
export interface NewestRows {
  /** The statement of one page: these times, in falling order, at most so many rows, not grouped. */
  readonly select: (range: PageRange & { readonly limit: number }) => SelectStatement;
  readonly limit: number;
  /**
   * Fields by which rows are counted, to find out whether those that are not read again are still the same. Each row
   * has at least one of them.
   */
  readonly counted: readonly string[];
  /**
   * Rows may be rewritten in place, or come late: so many of the newest are read again once a minute, and the others
   * are counted each time. Default: neither happens often, so rows are counted once a minute.
   */
  readonly rewrittenRows?: number;
}

type Row = readonly ResultValue[];

/** The newest rows of a range, as the store gave them at some time. Never changed: a refresh makes another. */
export interface Page extends PageRange {
  readonly name: string;
  readonly columns: readonly string[];
  /** Newest first. */
  readonly rows: readonly Row[];
  readonly isPartial: boolean;
  /** The number of newest rows that the next refresh reads again. */
  readonly overlap: number;
  /** When this was read in full. */
  readonly wholeAtMs: number;
  /** When this was last read in full or checked, and the oldest time of the rows that could be rewritten then. */
  readonly checkedAtMs: number;
  readonly farEdgeNs: bigint;
  /** About the memory that it takes. */
  readonly characters: number;
}

/** What a refresh asks: the rows from a time on, and how many there are between the oldest row and that time. */
export interface RefreshPlan {
  readonly statements: readonly SelectStatement[];
  readonly replacedRows: readonly Row[];
  readonly keptRows: readonly Row[];
  /** One for each of the fields that are counted. */
  readonly expectedCounts: readonly number[];
  readonly isCheck: boolean;
}

/** Lines beyond these are seldom redrawn: a display of bars is not taller. Rows seldom come later than this, either. */
const LEAST_OVERLAP = 24;
/** A store that was being written to may have given some fields only of the rows that came last. */
const MAX_UNSETTLED = 8;
const CHECK_EVERY_MS = 60_000;
const WHOLE_EVERY_MS = 600_000;

export function createPage(
  query: NewestRows,
  range: PageRange,
  result: StatementResult | undefined,
  monotonicMs: number
): Page {
  const { name = '', columns = [], rows, isPartial } = readSeries(result);
  return {
    ...range,
    name,
    columns,
    rows,
    isPartial,
    overlap: query.rewrittenRows === undefined ? MAX_UNSETTLED : LEAST_OVERLAP,
    wholeAtMs: monotonicMs,
    // InfluxDB 1.x calls every answer of over 10,000 rows partial. The count of a check tells whether rows are missing.
    checkedAtMs: isPartial ? -Infinity : monotonicMs,
    farEdgeNs: findFarEdge(query, range, rows),
    characters: countCharacters(rows),
  };
}

/** `undefined` when the page is of no use for this range: it has to be asked for in full. */
export function planRefresh(
  page: Page,
  query: NewestRows,
  range: PageRange,
  monotonicMs: number
): RefreshPlan | undefined {
  const { rows } = page;
  const isCheck = monotonicMs - page.checkedAtMs >= CHECK_EVERY_MS;
  const isStale = monotonicMs - page.wholeAtMs >= WHOLE_EVERY_MS;
  const edge = findEdge(page, query, isCheck);
  if (isStale || edge === undefined || !isContinued(page, range, edge)) return undefined;
  // The limit may have cut some of the rows at the oldest time.
  const cutAt = findCut(page, query, range);
  const counted = { fromNs: cutAt === undefined ? range.fromNs : cutAt + 1n, toNs: edge - 1n };
  const keptFrom = countRowsSince(rows, edge);
  const isCounted = isCheck || query.rewrittenRows !== undefined;
  const countedRows = isCounted ? rows.slice(keptFrom, countRowsSince(rows, counted.fromNs)) : [];
  return {
    statements: [
      query.select({ fromNs: edge, toNs: range.toNs, limit: query.limit }),
      ...(isCounted && counted.fromNs <= counted.toNs ? [selectCount(query, counted)] : []),
    ],
    replacedRows: rows.slice(0, keptFrom),
    keptRows: rows.slice(keptFrom, countRowsSince(rows, range.fromNs)),
    expectedCounts: query.counted.map((field) => countValues(countedRows, page.columns.indexOf(field))),
    isCheck,
  };
}

/** The time from which on rows are read again; `undefined` where that would be all of them. */
function findEdge({ rows, overlap, farEdgeNs }: Page, query: NewestRows, isCheck: boolean): bigint | undefined {
  const near = readTimeNs(rows[(isCheck ? Math.max(overlap, LEAST_OVERLAP) : overlap) - 1]);
  const isFar = isCheck && query.rewrittenRows !== undefined;
  return isFar && near !== undefined && farEdgeNs < near ? farEdgeNs : near;
}

/** Whether the range begins no earlier than the page, and ends no earlier than its newest row. */
function isContinued({ rows, fromNs }: Page, range: PageRange, edgeNs: bigint): boolean {
  return range.fromNs >= fromNs && range.toNs >= (readTimeNs(rows[0]) ?? 0n) && edgeNs >= range.fromNs;
}

/** `undefined` when what came does not fit to what is kept: rows came late, or were deleted. */
export function mergePage(
  page: Page,
  query: NewestRows,
  range: PageRange,
  plan: RefreshPlan,
  [found, count]: readonly StatementResult[],
  monotonicMs: number
): Page | undefined {
  const { columns = page.columns, rows: answered, isPartial } = readSeries(found);
  if (isPartial || columns.join() !== page.columns.join()) return undefined;
  if (plan.statements.length > 1 && !isCountedAs(count, plan.expectedCounts)) return undefined;
  const fresh = reuseRows(answered, plan.replacedRows);
  const rows = [...fresh, ...plan.keptRows].slice(0, query.limit);
  if (rows.length < query.limit && findCut(page, query, range) !== undefined) return undefined;
  const gone = page.rows.slice(plan.replacedRows.length + Math.max(0, rows.length - fresh.length));
  return {
    ...page,
    ...range,
    rows,
    characters: page.characters + countCharacters(fresh) - countCharacters([...plan.replacedRows, ...gone]),
    overlap: findOverlap(query, plan.replacedRows, fresh),
    ...(plan.isCheck && { checkedAtMs: monotonicMs, farEdgeNs: findFarEdge(query, range, rows) }),
  };
}

/** How many of the newest rows the next refresh reads again. */
function findOverlap({ rewrittenRows }: NewestRows, before: readonly Row[], after: readonly Row[]): number {
  if (rewrittenRows !== undefined) return Math.max(LEAST_OVERLAP, 2 * countChanged(before, after));
  return Math.max(1, Math.min(MAX_UNSETTLED, after.length - before.length));
}

interface FoundRows {
  readonly name?: string;
  readonly columns?: readonly string[];
  readonly rows: readonly Row[];
  readonly isPartial: boolean;
}

function readSeries(result: StatementResult | undefined): FoundRows {
  const series = result?.series?.[0];
  if (series === undefined) return { rows: [], isPartial: result?.partial === true };
  const { name, columns, values: rows, partial } = series;
  return { name, columns, rows, isPartial: partial === true || result?.partial === true };
}

function countCharacters(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => row.reduce<number>((all, cell) => all + String(cell).length, sum), 0);
}

/** Rows that came again as they were stay the same objects: what was made of them need not be made again. */
function reuseRows(rows: readonly Row[], before: readonly Row[]): readonly Row[] {
  const byTime = new Map(before.map((row) => [row[0], row]));
  return rows.map((row) => {
    const known = byTime.get(row[0] ?? null);
    return known !== undefined && isSameRow(row, known) ? known : row;
  });
}

function isSameRow(a: Row, b: Row): boolean {
  return a.every((cell, index) => cell === b[index]);
}

/** The writer may still rewrite the rows from this time on. */
function findFarEdge({ rewrittenRows = 0 }: NewestRows, { fromNs }: PageRange, rows: readonly Row[]): bigint {
  return readTimeNs(rows[rewrittenRows - 1]) ?? fromNs;
}

/** The time of the oldest row if the limit left older ones of the range away. */
function findCut({ rows }: Page, { limit }: NewestRows, { fromNs }: PageRange): bigint | undefined {
  const oldest = readTimeNs(rows.at(-1));
  return rows.length >= limit && oldest !== undefined && oldest >= fromNs ? oldest : undefined;
}

/** How many of the rows, newest first, are of this time or later. */
function countRowsSince(rows: readonly Row[], timeNs: bigint): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((readTimeNs(rows[middle]) ?? 0n) >= timeNs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the newest rows came before the oldest change. */
function countChanged(before: readonly Row[], after: readonly Row[]): number {
  let same = 0;
  while (same < before.length && same < after.length) {
    const [a, b] = [before, after].map((rows) => rows[rows.length - 1 - same]);
    if (a === undefined || b === undefined || !isSameRow(a, b)) break;
    same += 1;
  }
  return before.length - same;
}

function selectCount({ select, counted, limit }: NewestRows, range: PageRange): SelectStatement {
  const { from, where } = select({ ...range, limit });
  // The statement of a page may read a little beyond its end.
  const exact = createAnd([where, createTimeComparison('<=', range.toNs)]);
  return createSelect({
    columns: counted.map((field, at) => createCallColumn('count', field, `count${String(at)}`)),
    from,
    ...(exact !== undefined && { where: exact }),
  });
}

function countValues(rows: readonly Row[], column: number): number {
  return rows.reduce((count, row) => count + ((row[column] ?? null) === null ? 0 : 1), 0);
}

/** A field that no row has counts as nothing: InfluxDB gives 0, or no column. */
function isCountedAs(result: StatementResult | undefined, expected: readonly number[]): boolean {
  const { columns = [], values: [counts = []] = [] } = result?.series?.[0] ?? {};
  return expected.every((count, at) => (counts[columns.indexOf(`count${String(at)}`)] ?? 0) === count);
}

function readTimeNs(row: Row | undefined): bigint | undefined {
  const time = row?.[0];
  return typeof time === 'string' ? parseRfc3339Nano(time) : undefined;
}
