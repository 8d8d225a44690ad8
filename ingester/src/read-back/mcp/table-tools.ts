import { findNearest } from '@joblens/core/console/find-nearest';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import { parseRfc3339Nano } from '@joblens/core/point/timestamp';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { MetadataRecord } from '@joblens/core/rows/join-rows';
import { createAskPage } from '../shell/ask-store.js';
import { readJob } from '../shell/choose-job.js';
import type { Column } from '../shell/column.js';
import { chooseTable, readJobTables } from '../shell/job-tables.js';
import { createRowColumns } from '../tables/metadata.js';
import { findLastRowsNs, readTableRows, type RowRange } from '../tables/table-rows.js';
import type { Reading } from '../shell/reading.js';
import type { Answer } from './answer.js';
import { explainFailureToAgent } from './explain-failure.js';
import type { Arguments } from './parameters.js';
import { ONE_JOB, readCount, readTextArgument, refuse, type Tool, type ToolContext } from './tool.js';
import { createToolReading } from './tool-reading.js';

interface JobTables {
  readonly record: JobRecord;
  readonly tables: readonly TableSummary[];
}

export const LIST_TABLES: Tool = {
  name: 'list_tables',
  title: 'List the tables of a job',
  description:
    'The tables of the numbers that a job printed (metrics, losses, timings): how many rows, which keys, and of each ' +
    'key the last value, the least and the greatest. Rows with the same keys are one table.',
  parameters: ONE_JOB,
  async call(context, given) {
    const found = await findTables(context.reading, given);
    if (!found.ok) return found.error;
    const { reading, printed } = createToolReading(context, { offset: 0, limit: Infinity });
    await reading
      .createPrinter(TABLE_COLUMNS)
      .print(found.value.tables.map((table, at) => ({ table, number: at + 1 })));
    const { lines, isFull } = printed.bounded;
    const count = `${found.value.tables.length} tables, an object of JSON on each line; read_table reads their rows.`;
    const none = 'The job has printed no numbers that became tables; read_log shows what it printed.';
    const cut = isFull ? `There is room for the first ${lines.length} only; read_table takes the number of any.` : '';
    return { notes: [lines.length === 0 ? none : count, cut, linkOf(context, found.value.record)], lines };
  },
};

const TABLE_COLUMNS: ReadonlyArray<Column<{ readonly table: TableSummary; readonly number: number }>> = [
  { name: 'table', value: ({ number }) => number },
  { name: 'rows', value: ({ table }) => table.rows },
  { name: 'task', value: ({ table }) => table.task },
  { name: 'x', value: ({ table }) => table.x },
  { name: 'keys', value: ({ table }) => (table.stats === undefined ? table.keys : undefined) },
  { name: 'columns', value: ({ table }) => summarize(table) },
];

/** More keys than this are told by their names alone. */
const SUMMARIZED_KEYS = 40;

function summarize({ stats, keys }: TableSummary): Record<string, Record<string, number | string>> | undefined {
  if (stats === undefined) return undefined;
  return Object.fromEntries(
    keys.map((key, at) => {
      const column = at < SUMMARIZED_KEYS ? stats.columns.get(key) : undefined;
      if (column === undefined) return [key, {}];
      const { last, min, max } = column;
      return [key, { last, ...(min !== undefined && { min }), ...(max !== undefined && { max }) }];
    })
  );
}

export const READ_TABLE: Tool = {
  name: 'read_table',
  title: 'Read rows of a table of a job',
  description:
    'Rows of a table of a job, oldest first: the last ones, or those behind the time `after`. list_tables says which ' +
    'tables there are.',
  parameters: {
    ...ONE_JOB,
    table: {
      type: 'text',
      description: 'its number in list_tables, or a key that it has (default: that with most rows)',
    },
    after: { type: 'text', description: 'the rows behind this time, as a row has it (default: the last rows)' },
    limit: { type: 'integer', description: 'the most rows', minimum: 1, maximum: 1000, default: 50 },
  },
  async call(context, given) {
    const found = await findTables(context.reading, given);
    if (!found.ok) return found.error;
    const { record, tables } = found.value;
    const wanted = readTextArgument(given, 'table');
    const chosen = chooseTable(tables, wanted, record.job);
    if (!chosen.ok) return refuse(explainTable(tables, wanted));
    const range = await findRange(context.reading, chosen.value, given);
    if (!range.ok) return refuse(range.error);
    const limit = readCount(given, 'limit');
    const { reading, printed } = createToolReading(context, { offset: 0, limit });
    const columns = createRowColumns(chosen.value);
    const printer = reading.createPrinter(columns);
    let read: MetadataRecord[] = [];
    for await (const rows of readTableRows(createAskPage(reading.connection), chosen.value, 'asc', range.value)) {
      if (!rows.ok) return refuse(rows.error);
      read = [...read, ...rows.value];
      if (!(await printer.print(rows.value)) || read.length > limit) break;
    }
    const { lines, isFull } = printed.bounded;
    const last = read[lines.length - 1];
    const time = last === undefined ? undefined : columns[0]?.value(last);
    const more = isFull && time !== undefined ? `There are more: go on with "after": ${JSON.stringify(time)}.` : '';
    const shown = `${lines.length} of the ${chosen.value.rows} rows of the table, an object of JSON on each line.`;
    return { notes: [lines.length === 0 ? 'No rows there.' : shown, more, linkOf(context, record)], lines };
  },
};

async function findRange(reading: Reading, table: TableSummary, given: Arguments): Promise<Result<RowRange, string>> {
  const after = readTextArgument(given, 'after');
  if (after === undefined) {
    const last = await findLastRowsNs(createAskPage(reading.connection), table, readCount(given, 'limit'));
    return last.ok ? ok({ fromNs: last.value }) : last;
  }
  const afterNs = parseRfc3339Nano(after);
  if (afterNs !== undefined) return ok({ fromNs: afterNs + 1n });
  return err(`after must be a time as a row has it, such as 2026-11-23T14:30:00Z; got ${JSON.stringify(after)}`);
}

function explainTable(tables: readonly TableSummary[], wanted = ''): string {
  if (tables.length === 0) return 'The job has no tables; read_log shows what it printed.';
  const nearest = findNearest(wanted, [...new Set(tables.flatMap(({ keys }) => keys))]);
  const meant = nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
  return `The job has no table ${JSON.stringify(wanted)}.${meant} list_tables says which it has.`;
}

/** The tables of the job that the arguments name, or why there are none. */
export async function findTables(reading: Reading, given: Arguments): Promise<Result<JobTables, Answer>> {
  const job = readTextArgument(given, 'job') ?? '';
  const record = await readJob(reading.ask, job, readTextArgument(given, 'user'));
  if (!record.ok) return err(refuse(await explainFailureToAgent(reading, record.error)));
  const tables = await readJobTables(reading.ask, { job, user: record.value.user });
  return tables.ok ? ok({ record: record.value, tables: tables.value }) : err(refuse(tables.error));
}

function linkOf({ linkJob }: ToolContext, { job, user }: JobRecord): string {
  const link = linkJob({ job, user });
  return link === undefined ? '' : `Page of the job: ${link}`;
}
