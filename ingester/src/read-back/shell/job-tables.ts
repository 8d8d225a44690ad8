import { SINCE_EVER } from '@joblens/core/ask/reading/selection';
import { suggestNearest } from '@joblens/core/console/find-nearest';
import { readTables, tablesQuery, type TableSummary } from '@joblens/core/ask/tables/tables';
import { err, ok, type Result } from '@joblens/core/result/result';
import { findUsageTables } from '@joblens/core/ask/tables/job-usage';
import { findRowTables, joinTables } from '@joblens/core/ask/tables/row-tables';
import type { AskStore } from './ask-store.js';
import { quoteLastWord } from './quote-word.js';
import { runReading } from './run-reading.js';

interface JobName {
  readonly job: string;
  readonly user: string;
}

const MAX_FOUND = 1000;

/** The tables of one job, oldest first: those that are described, and those of which there are rows alone. */
export async function readJobTables(ask: AskStore, names: JobName): Promise<Result<readonly TableSummary[], string>> {
  const answer = await ask([tablesQuery(names)]);
  if (!answer.ok) return answer;
  const described = readTables(answer.value[0]);
  const found = await runReading(ask, findRowTables({ ...names, ...SINCE_EVER }, described, MAX_FOUND));
  return found.ok ? ok(joinTables(described, found.value)) : found;
}

/** Lists the tables that the job printed, without what Joblens has measured of it. */
export function listPrintedTables(tables: readonly TableSummary[]): readonly TableSummary[] {
  const measured = new Set(findUsageTables(tables));
  return tables.filter((table) => !measured.has(table));
}

/** What to say of a job without any table. */
export function formatNoMetadata(job: string): string {
  return `job ${job} has no metadata; joblens suggest ${quoteLastWord(job)} looks for numbers in what it printed`;
}

/** The table that a user means by its number in the list, by one of its keys, or by nothing: that with most rows. */
export function chooseTable(
  tables: readonly TableSummary[],
  wanted: string | undefined,
  job: string
): Result<TableSummary, string> {
  const [first, ...others] = tables.toSorted((a, b) => b.rows - a.rows);
  if (first === undefined) return err(formatNoMetadata(job));
  if (wanted === undefined) {
    const printed = listPrintedTables(tables).toSorted((a, b) => b.rows - a.rows)[0] ?? first;
    return ok(printed);
  }
  const numbered = /^\d+$/.test(wanted) ? tables[Number(wanted) - 1] : undefined;
  const keyed = [first, ...others].find((table) => table.keys.includes(wanted));
  const table = numbered ?? keyed;
  if (table !== undefined) return ok(table);
  const keys = tables.flatMap((one) => one.keys);
  return err(`the job has no table ${wanted}; --tables lists those that it has${suggestNearest(wanted, keys)}`);
}
