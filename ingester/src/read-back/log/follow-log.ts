import { type JobRecord, jobsQuery, readJobs } from '@joblens/core/ask/jobs/jobs';
import type { LogSelection } from '@joblens/core/ask/log/log';
import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { ok, type Result } from '@joblens/core/result/result';
import type { LogLine } from '@joblens/core/rows/join-log-parts';
import { columnsOfText } from '@joblens/core/console/column-width';
import { isActiveState } from '@joblens/core/words/states';
import { stripVTControlCharacters } from 'node:util';
import { askUntilAnswered } from '../shell/ask-again.js';
import type { AskPage } from '../shell/ask-store.js';
import { readLogPages } from './log-pages.js';
import { formatLogLine, type LogTextOptions } from './log-text.js';
import type { Output } from '../shell/output.js';
import type { Reading } from '../shell/reading.js';

/** How often is asked for new lines. */
const POLL_MS = 1000;
/** Lines behind the newest that may still change: those of a console's height. */
const OPEN_LINES = 50;
/** Elsewhere than on a terminal, a line is printed when it has been the same for this time, or open for that time. */
const [SETTLED_MS, LONGEST_OPEN_MS] = [2000, 15_000];
/** What a job printed last may be stored a little after its end. */
const [POLLS_AFTER_END, LATE_MS] = [3, 10_000];

/** Prints lines in any of the forms; false when nobody reads any more. */
export type PrintLines = (lines: readonly LogLine[]) => Promise<boolean>;

export interface FollowOptions {
  readonly text: LogTextOptions;
  readonly print: PrintLines;
  /** Without the lines that are there already. */
  readonly isFromNow: boolean;
  readonly record: JobRecord;
}

/** When lines are shown. */
interface Shown {
  readonly nowNs: bigint;
  readonly monotonicMs: number;
  /** Nothing comes any more. */
  readonly isLast: boolean;
}

/** Takes the open lines, oldest first, as they are now. Returns false when nobody reads any more. */
interface Follower {
  show(lines: readonly LogLine[], shown: Shown): Promise<boolean>;
}

/** From when on lines are read again: they may have changed, and new ones come. */
interface Edges {
  readonly fromNs: bigint;
  /** The same edge among lines whose times are ahead of the clock. */
  readonly aheadNs: bigint | undefined;
}

interface Windows {
  readonly present: LogSelection;
  readonly ahead?: LogSelection;
}

/** Prints the log, and what is new, until the job ends. Returns the exit code. */
export async function followLog(
  reading: Reading,
  askPage: AskPage,
  selection: LogSelection,
  { text, print, isFromNow, record }: FollowOptions
): Promise<number> {
  const { clock } = reading.host;
  const { output, format, fail } = reading;
  const follower = format === 'table' ? createDrawingFollower(output, text) : createSettlingFollower(print);
  const isOver = createEndTest(reading, record);
  const startNs = BigInt(clock.nowMs()) * NS_PER_MS;
  const passed = new Map<string, bigint>();
  let edges: Edges = { fromNs: isFromNow ? startNs : (selection.fromNs ?? 0n), aheadNs: undefined };
  for (let isFirst = true; ; isFirst = false) {
    const isLast = await isOver();
    const nowNs = BigInt(clock.nowMs()) * NS_PER_MS;
    const show = (lines: readonly LogLine[]): Promise<boolean> =>
      follower.show(lines, { nowNs, monotonicMs: clock.monotonicMs(), isLast });
    const readOnce = (): ReturnType<typeof readOn> =>
      readOn(askPage, chooseWindows(selection, edges, nowNs), { nowNs, passed, show });
    const read = isFirst ? await readOnce() : ok(await askUntilAnswered(reading, readOnce, POLL_MS));
    if (!read.ok) return fail(read.error);
    if (isLast || read.value === undefined) return 0;
    edges = findEdges(read.value, edges, { nowNs, startNs });
    for (const [key, timeNs] of passed) if (timeNs < edges.fromNs) passed.delete(key);
    await clock.sleep(POLL_MS);
  }
}

/** Beside lines whose times are ahead of the clock, others come at the present. */
function chooseWindows(selection: LogSelection, { fromNs, aheadNs }: Edges, nowNs: bigint): Windows {
  if (aheadNs === undefined) return { present: { ...selection, fromNs } };
  const restNs = aheadNs > nowNs ? aheadNs : nowNs + 1n;
  return { present: { ...selection, fromNs, toNs: nowNs }, ahead: { ...selection, fromNs: restNs } };
}

function findEdges(
  open: readonly LogLine[],
  { fromNs }: Edges,
  { nowNs, startNs }: { readonly nowNs: bigint; readonly startNs: bigint }
): Edges {
  const beginNs = fromNs > startNs ? startNs : fromNs;
  return {
    fromNs: open.find(({ timeNs }) => timeNs <= nowNs)?.timeNs ?? beginNs,
    aheadNs: open.find(({ timeNs }) => timeNs > nowNs)?.timeNs,
  };
}

/** The lines that may still change: the last ones, and the last of those whose times are ahead of the clock. */
function chooseOpen(lines: readonly LogLine[], nowNs: bigint): readonly LogLine[] {
  const isPast = ({ timeNs }: LogLine): boolean => timeNs <= nowNs;
  const [past, ahead] = [lines.filter(isPast), lines.filter((line) => !isPast(line))];
  return [...past.slice(-OPEN_LINES), ...ahead.slice(-OPEN_LINES)];
}

interface Round {
  readonly nowNs: bigint;
  /** Lines ahead of the clock that are shown and cannot change: they come again when the clock is there. */
  readonly passed: Map<string, bigint>;
  readonly show: (lines: readonly LogLine[]) => Promise<boolean>;
}

