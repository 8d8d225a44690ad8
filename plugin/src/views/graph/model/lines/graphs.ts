import { isUsageKey } from '@joblens/core/ask/tables/job-usage';
import { compareMainFirst, type GraphWeight } from '@joblens/core/ask/tables/main-tables';
import { compareTimes } from '../../../../frames/times.js';
import type { Column, PanelTable } from '../../../parts/components/tables.js';
import { listFoldedMarks, type NonFiniteMark } from './folded-marks.js';
import { findMiddles, type LineBand, listExtremes, readBand } from './line-band.js';
import { nameLines, nameOwners } from './line-names.js';
import { chooseX, type XChoice, type XWish } from './x-choice.js';

/** One line, its points in the order they were printed. `ys` holds NaN where the line has a gap. */
export interface GraphLine {
  /** Unique in its graph. */
  readonly name: string;
  /** The writer: lines of one owner come from one job, user and task, or from one frame of another data source. */
  readonly owner: string;
  readonly column: Column;
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** Where `ys` are means: the lowest and the highest numbers. */
  readonly band?: LineBand | undefined;
  /** All numbers whose extent the line has, in no order: `ys`, or those of the band. */
  readonly extremes: readonly number[];
  readonly timesMs: readonly number[] | undefined;
  readonly timesNs: readonly string[] | undefined;
  readonly nonFinite: readonly NonFiniteMark[];
}

/** What X means: `row` is the row's number, where rows have no time. */
export type XKind = 'key' | 'time' | 'relative' | 'row';

/** Tables that share an X key, as one graph. */
export interface GraphModel {
  /** Stays the same while rows come in. */
  readonly id: string;
  readonly xKind: XKind;
  /** The X key, `undefined` for any kind but `key`. */
  readonly xKey: string | undefined;
  readonly x: XChoice;
  readonly tables: readonly PanelTable[];
  readonly lines: readonly GraphLine[];
  /** The names of the owners of the lines, by owner. */
  readonly owners: ReadonlyMap<string, string>;
  /** Its owners are groups of jobs, in this order; numbers, if their values are. */
  readonly groupedBy?: 'numbers' | 'names';
  /** Rows that are drawn, also as a part of a point. */
  readonly shownRows: number;
  readonly totalRows: number;
}

interface Part {
  readonly table: PanelTable;
  readonly x: readonly unknown[] | undefined;
  /** The values that are not finite of a column, which a folded table has apart. */
  readonly listMarks: (column: Column) => readonly NonFiniteMark[];
}

function readFinite(values: readonly unknown[] | undefined, row: number): number {
  const value = values?.[row];
  return typeof value === 'number' && Number.isFinite(value) ? value : NaN;
}

/** When the first row of each job came, which relative time counts from. */
function findStarts(tables: readonly PanelTable[]): (table: PanelTable) => number {
  const starts = new Map<string, number>();
  const ownerOf = ({ job, user }: PanelTable): string => JSON.stringify([job, user]);
  for (const table of tables) {
    const owner = ownerOf(table);
    starts.set(owner, Math.min(starts.get(owner) ?? Infinity, table.startMs ?? Infinity));
  }
  return (table) => starts.get(ownerOf(table)) ?? 0;
}

/** The X values of a table; `undefined`: X is the number of the row. */
function readXValues(table: PanelTable, x: XChoice, startMs: number): readonly unknown[] | undefined {
  if (x.key !== undefined) {
    const column = table.columns.find(({ name }) => name === x.key);
    return column?.band === undefined ? column?.values : findMiddles(column.band);
  }
  return x.isRelative ? table.timesMs?.map((timeMs) => timeMs - startMs) : table.timesMs;
}

/** Which row of which table each point is. */
interface RowRefs {
  /** Indices of tables; undefined: all rows are of the only one. */
  readonly tables: readonly number[] | undefined;
  readonly rows: readonly number[];
}

