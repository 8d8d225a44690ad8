import { ANY_TIME } from '@joblens/core/ask/reading/selection';
import type { TablePiece } from '@joblens/core/ask/whole-table/table-pieces';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { err, ok, type Result } from '@joblens/core/result/result';
import { suggestNearest } from '@joblens/core/console/find-nearest';
import { toVisibleText } from '@joblens/core/console/terminal-text';
import { formatNumber } from '@joblens/core/numbers/format-number';
import { labelTicks } from '@joblens/core/numbers/tick-labels';
import { findXKey } from '@joblens/core/ask/tables/main-tables';
import { readWholeTable } from '@joblens/core/ask/whole-table/whole-table';
import { readNumber } from '@joblens/core/rows/join-rows';
import { showUnknown } from '../../host/charset.js';
import { createAskPage } from '../shell/ask-store.js';
import { readJob } from '../shell/choose-job.js';
import { type Curve, type CurvePiece, drawGraph } from './draw-graph.js';
import { chooseTable, formatNoMetadata, readJobTables } from '../shell/job-tables.js';
import { formatLocalTime } from '../shell/local-time.js';
import type { Output } from '../shell/output.js';
import type { PointInTime } from '../shell/point-in-time.js';
import { quoteLastWord } from '../shell/quote-word.js';
import { runReading } from '../shell/run-reading.js';
import type { Reading } from '../shell/reading.js';
import { readTableRows } from './table-rows.js';

interface PlotCommand {
  readonly user: string | undefined;
  readonly x: string | undefined;
  readonly table: string | undefined;
  readonly since: PointInTime | undefined;
  readonly together: boolean;
  readonly keys: readonly string[];
}

/** The keys of one table that are drawn over the same X. */
interface Plot {
  readonly table: TableSummary;
  /** Undefined for the time. */
  readonly x: string | undefined;
  readonly keys: readonly string[];
}

const MAX_KEYS = 4;
const MAX_PIECES = 4000;
const MIN_GRAPH_HEIGHT = 7;

/** Draws graphs of a job's metadata. Returns the exit code. */
export async function plotJob(reading: Reading, command: PlotCommand, job: string): Promise<number> {
  const { ask, fail, host, output } = reading;
  const record = await readJob(ask, job, command.user);
  if (!record.ok) return fail(record.error);
  const tables = await readJobTables(ask, { job, user: record.value.user });
  if (!tables.ok) return fail(tables.error);
  const plots = choosePlots(tables.value, command, job);
  if (!plots.ok) return fail(plots.error);

  const nowMs = host.clock.nowMs();
  const range = { ...ANY_TIME, ...(command.since !== undefined && { fromNs: command.since(nowMs) }) };
  const graphs: Graph[] = [];
  for (const plot of plots.value) {
    const read = await readGraph(reading, plot, range);
    if (!read.ok) return fail(read.error);
    const { curves } = read.value;
    if (command.together && curves.length > 0) graphs.push(read.value);
    else graphs.push(...curves.map((curve) => ({ ...read.value, curves: [curve] })));
  }
  if (graphs.length === 0) return fail('there is no number to draw');
  await printGraphs(output, graphs);
  return 0;
}

interface Graph {
  readonly plot: Plot;
  readonly curves: readonly Curve[];
}

async function printGraphs(output: Output, graphs: readonly Graph[]): Promise<void> {
  const { width, hasColors, charset } = output;
  const height = Math.max(MIN_GRAPH_HEIGHT, Math.floor((output.height - 1) / graphs.length));
  for (const { plot, curves } of graphs) {
    const xName = plot.x ?? 'time';
    const labelX = plot.x === undefined ? (xs: readonly number[]) => xs.map(formatLocalTime) : labelTicks;
    if (plot.table.rows === 1) {
      if (!(await output.write(showUnknown(formatFacts(plot, curves), charset)))) return;
      continue;
    }
    const graph = drawGraph(curves, { width, height, hasColors, charset, xName, labelX });
    if (!(await output.write(showUnknown(graph, charset)))) return;
  }
}

/** One row has no course: its values are facts. */
function formatFacts({ x }: Plot, curves: readonly Curve[]): string {
  const at = curves[0]?.pieces[0]?.x ?? NaN;
  const facts = [
    [x ?? 'time', x === undefined ? formatLocalTime(at) : formatNumber(at)],
    ...curves.map(({ name, pieces }) => [name, formatNumber(pieces[0]?.last ?? NaN)]),
  ];
  return `${facts.map(([name = '', value = '']) => `${toVisibleText(name)} ${value}`).join('   ')}\n`;
}

function choosePlots(
  tables: readonly TableSummary[],
  command: PlotCommand,
  job: string
): Result<readonly Plot[], string> {
  const plots = new Map<TableSummary, Plot>();
  for (const key of command.keys.length === 0 ? [undefined] : command.keys) {
    const plot = choosePlot(tables, command, { key, job });
    if (plot === undefined) return err(describeMissing(tables, command, key, job));
    const known = plots.get(plot.table)?.keys ?? [];
    plots.set(plot.table, { ...plot, keys: [...known, ...plot.keys] });
  }
  return ok([...plots.values()]);
}

