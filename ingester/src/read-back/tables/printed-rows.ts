import type { TableSummary } from '@joblens/core/ask/tables/tables';
import { ok, type Result } from '@joblens/core/result/result';
import type { MetadataRecord } from '@joblens/core/rows/join-rows';
import { createRowFormatter } from '@joblens/core/metadata/row-json';
import { compareCodePoints } from '@joblens/core/point/utf8';
import type { AskPage } from '../shell/ask-store.js';
import { readTableRows, type RowRange } from './table-rows.js';

/** A row and its table. */
export interface PrintedRow {
  readonly row: MetadataRecord;
  readonly table: TableSummary;
}

interface Cursor {
  readonly table: TableSummary;
  readonly pages: AsyncIterator<Result<readonly MetadataRecord[], string>, void>;
  rows: readonly MetadataRecord[];
  at: number;
}

/** Rows are handed over in lists of about this length. */
const BATCH_ROWS = 1000;

/** The rows of several tables in printed order, with one page of each in memory. An error ends them. */
export async function* readPrintedRows(
  ask: AskPage,
  tables: readonly TableSummary[],
  rangeOf: (table: TableSummary) => RowRange = () => ({})
): AsyncGenerator<Result<readonly PrintedRow[], string>, void, undefined> {
  const cursors: Cursor[] = [];
  for (const table of tables) {
    const cursor = { table, pages: readTableRows(ask, table, 'asc', rangeOf(table)), rows: [], at: 0 };
    const isMore = await advance(cursor);
    if (!isMore.ok) return yield isMore;
    if (isMore.value) cursors.push(cursor);
  }
  let batch: PrintedRow[] = [];
  while (cursors.length > 0) {
    const first = cursors.reduce((a, b) => (isBefore(b, a) ? b : a));
    const row = first.rows[first.at];
    if (row !== undefined) batch.push({ row, table: first.table });
    first.at++;
    if (first.at >= first.rows.length) {
      const isMore = await advance(first);
      if (!isMore.ok) return yield isMore;
      if (!isMore.value) cursors.splice(cursors.indexOf(first), 1);
    }
    if (batch.length < BATCH_ROWS && cursors.length > 0) continue;
    yield ok(batch);
    batch = [];
  }
}

/** Reads the next page; false at the end. */
async function advance(cursor: Cursor): Promise<Result<boolean, string>> {
  const next = await cursor.pages.next();
  if (next.done === true) return ok(false);
  if (!next.value.ok) return next.value;
  Object.assign(cursor, { rows: next.value.value, at: 0 });
  return ok(true);
}

function isBefore(a: Cursor, b: Cursor): boolean {
  const [timeA, timeB] = [a.rows[a.at]?.timeNs ?? 0n, b.rows[b.at]?.timeNs ?? 0n];
  return timeA === timeB ? compareCodePoints(a.table.task ?? '', b.table.task ?? '') < 0 : timeA < timeB;
}

/** Formats rows as the JSON objects that were printed. */
export function createPrintedRowFormatter(): (printed: PrintedRow) => string {
  const formatters = new Map<TableSummary, (row: MetadataRecord) => string>();
  return ({ table, row }) => {
    const known = formatters.get(table) ?? createTableFormatter(table);
    formatters.set(table, known);
    return known(row);
  };
}

function createTableFormatter({ keys, form }: TableSummary): (row: MetadataRecord) => string {
  const format = createRowFormatter(keys, form);
  return ({ values }) => format(keys.map((key) => values.get(key) ?? null));
}