/** Rows of several tables in the order they were printed. */
function mergeRows(tables: readonly PanelTable[]): RowRefs {
  const [only, ...others] = tables;
  if (others.length === 0)
    return { tables: undefined, rows: Array.from({ length: only?.rowCount ?? 0 }, (_, row) => row) };
  const refs = tables.flatMap(({ timesMs, timesNs, rowCount }, table) =>
    Array.from({ length: rowCount }, (_, row) => ({ table, row, timeMs: timesMs?.[row] ?? 0, timeNs: timesNs?.[row] }))
  );
  refs.sort((a, b) => compareTimes(a.timeMs, a.timeNs, b.timeMs, b.timeNs));
  return { tables: refs.map(({ table }) => table), rows: refs.map(({ row }) => row) };
}

/** The part that lines of the same tables share: which rows they draw, where and when. */
interface Base extends RowRefs {
  readonly xs: readonly number[];
  readonly timesMs: readonly number[] | undefined;
  readonly timesNs: readonly string[] | undefined;
}

/** Leaves out the rows that have no X. */
function placeRows(parts: readonly Part[]): RowRefs & Pick<Base, 'xs'> {
  const merged = mergeRows(parts.map((part) => part.table));
  const tables: number[] = [];
  const rows: number[] = [];
  const xs: number[] = [];
  for (let at = 0; at < merged.rows.length; at++) {
    const [table, row] = [merged.tables?.[at] ?? 0, merged.rows[at] ?? 0];
    const values = parts[table]?.x;
    const x = values === undefined ? row : readFinite(values, row);
    if (Number.isNaN(x)) continue;
    tables.push(table);
    rows.push(row);
    xs.push(x);
  }
  return { tables: merged.tables && tables, rows, xs };
}

function createBase(parts: readonly Part[]): Base {
  const placed = placeRows(parts);
  const tableAt = (at: number): PanelTable | undefined => parts[placed.tables?.[at] ?? 0]?.table;
  const hasTimes = parts.every((part) => part.table.timesMs !== undefined);
  const hasExactTimes = parts.every((part) => part.table.timesNs !== undefined);
  return {
    ...placed,
    timesMs: hasTimes ? placed.rows.map((row, at) => tableAt(at)?.timesMs?.[row] ?? NaN) : undefined,
    timesNs: hasExactTimes ? placed.rows.map((row, at) => tableAt(at)?.timesNs?.[row] ?? '') : undefined,
  };
}

interface LineSource {
  readonly part: Part;
  readonly column: Column;
}

/** The columns of one owner that have one name, in the order of the tables, by owner and name. */
function groupColumns(
  parts: readonly Part[],
  xKey: string | undefined
): readonly (readonly [LineSource, ...LineSource[]])[] {
  const sources = new Map<string, [LineSource, ...LineSource[]]>();
  for (const part of parts) {
    for (const column of part.table.columns) {
      if (!column.isNumeric || column.name === xKey) continue;
      const key = JSON.stringify([readOwner(part.table), column.title]);
      const known = sources.get(key);
      if (known === undefined) sources.set(key, [{ part, column }]);
      else known.push({ part, column });
    }
  }
  return [...sources.values()];
}

/** Who wrote a table: what `owner` of its lines says. */
export function readOwner({ kind, id, job, user, task }: PanelTable): string {
  return kind === 'plain' ? id : JSON.stringify([job, user, task]);
}

/** Whether a table is one row, whose values are facts: a graph would show points alone. */
export function isLoneRow({ kind, rowCount, totalRows }: PanelTable): boolean {
  return kind === 'metadata' && rowCount === 1 && totalRows === 1;
}

function createLine(name: string, sources: readonly [LineSource, ...LineSource[]], base: Base): GraphLine {
  const nonFinite: NonFiniteMark[] = [];
  const ys = base.rows.map((row, index) => {
    const value = sources[base.tables?.[index] ?? 0]?.column.values[row];
    if (typeof value !== 'number') return NaN;
    if (Number.isFinite(value)) return value;
    nonFinite.push({ x: base.xs[index] ?? NaN, index, value });
    return NaN;
  });
  nonFinite.push(...sources.flatMap((source) => source.part.listMarks(source.column)));
  const [{ part, column }] = sources;
  const { xs, timesMs, timesNs } = base;
  const columns = sources.map((source) => source.column);
  const band = readBand(columns, ys, (index) => ({ at: base.tables?.[index] ?? 0, row: base.rows[index] ?? 0 }));
  const owner = readOwner(part.table);
  return { name, owner, column, xs, ys, band, extremes: listExtremes(ys, band), timesMs, timesNs, nonFinite };
}

