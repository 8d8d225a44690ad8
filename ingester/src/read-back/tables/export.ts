import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import { err, ok, type Result } from '@joblens/core/result/result';
import { formatRfc3339Nano } from '@joblens/core/point/timestamp';
import { type AskPage, createAskPage } from '../shell/ask-store.js';
import { readJob } from '../shell/choose-job.js';
import { createExportColumns, type ExportColumn } from './export-columns.js';
import { type ExportFormat, inferFormat } from './export-format.js';
import { chooseTable, listPrintedTables, readJobTables } from '../shell/job-tables.js';
import type { PointInTime } from '../shell/point-in-time.js';
import { createPrintedRowFormatter, type PrintedRow, readPrintedRows } from './printed-rows.js';
import { showJson } from '../../host/show-json.js';
import { type CsvForm, formatCsvLine } from '../shell/print-rows.js';
import { createProgress } from '../shell/progress.js';
import type { Reading } from '../shell/reading.js';
import { openStdout, openTextFile, replaceFile, type RowFile } from '../shell/row-file.js';

/** At these, what is written of a file is removed again. */
const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface ExportCommand {
  readonly format: ExportFormat | undefined;
  readonly to: string | undefined;
  readonly user: string | undefined;
  readonly table: string | undefined;
  readonly since: PointInTime | undefined;
  readonly raw: boolean;
}

/** The rows to export, and how many they are at most. */
interface Rows {
  readonly batches: AsyncIterable<Result<readonly PrintedRow[], string>>;
  readonly tables: readonly TableSummary[];
  readonly askPage: AskPage;
}

/** Writes the metadata of a job. Returns the exit code. */
export async function exportJob(reading: Reading, command: ExportCommand, job: string): Promise<number> {
  const { ask, host, report, fail, connection } = reading;
  const { to } = command;
  const record = await readJob(ask, job, command.user);
  if (!record.ok) return fail(record.error);
  const tables = await readTables(reading, record.value, command.table);
  if (!tables.ok) return fail(tables.error);

  const progress = createProgress(
    host,
    tables.value.reduce((sum, { rows }) => sum + rows, 0),
    'rows'
  );
  const stop = new AbortController();
  let count = 0;
  const askPage = createAskPage(connection);
  const range = { fromNs: command.since?.(host.clock.nowMs()) };
  const read = readPrintedRows(askPage, tables.value, () => range);
  async function* counted(): typeof read {
    for await (const batch of read) {
      yield stop.signal.aborted ? err('stopped before the end, so no file is written') : batch;
      count += batch.ok ? batch.value.length : 0;
      progress.show(count);
    }
  }
  const rows: Rows = { batches: counted(), tables: tables.value, askPage };
  const write = (path: string | undefined): Promise<string | undefined> =>
    writeRows(reading, rows, { format: inferFormat(command.format, to), isRaw: command.raw }, path);
  const removers = to === undefined ? [] : STOPS.map((signal) => host.onSignal(signal, () => stop.abort()));
  const failure = to === undefined ? await write(undefined) : await replaceFile(to, host.machine.pid, write);
  for (const remove of removers) remove();
  progress.end();
  if (failure !== undefined) return fail(failure);
  if (to !== undefined) report.info(`${to} holds ${count} rows of job ${job}`);
  return 0;
}

async function readTables(
  { ask }: Reading,
  names: JobRecord,
  wanted: string | undefined
): Promise<Result<readonly TableSummary[], string>> {
  const { job, user } = names;
  const tables = await readJobTables(ask, { job, user });
  if (!tables.ok) return tables;
  if (wanted === undefined && tables.value.length > 0) return ok(listPrintedTables(tables.value));
  const chosen = chooseTable(tables.value, wanted, job);
  return chosen.ok ? ok([chosen.value]) : err(chosen.error);
}

/** Returns an error for the user, or nothing. */
async function writeRows(
  { output }: Reading,
  { batches, tables, askPage }: Rows,
  { format, isRaw }: { readonly format: ExportFormat; readonly isRaw: boolean },
  path: string | undefined
): Promise<string | undefined> {
  if (format === 'jsonl') {
    const formatRow = createPrintedRowFormatter();
    const show = (json: string): string => (path === undefined ? showJson(json) : json);
    return writeText(await openFile(path, output), batches, '', (row) => show(`${formatRow(row)}\n`));
  }
  const columns = await createExportColumns(askPage, tables);
  if (!columns.ok) return columns.error;
  if (format === 'parquet') return writeParquet(path ?? '', columns.value, batches);
  const onStdout = path === undefined;
  const charset = onStdout ? output.charset : 'utf-8';
  const form = { isRaw, isTerminal: onStdout && output.isTerminal, charset } as const;
  const head = formatCsvLine(
    columns.value.map(({ name }) => name),
    form
  );
  return writeText(await openFile(path, output), batches, head, (row) => formatCsvRow(columns.value, row, form));
}

function openFile(path: string | undefined, output: Reading['output']): Promise<RowFile> {
  return path === undefined ? Promise.resolve(openStdout(output)) : openTextFile(path);
}

async function writeText(
  file: RowFile,
  batches: Rows['batches'],
  head: string,
  formatRow: (row: PrintedRow) => string
): Promise<string | undefined> {
  try {
    if (!(await file.write(head))) return undefined;
    for await (const batch of batches) {
      if (!batch.ok) return batch.error;
      if (!(await file.write(batch.value.map(formatRow).join('')))) return undefined;
    }
    return undefined;
  } finally {
    await file.close();
  }
}

function formatCsvRow(columns: readonly ExportColumn[], row: PrintedRow, form: CsvForm): string {
  const cells = columns.map(({ read }) => {
    const value = read(row);
    return typeof value === 'bigint' ? formatRfc3339Nano(value) : String(value ?? '');
  });
  return formatCsvLine(cells, form);
}

async function writeParquet(
  path: string,
  columns: readonly ExportColumn[],
  batches: Rows['batches']
): Promise<string | undefined> {
  const { openParquetFile } = await import('./parquet-file.js');
  const file = openParquetFile(path, columns);
  for await (const batch of batches) {
    if (!batch.ok) return batch.error;
    await file.write(batch.value);
  }
  await file.finish();
  return undefined;
}
