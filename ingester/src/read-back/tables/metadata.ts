import type { TableSummary } from '@joblens/core/ask/tables/tables';
import type { MetadataRecord } from '@joblens/core/rows/join-rows';
import { formatNumber } from '@joblens/core/numbers/format-number';
import { createAskPage } from '../shell/ask-store.js';
import { readJob } from '../shell/choose-job.js';
import { type Column, createTimeColumn } from '../shell/column.js';
import { findFreeName } from './export-columns.js';
import { chooseTable, formatNoMetadata, listPrintedTables, readJobTables } from '../shell/job-tables.js';
import { createPrintedRowFormatter, type PrintedRow, readPrintedRows } from './printed-rows.js';
import type { PointInTime } from '../shell/point-in-time.js';
import type { Reading } from '../shell/reading.js';
import { showJson } from '../../host/show-json.js';
import { findLastRowsNs, readTableRows, type RowRange } from './table-rows.js';

interface MetadataCommand {
  readonly user: string | undefined;
  readonly tables: boolean;
  readonly table: string | undefined;
  readonly lines: number | undefined;
  readonly since: PointInTime | undefined;
}

const TERMINAL_ROWS = 100;

/** Prints the rows of a job's tables, or a list of these. Returns the exit code. */
export async function printMetadata(reading: Reading, command: MetadataCommand, job: string): Promise<number> {
  const { ask, fail, format, host } = reading;
  const record = await readJob(ask, job, command.user);
  if (!record.ok) return fail(record.error);
  const tables = await readJobTables(ask, { job, user: record.value.user });
  if (!tables.ok) return fail(tables.error);
  if (command.tables) return printTables(reading, tables.value, job);
  const range = { fromNs: command.since?.(host.clock.nowMs()) };
  const chosen = chooseTable(tables.value, command.table, job);
  if (!chosen.ok) return fail(chosen.error);
  if (format === 'json') {
    const printed = command.table === undefined ? listPrintedTables(tables.value) : [chosen.value];
    return printJson(reading, printed, range, command.lines);
  }
  return printTable(reading, chosen.value, { command, range, count: tables.value.length });
}

async function printTables(
  { createPrinter, report }: Reading,
  tables: readonly TableSummary[],
  job: string
): Promise<number> {
  const numbers = new Map(tables.map((table, i) => [table, i + 1]));
  const columns: readonly Column<TableSummary>[] = [
    { name: 'table', value: (table) => numbers.get(table), align: 'right' },
    { name: 'rows', value: ({ rows }) => rows, align: 'right' },
    { name: 'task', value: ({ task }) => task, isMinor: true },
    createTimeColumn('first', ({ timeNs }) => timeNs),
    { name: 'x', value: ({ x }) => x, isMinor: true },
    { name: 'keys', value: ({ keys }) => keys, shown: ({ keys }) => keys.join(', '), shrinks: true },
  ];
  await createPrinter(columns).print(tables);
  if (tables.length === 0) report.warn(formatNoMetadata(job));
  return 0;
}

async function printJson(
  { connection, output, fail }: Reading,
  tables: readonly TableSummary[],
  range: RowRange,
  most = 0
): Promise<number> {
  const askPage = createAskPage(connection);
  const ranges = new Map<TableSummary, RowRange>();
  for (const table of most === 0 ? [] : tables) {
    const last = await findLastRowsNs(askPage, table, most);
    if (!last.ok) return fail(last.error);
    ranges.set(table, { fromNs: later(range.fromNs, last.value) });
  }
  const formatRow = createPrintedRowFormatter();
  let kept: PrintedRow[] = [];
  const write = (rows: readonly PrintedRow[]): Promise<boolean> =>
    output.write(showJson(rows.map((row) => `${formatRow(row)}\n`).join('')));
  for await (const rows of readPrintedRows(askPage, tables, (table) => ranges.get(table) ?? range)) {
    if (!rows.ok) return fail(rows.error);
    if (most > 0) kept = [...kept, ...rows.value].slice(-most);
    else if (!(await write(rows.value))) return 0;
  }
  await write(kept);
  return 0;
}

function later(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}

interface TableView {
  readonly command: MetadataCommand;
  readonly range: RowRange;
  /** The rows of all tables. */
  readonly count: number;
}

async function printTable(reading: Reading, table: TableSummary, view: TableView): Promise<number> {
  const { connection, format, output, report, fail, createPrinter } = reading;
  const { command, range, count } = view;
  const askPage = createAskPage(connection);
  const most = command.lines ?? (format === 'table' ? TERMINAL_ROWS : 0);
  const last = most === 0 ? undefined : await findLastRowsNs(askPage, table, most);
  if (last?.ok === false) return fail(last.error);
  const fromNs = later(range.fromNs, last?.value);
  const printer = createPrinter(createRowColumns(table));
  let printed = 0;
  for await (const rows of readTableRows(askPage, table, 'asc', { fromNs })) {
    if (!rows.ok) return fail(rows.error);
    printed += rows.value.length;
    if (!(await printer.print(rows.value))) return 0;
  }
  if (!output.isTerminal || format !== 'table') return 0;
  const part = printed < table.rows ? `the last ${printed} of ${table.rows} rows (-n 0 gives all)` : `${printed} rows`;
  report.info(count === 1 ? part : `${part} of the longest of ${count} tables; --tables lists them`);
  return 0;
}

/** The keys in printed order behind the time, which has another name if a key has its name. */
export function createRowColumns({ keys }: Pick<TableSummary, 'keys'>): readonly Column<MetadataRecord>[] {
  const time = createTimeColumn<MetadataRecord>(findFreeName('time', keys), ({ timeNs }) => timeNs);
  return [time, ...keys.map(createKeyColumn)];
}

/** With as many digits as people read. */
function formatCell(value: number | string): string {
  return typeof value === 'string' ? value : formatNumber(value);
}

function createKeyColumn(key: string): Column<MetadataRecord> {
  return {
    name: key,
    head: key,
    value: ({ values }) => values.get(key) ?? undefined,
    shown: ({ values }) => formatCell(values.get(key) ?? ''),
    align: 'right',
    shrinks: true,
    isMinor: true,
  };
}