/** The plot of one key, or of the first keys of a table; undefined if there is no such table or key. */
function choosePlot(
  tables: readonly TableSummary[],
  { keys, table: wanted, x }: PlotCommand,
  { key, job }: { readonly key: string | undefined; readonly job: string }
): Plot | undefined {
  const chosen = chooseTable(tables, wanted ?? key, job);
  if (!chosen.ok) return undefined;
  const table = chosen.value;
  const needed = [key, x === 'time' ? undefined : x].filter((name) => name !== undefined);
  if (!needed.every((name) => table.keys.includes(name))) return undefined;
  const over = x === 'time' ? undefined : (x ?? chooseX(table, keys));
  if (key !== undefined) return { table, x: over === key ? undefined : over, keys: [key] };
  const others = listNumericKeys(table, over);
  return others.length > 0 ? { table, x: over, keys: others } : { table, x: undefined, keys: listNumericKeys(table) };
}

function describeMissing(
  tables: readonly TableSummary[],
  { table, x }: PlotCommand,
  key: string | undefined,
  job: string
): string {
  if (tables.length === 0) return formatNoMetadata(job);
  const lists = `joblens metadata --tables ${quoteLastWord(job)} lists those that it has`;
  const known = tables.flatMap(({ keys }) => keys);
  if (table !== undefined || x !== undefined) {
    const isNumber = (name: string): boolean => /^\d+$/.test(name);
    const unknown = [table, x, key].find((name) => name !== undefined && !known.includes(name) && !isNumber(name));
    return `the job has no such table with such keys; ${lists}${suggestNearest(unknown ?? '', known)}`;
  }
  if (key === undefined) return formatNoMetadata(job);
  const meant = suggestNearest(key, known);
  return `the job has no key ${key}${meant || `; ${lists}`}`;
}

/** The key of the ladder, unless it is drawn itself. */
function chooseX(table: TableSummary, keys: readonly string[]): string | undefined {
  const x = findXKey(table);
  return x !== undefined && keys.includes(x) ? undefined : x;
}

function listNumericKeys({ keys, stats }: TableSummary, x?: string): readonly string[] {
  const numeric = keys.filter((key) => key !== x && (stats?.columns.get(key)?.numeric ?? 1) > 0);
  return numeric.slice(0, MAX_KEYS);
}

interface Range {
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

/** The curves that have a point; over time, where an X leaves none. */
async function readGraph(reading: Reading, plot: Plot, range: Range): Promise<Result<Graph, string>> {
  const read = await readCurves(reading, plot, range);
  if (!read.ok) return read;
  const curves = read.value.filter(({ pieces }) => pieces.length > 0);
  if (curves.length > 0 || plot.x === undefined) return ok({ plot, curves });
  return readGraph(reading, { ...plot, x: undefined }, range);
}

async function readCurves(
  { ask, connection }: Reading,
  { table, x, keys }: Plot,
  range: Range
): Promise<Result<readonly Curve[], string>> {
  const asked = x === undefined ? keys : [x, ...keys];
  const whole = await runReading(ask, readWholeTable({ table, keys: asked, ...range, maxPieces: MAX_PIECES }));
  if (!whole.ok) return whole;
  const pieces: TablePiece[] = whole.value.kind === 'pieces' ? [...whole.value.pieces] : [];
  if (whole.value.kind === 'rows') {
    for await (const rows of readTableRows(createAskPage(connection), table, 'asc', range)) {
      if (!rows.ok) return rows;
      for (const row of rows.value) {
        const values = asked.map((key) => readNumber(row, key) ?? NaN);
        pieces.push({ timeNs: row.timeNs, level: 0, rows: 1, values });
      }
    }
  }
  const offset = x === undefined ? 0 : 1;
  return ok(
    keys.map((name, i) => ({
      name,
      pieces: pieces.flatMap((piece) => createPiece(piece, i + offset, x === undefined ? undefined : 0)),
    }))
  );
}

/** None where X or the value is no number. `at` and `xAt` count keys. */
function createPiece(piece: TablePiece, at: number, xAt: number | undefined): CurvePiece[] {
  const values = readValues(piece, at);
  const x = xAt === undefined ? Number(piece.timeNs / NS_PER_MS) : findMiddle(readValues(piece, xAt));
  return Number.isFinite(x) && Number.isFinite(values.min) && Number.isFinite(values.max) ? [{ x, ...values }] : [];
}

type PieceValues = Omit<CurvePiece, 'x'>;

/** Where the middle of the rows of a piece is, whichever way X goes. */
function findMiddle({ min, max }: PieceValues): number {
  return min / 2 + max / 2;
}

/** Reads the values of one key. An aggregate has no last value. */
function readValues({ level, values }: TablePiece, at: number): PieceValues {
  if (level === 0) {
    const value = values[at] ?? NaN;
    return { min: value, max: value, mean: value, last: value };
  }
  const [min = NaN, max = NaN, mean = NaN, last = NaN] = values.slice(at * 4, at * 4 + 4);
  return { min, max, mean, last: Number.isNaN(last) ? mean : last };
}