function createLines(members: readonly Member[]): readonly GraphLine[] {
  const startOf = findStarts(members.map(({ table }) => table));
  const parts = members.map(({ table, x }) => ({
    table,
    x: readXValues(table, x, startOf(table)),
    listMarks: ({ name }: Column) => listFoldedMarks(table, name, x, startOf(table)),
  }));
  const groups = groupColumns(parts, members[0]?.x.key).filter(([first, ...others]) => {
    return others.length > 0 || !isLoneRow(first.part.table);
  });
  const names = nameLines(groups.map(([{ part, column }]) => ({ table: part.table, title: column.title })));
  const bases = new Map<string, Base>();
  return groups.map((sources, index) => {
    const own = sources.map((source) => source.part);
    const baseKey = own.map((part) => part.table.id).join('\n');
    const base = bases.get(baseKey) ?? createBase(own);
    bases.set(baseKey, base);
    return createLine(names[index] ?? '', sources, base);
  });
}

function readNewestMs(tables: readonly PanelTable[]): number {
  return tables.reduce(
    (newest, { timesMs }) => Math.max(newest, timesMs?.[timesMs.length - 1] ?? -Infinity),
    -Infinity
  );
}

/** Rows that the drawn points stand for. Nobody counts those of aggregates: then it is all rows of the table. */
function countShown({ folded, rowCount, totalRows }: PanelTable): number {
  if (folded === undefined) return rowCount;
  return folded.isAggregated ? totalRows : folded.rows;
}

interface Member {
  readonly table: PanelTable;
  readonly x: XChoice;
}

function readXKind(members: readonly Member[]): XKind {
  const x = members[0]?.x;
  if (x?.key !== undefined) return 'key';
  if (!members.every(({ table }) => table.timesMs !== undefined)) return 'row';
  return x?.isRelative ? 'relative' : 'time';
}

function createGraph(id: string, members: readonly [Member, ...Member[]]): GraphModel {
  const tables = members.map((member) => member.table);
  const [{ x }] = members;
  return {
    id,
    xKind: readXKind(members),
    xKey: x.key,
    x,
    tables,
    lines: createLines(members),
    owners: nameOwners(tables, readOwner),
    shownRows: tables.reduce((sum, table) => sum + countShown(table), 0),
    totalRows: tables.reduce((sum, table) => sum + table.totalRows, 0),
  };
}

/** Tables with the same string share a graph. */
function createGraphId({ key, isRelative }: XChoice): string {
  if (key !== undefined) return `key:${key}`;
  return isRelative ? 'relative' : 'time';
}

/**
 * One graph for each X key, tables that share it drawn together, equally named columns of one writer as one line.
 * The main graph comes first, as in the last values of a list of jobs.
 */
export function createGraphs(tables: readonly PanelTable[], wish: XWish): readonly GraphModel[] {
  const groups = new Map<string, [Member, ...Member[]]>();
  for (const table of tables) {
    if (table.kind === 'jobs' || table.rowCount === 0) continue;
    const x = chooseX(table, wish);
    const group = groups.get(createGraphId(x));
    if (group === undefined) groups.set(createGraphId(x), [{ table, x }]);
    else group.push({ table, x });
  }
  return [...groups]
    .map(([id, members]) => createGraph(id, members))
    .filter((graph) => graph.lines.length > 0)
    .sort((a, b) => compareMainFirst(weigh(a), weigh(b)));
}

function weigh({ xKey, totalRows, lines, tables }: GraphModel): GraphWeight {
  const isUsage = isUsageKey(xKey ?? '');
  return { isUsage, rows: totalRows, lines: lines.length, newest: readNewestMs(tables) };
}

/** X in words. */
export function nameX({ xKind, xKey }: Pick<GraphModel, 'xKind' | 'xKey'>): string {
  if (xKey !== undefined) return xKey;
  return xKind === 'relative' ? 'relative time' : xKind;
}