/** Shows what there is now, and returns the lines that may still change; undefined when nobody reads any more. */
async function readOn(
  askPage: AskPage,
  windows: Windows,
  { nowNs, passed, show }: Round
): Promise<Result<readonly LogLine[] | undefined, string>> {
  const isNew = (line: LogLine): boolean => !passed.has(keyOf(line));
  const ahead: LogLine[] = [];
  if (windows.ahead !== undefined) {
    for await (const page of readLogPages(askPage, windows.ahead, 'asc')) {
      if (!page.ok) return page;
      ahead.push(...page.value.filter(isNew));
    }
  }
  let isShown = ahead.length === 0;
  let present: readonly LogLine[] = [];
  for await (const page of readLogPages(askPage, windows.present, 'asc')) {
    if (!page.ok) return page;
    present = [...present, ...page.value.filter(isNew)];
    if (!(await show([...present, ...ahead]))) return ok(undefined);
    isShown = true;
    present = leaveOpen(present, nowNs, passed);
  }
  if (!isShown && !(await show(ahead))) return ok(undefined);
  return ok(leaveOpen([...present, ...ahead], nowNs, passed));
}

/** The lines that may still change; others that are ahead have passed. */
function leaveOpen(lines: readonly LogLine[], nowNs: bigint, passed: Map<string, bigint>): readonly LogLine[] {
  const open = chooseOpen(lines, nowNs);
  const firstAhead = open.find(({ timeNs }) => timeNs > nowNs);
  for (const line of lines) {
    if (firstAhead === undefined || line.timeNs >= firstAhead.timeNs) break;
    if (line.timeNs > nowNs) passed.set(keyOf(line), line.timeNs);
  }
  return open;
}

/** Tells whether this is the last time to ask: the job ended some polls ago. */
function createEndTest({ ask, host: { clock } }: Reading, { job, user }: JobRecord): () => Promise<boolean> {
  let pollsLeft = POLLS_AFTER_END;
  return async () => {
    const described = await ask([jobsQuery({ job, user })[0]]);
    const [now] = described.ok ? readJobs(described.value) : [];
    if (now === undefined || !hasEnded(now)) return false;
    pollsLeft = (now.endedMs ?? 0) + LATE_MS < clock.nowMs() ? 0 : pollsLeft - 1;
    return pollsLeft <= 0;
  };
}

function hasEnded({ endedMs, state }: JobRecord): boolean {
  return endedMs !== undefined && !isActiveState(state);
}

function keyOf({ timeNs, stream, task }: LogLine): string {
  return `${timeNs} ${stream} ${task ?? ''}`;
}

/**
 * On a terminal: lines that have changed are drawn again where they are, with those behind them. A line that has left
 * the screen is printed anew.
 */
function createDrawingFollower(output: Output, options: LogTextOptions): Follower {
  /** What is on the screen, oldest first, by the keys of the lines. */
  let drawn = new Map<string, string>();
  const rowsOf = (text: string): number =>
    Math.max(1, Math.ceil(columnsOfText(stripVTControlCharacters(text).replaceAll('\t', '        ')) / output.width));
  return {
    async show(open) {
      const texts = new Map(open.map((line) => [keyOf(line), formatLogLine(line, options)]));
      const keys = [...drawn.keys()];
      const changedAt = keys.findIndex((key) => texts.has(key) && texts.get(key) !== drawn.get(key));
      const again = changedAt < 0 ? [] : keys.slice(changedAt);
      const rows = again.reduce((sum, key) => sum + rowsOf(drawn.get(key) ?? ''), 0);
      const isOnScreen = rows < output.height;
      const isDue = (key: string): boolean =>
        !drawn.has(key) || (isOnScreen ? again.includes(key) : texts.get(key) !== drawn.get(key));
      const due = [...texts.keys()].filter(isDue);
      const up = isOnScreen && rows > 0 ? `\x1b[${rows}A\r\x1b[J` : '';
      const lines = due.map((key) => `${texts.get(key) ?? ''}\n`).join('');
      const kept = keys.slice(-OPEN_LINES).map((key) => [key, drawn.get(key) ?? ''] as const);
      drawn = new Map([...kept, ...texts]);
      return up + lines === '' || output.write(up + lines);
    },
  };
}

/** Elsewhere: a line is printed when it stays as it is, in order, and again if it changes after that. */
export function createSettlingFollower(print: PrintLines): Follower {
  interface Seen {
    text: string;
    sinceMs: number;
    readonly firstMs: number;
    printed: string | undefined;
  }
  let seen = new Map<string, Seen>();
  return {
    async show(lines, { nowNs, monotonicMs, isLast }) {
      const open = new Set(chooseOpen(lines, nowNs));
      const next = new Map<string, Seen>();
      const due: LogLine[] = [];
      let isBlocked = false;
      for (const line of lines) {
        const known = seen.get(keyOf(line));
        const one = known ?? { text: line.line, sinceMs: monotonicMs, firstMs: monotonicMs, printed: undefined };
        if (one.text !== line.line) Object.assign(one, { text: line.line, sinceMs: monotonicMs });
        next.set(keyOf(line), one);
        const isSettled = monotonicMs - one.sinceMs >= SETTLED_MS || isLast || !open.has(line);
        if (one.printed === one.text) continue;
        if (isSettled && !isBlocked) {
          due.push(line);
          one.printed = one.text;
        } else if (monotonicMs - one.firstMs < LONGEST_OPEN_MS) isBlocked = true;
      }
      seen = next;
      return due.length === 0 || print(due);
    },
  };
}
