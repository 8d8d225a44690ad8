import { compareTimes } from '../../frames/times.js';
import { createOwnerPrefix, type Column, type PanelTable } from '../parts/tables.js';
import { chooseX, type XChoice, type XWish } from './x-choice.js';

/** One line, its points in the order they were printed. `ys` holds NaN where the line has a gap. */
export interface GraphLine {
  readonly name: string;
  readonly column: Column;
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly timesMs: readonly number[] | undefined;
}

/** Tables that share an X key, as one graph. */
export interface GraphModel {
  /** The X key, `undefined` for time. */
  readonly xKey: string | undefined;
  readonly x: XChoice;
  readonly tables: readonly PanelTable[];
  readonly lines: readonly GraphLine[];
  readonly shownRows: number;
  readonly totalRows: number;
}

interface RowRef {
  readonly table: number;
  readonly row: number;
}

interface Part {
  readonly table: PanelTable;
  readonly x: readonly unknown[] | undefined;
}

function readFinite(values: readonly unknown[] | undefined, row: number): number {
  const value = values?.[row];
  return typeof value === 'number' && Number.isFinite(value) ? value : NaN;
}

/** The X values of a table; `undefined`: X is the number of the row. */
function readXValues(table: PanelTable, key: string | undefined): readonly unknown[] | undefined {
  return key === undefined ? table.timesMs : table.columns.find((column) => column.name === key)?.values;
}

/** Rows of several tables in the order they were printed. */
function mergeRows(tables: readonly PanelTable[]): readonly RowRef[] {
  const refs = tables.flatMap((table, index) =>
    Array.from({ length: table.rowCount }, (_, row) => ({ table: index, row }))
  );
  if (tables.length < 2) return refs;
  const timeOf = ({ table, row }: RowRef): number => tables[table]?.timesMs?.[row] ?? 0;
  const nsOf = ({ table, row }: RowRef): string | undefined => tables[table]?.timesNs?.[row];
  return refs.sort((a, b) => compareTimes(timeOf(a), nsOf(a), timeOf(b), nsOf(b)));
}

/** The part that lines of the same tables share: which rows they draw, where and when. */
interface Base {
  readonly rows: readonly RowRef[];
  readonly xs: readonly number[];
  readonly timesMs: readonly number[] | undefined;
}

function createBase(parts: readonly Part[]): Base {
  const rows: RowRef[] = [];
  const xs: number[] = [];
  const timesMs: number[] = [];
  for (const ref of mergeRows(parts.map((part) => part.table))) {
    const part = parts[ref.table];
    const x = part?.x === undefined ? ref.row : readFinite(part.x, ref.row);
    if (Number.isNaN(x)) continue;
    rows.push(ref);
    xs.push(x);
    timesMs.push(part?.table.timesMs?.[ref.row] ?? NaN);
  }
  const hasTimes = parts.every((part) => part.table.timesMs !== undefined);
  return { rows, xs, timesMs: hasTimes ? timesMs : undefined };
}

interface LineSource {
  readonly part: Part;
  readonly column: Column;
}

function groupLines(
  parts: readonly Part[],
  xKey: string | undefined,
  prefix: (table: PanelTable) => string
): Map<string, [LineSource, ...LineSource[]]> {
  const sources = new Map<string, [LineSource, ...LineSource[]]>();
  for (const part of parts) {
    for (const column of part.table.columns) {
      if (!column.isNumeric || column.name === xKey) continue;
      const name = `${prefix(part.table)}${column.title}`;
      const known = sources.get(name);
      if (known === undefined) sources.set(name, [{ part, column }]);
      else known.push({ part, column });
    }
  }
  return sources;
}

/** The part of a line's name before its column: the writer, or the frame where it comes from another data source. */
function createLinePrefix(tables: readonly PanelTable[]): (table: PanelTable) => string {
  const owner = createOwnerPrefix(tables);
  const hasManyPlain = tables.filter((table) => table.kind === 'plain').length > 1;
  return (table) => (table.kind === 'plain' && hasManyPlain ? `${table.label} ` : owner(table));
}

function createLines(tables: readonly PanelTable[], xKey: string | undefined): readonly GraphLine[] {
  const parts = tables.map((table) => ({ table, x: readXValues(table, xKey) }));
  const bases = new Map<string, Base>();
  return [...groupLines(parts, xKey, createLinePrefix(tables))].map(([name, [first, ...rest]]) => {
    const sources = [first, ...rest];
    const own = sources.map((source) => source.part);
    const baseKey = own.map((part) => part.table.id).join('\n');
    const base = bases.get(baseKey) ?? createBase(own);
    bases.set(baseKey, base);
    const ys = base.rows.map(({ table, row }) => readFinite(sources[table]?.column.values, row));
    return { name, column: first.column, xs: base.xs, ys, timesMs: base.timesMs };
  });
}

function readNewestMs(tables: readonly PanelTable[]): number {
  return tables.reduce(
    (newest, { timesMs }) => Math.max(newest, timesMs?.[timesMs.length - 1] ?? -Infinity),
    -Infinity
  );
}

function createGraph(xKey: string | undefined, members: readonly { table: PanelTable; x: XChoice }[]): GraphModel {
  const tables = members.map((member) => member.table);
  const x = members[0]?.x ?? { key: xKey, reason: '', isAutomatic: true };
  return {
    xKey,
    x,
    tables,
    lines: createLines(tables, xKey),
    shownRows: tables.reduce((sum, table) => sum + table.rowCount, 0),
    totalRows: tables.reduce((sum, table) => sum + table.totalRows, 0),
  };
}

/**
 * One graph for each X key, tables that share it drawn together, equally named columns of one writer as one line.
 * The graph with the most points comes first, among equals the one with the newest row.
 */
export function createGraphs(tables: readonly PanelTable[], wish: XWish): readonly GraphModel[] {
  const groups = new Map<string | undefined, { table: PanelTable; x: XChoice }[]>();
  for (const table of tables) {
    if (table.kind === 'jobs' || table.rowCount === 0) continue;
    const x = chooseX(table, wish);
    const group = groups.get(x.key);
    if (group === undefined) groups.set(x.key, [{ table, x }]);
    else group.push({ table, x });
  }
  return [...groups]
    .map(([xKey, members]) => createGraph(xKey, members))
    .filter((graph) => graph.lines.length > 0)
    .sort(
      (a, b) =>
        b.shownRows * b.lines.length - a.shownRows * a.lines.length || readNewestMs(b.tables) - readNewestMs(a.tables)
    );
}
