import { countLinesBefore, findLine } from '@joblens/core/ask/log/line-numbers';
import { createLogAroundRequests, logQuery, type LogSelection, readLogPage } from '@joblens/core/ask/log/log';
import { ok, type Result } from '@joblens/core/result/result';
import { compareCodePoints } from '@joblens/core/point/utf8';
import { compareNatural } from '@joblens/core/rows/natural-order';
import type { LogLine } from '@joblens/core/rows/join-log-parts';
import { readLogPages } from '../log/log-pages.js';
import { type AskPage, createAskPage } from '../shell/ask-store.js';
import type { Reading } from '../shell/reading.js';
import { runReading } from '../shell/run-reading.js';

/** A line and its number in the selection, from 1. */
export interface NumberedLine {
  readonly number: number;
  readonly line: LogLine;
}

export interface NumberedLines {
  readonly lines: readonly NumberedLine[];
  /** Whether there are more behind them. */
  readonly isCut: boolean;
}

type Asking = Pick<Reading, 'ask' | 'connection'>;

/** The lines from this number on, at most `limit`. */
export async function readLinesFrom(
  { ask, connection }: Asking,
  selection: LogSelection,
  { from, limit }: { readonly from: number; readonly limit: number }
): Promise<Result<NumberedLines, string>> {
  const place = await runReading(ask, findLine(selection, from));
  if (!place.ok) return place;
  if (place.value === undefined) return ok({ lines: [], isCut: false });
  const { fromNs, skip } = place.value;
  const read = await readAtMost(createAskPage(connection), { ...selection, fromNs }, skip + limit + 1);
  if (!read.ok) return read;
  const numbered = read.value.slice(skip, skip + limit).map((line, at) => ({ number: from + at, line }));
  return ok({ lines: numbered, isCut: read.value.length > skip + limit });
}

/** The last lines: `count` of them, and those that share the time of the first. */
export async function readLastLines(
  { ask, connection }: Asking,
  selection: LogSelection,
  count: number
): Promise<Result<NumberedLines, string>> {
  const read = await readAtMost(createAskPage(connection), selection, count + 1, 'desc');
  if (!read.ok) return read;
  const edgeNs = read.value.at(-count)?.timeNs ?? read.value[0]?.timeNs;
  if (edgeNs === undefined) return ok({ lines: [], isCut: false });
  const lines = read.value.filter(({ timeNs }) => timeNs >= edgeNs);
  const before = await runReading(ask, countLinesBefore(selection, [edgeNs]));
  if (!before.ok) return before;
  const [first = 0] = before.value;
  return ok({ lines: lines.map((line, at) => ({ number: first + at + 1, line })), isCut: false });
}

/** Oldest first. With the last one, all lines of its instant come. */
async function readAtMost(
  askPage: AskPage,
  selection: LogSelection,
  count: number,
  order: 'asc' | 'desc' = 'asc'
): Promise<Result<readonly LogLine[], string>> {
  const lines: LogLine[] = [];
  for await (const page of readLogPages(askPage, selection, order)) {
    if (!page.ok) return page;
    lines.push(...page.value);
    if (lines.length >= count) break;
  }
  return ok(lines.toSorted(compareLines));
}

/** Lines of one instant, of several writers, come from a store in any order; their numbers need one. */
function compareLines(a: LogLine, b: LogLine): number {
  if (a.timeNs !== b.timeNs) return a.timeNs < b.timeNs ? -1 : 1;
  return compareNatural(a.task ?? '', b.task ?? '') || compareCodePoints(a.stream, b.stream);
}

/** A line that matches, with the lines around it. */
export interface Match {
  readonly number: number;
  readonly around: readonly NumberedLine[];
}

export interface Matches {
  readonly matches: readonly Match[];
  readonly isCut: boolean;
}

/** The most writers that are taken to share an instant; a line's number counts their lines there, too. */
const MAX_SHARED = 16;

/** The lines from a number on that match, at most `limit`, each with `context` lines before and behind it. */
export async function findMatches(
  { ask, connection }: Asking,
  selection: LogSelection,
  { from, limit, context }: { readonly from: number; readonly limit: number; readonly context: number }
): Promise<Result<Matches, string>> {
  const { patterns: _, ...all } = selection;
  const place = await runReading(ask, findLine(all, from));
  if (!place.ok) return place;
  if (place.value === undefined) return ok({ matches: [], isCut: false });
  const { fromNs, skip } = place.value;
  const read = await readAtMost(createAskPage(connection), { ...selection, fromNs }, skip + limit + 1);
  if (!read.ok) return read;
  // A page has many more than can be shown, and each costs the store a statement.
  const candidates = read.value.slice(0, skip + limit + MAX_SHARED);
  const timesNs = candidates.map(({ timeNs }) => timeNs);
  const before = await runReading(ask, countLinesBefore(all, timesNs));
  if (!before.ok) return before;
  const found = candidates
    .map((line, at) => ({ line, before: before.value[at] ?? 0 }))
    .filter((each) => each.before + MAX_SHARED >= from)
    .slice(0, limit + MAX_SHARED);
  const around = await readAround(ask, all, found, context);
  if (!around.ok) return around;
  const matches = around.value.filter(({ number }) => number >= from);
  return ok({ matches: matches.slice(0, limit), isCut: matches.length > limit });
}

interface FoundLine {
  readonly line: LogLine;
  /** How many lines there are at earlier times. */
  readonly before: number;
}

async function readAround(
  ask: Reading['ask'],
  selection: LogSelection,
  found: readonly FoundLine[],
  context: number
): Promise<Result<readonly Match[], string>> {
  const timesNs = found.map(({ line }) => line.timeNs);
  const requests = createLogAroundRequests(selection, timesNs, context + MAX_SHARED);
  const results = await ask(requests.map(logQuery));
  if (!results.ok) return results;
  const pages = requests.map((request, at) => readLogPage(results.value[at], request).lines.sort(compareLines));
  return ok(
    found.map((each, at) => joinAround(each, { before: pages[2 * at] ?? [], from: pages[2 * at + 1] ?? [] }, context))
  );
}

/** The second page begins with all lines of the instant. */
function joinAround(
  { line, before }: FoundLine,
  pages: { readonly before: readonly LogLine[]; readonly from: readonly LogLine[] },
  context: number
): Match {
  const place = Math.max(
    0,
    pages.from.findIndex((each) => isSameLine(each, line))
  );
  const lines = [...pages.before, ...pages.from.slice(0, place), line, ...pages.from.slice(place + 1)];
  const number = before + place + 1;
  const first = number - place - pages.before.length;
  const numbered = lines.map((each, at) => ({ number: first + at, line: each }));
  return { number, around: numbered.filter((each) => Math.abs(each.number - number) <= context) };
}

function isSameLine(a: LogLine, b: LogLine): boolean {
  return a.timeNs === b.timeNs && a.stream === b.stream && a.task === b.task && a.user === b.user;
}
