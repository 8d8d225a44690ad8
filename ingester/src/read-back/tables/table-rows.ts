import { SINCE_EVER } from '@joblens/core/ask/reading/selection';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { MetadataRecord } from '@joblens/core/rows/join-rows';
import { joinRows, rowsQueries } from '@joblens/core/ask/tables/rows';
import type { AskPage } from '../shell/ask-store.js';

const [FIRST_ROWS, MAX_ROWS] = [500, 5000];
/** A page of a wide table has fewer rows. */
const PAGE_CELLS = 100_000;

export interface RowRange {
  readonly fromNs?: bigint | undefined;
  readonly toNs?: bigint | undefined;
}

/** The rows of a table page by page, with one page in memory. An error ends them. */
export async function* readTableRows(
  ask: AskPage,
  table: TableSummary,
  order: 'asc' | 'desc' = 'asc',
  range: RowRange = {}
): AsyncGenerator<Result<readonly MetadataRecord[], string>, void, undefined> {
  const { keys } = table;
  const most = Math.max(1, Math.min(MAX_ROWS, Math.floor(PAGE_CELLS / Math.max(1, keys.length))));
  let bounds: RowRange = { ...range, fromNs: range.fromNs ?? SINCE_EVER.fromNs };
  for (let limit = Math.min(FIRST_ROWS, most); ;) {
    const answer = await ask(rowsQueries({ table, order, limit, ...bounds }));
    if (!answer.ok) {
      if (answer.error.isTooLong !== true || limit === 1) return yield err(answer.error.message);
      limit = Math.ceil(limit / 4);
      continue;
    }
    const [numbers, texts] = answer.value;
    const rows = joinRows(numbers, texts, keys, { order, limit });
    const last = rows.at(-1);
    if (last !== undefined) yield ok(rows);
    if (last === undefined || rows.length < limit) return;
    bounds = order === 'asc' ? { ...bounds, fromNs: last.timeNs + 1n } : { ...bounds, toNs: last.timeNs - 1n };
    limit = Math.min(limit * 2, most);
  }
}

/** The time from which on a table has `count` rows; undefined if it has fewer. */
export async function findLastRowsNs(
  ask: AskPage,
  table: TableSummary,
  count: number
): Promise<Result<bigint | undefined, string>> {
  let left = count;
  for await (const page of readTableRows(ask, table, 'desc')) {
    if (!page.ok) return page;
    const first = page.value[left - 1];
    if (first !== undefined) return ok(first.timeNs);
    left -= page.value.length;
  }
  return ok(undefined);
}
