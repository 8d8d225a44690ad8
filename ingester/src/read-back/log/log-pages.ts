import { logQuery, type LogRequest, type LogSelection, readLogPage } from '@joblens/core/ask/log/log';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { LogLine } from '@joblens/core/rows/join-log-parts';
import type { AskPage } from '../shell/ask-store.js';

const [FIRST_ROWS, MAX_ROWS] = [1000, 10_000];
/** Pages grow while they have less text than this, and shrink above four times as much. */
const PAGE_CHARS = 1 << 20;

/**
 * The lines of a log page by page, in either order, with one page in memory. A page holds so many lines as make an
 * answer of a moderate size. An error ends it.
 */
export async function* readLogPages(
  ask: AskPage,
  selection: LogSelection,
  order: LogRequest['order']
): AsyncGenerator<Result<readonly LogLine[], string>, void, undefined> {
  let [rest, rows, mostRows] = [selection, FIRST_ROWS, MAX_ROWS];
  for (;;) {
    const request: LogRequest = { ...rest, order, limit: rows };
    const answer = await ask([logQuery(request)]);
    if (!answer.ok) {
      // Below four rows, a page may have no whole line.
      if (answer.error.isTooLong !== true || rows <= 4) return yield err(answer.error.message);
      mostRows = rows - 1;
      rows = Math.ceil(rows / 4);
      continue;
    }
    const { lines, isEnd } = readLogPage(answer.value[0], request);
    const last = lines.at(-1);
    if (last !== undefined) {
      yield ok(lines);
      rest = order === 'asc' ? { ...rest, afterNs: last.timeNs } : { ...rest, beforeNs: last.timeNs };
    }
    if (isEnd) return;
    if (last === undefined && rows === mostRows) return yield err('a line of the log is too long to be read');
    const chars = lines.reduce((sum, { line, ansi = '' }) => sum + line.length + ansi.length, 0);
    if (chars < PAGE_CHARS) rows = Math.min(rows * 2, mostRows);
    else if (chars > 4 * PAGE_CHARS) rows = Math.max(4, Math.floor(rows / 2));
  }
}

/** The time of the last but `count` line, from which on there are `count` lines; undefined if there are fewer. */
export async function findLastLinesNs(
  ask: AskPage,
  selection: LogSelection,
  count: number
): Promise<Result<bigint | undefined, string>> {
  let left = count;
  for await (const page of readLogPages(ask, selection, 'desc')) {
    if (!page.ok) return page;
    const first = page.value[left - 1];
    if (first !== undefined) return ok(first.timeNs);
    left -= page.value.length;
  }
  return ok(undefined);
}
