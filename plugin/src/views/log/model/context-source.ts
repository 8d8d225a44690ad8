import type { PanelLogLine } from './log-model.js';
import type { SliceRequest, StepListener } from './log-slices.js';
import type { LogSource } from './log-source.js';
import { type LogSlicePage, readTimeNs } from './log-window.js';
import { findNearLines, isMatch, type LinePattern } from './search.js';

/** Which lines of a log are shown: those that match, and so many on each side of them. */
export interface LineContext {
  readonly pattern: LinePattern;
  readonly lines: number;
}

/** More matches make a page slow: each takes two statements. */
const MAX_MATCHES = 50;

/**
 * The log of the lines that match and those around them. A page is exact: it has every such line between its bound and
 * its far end.
 */
export function createContextSource(log: LogSource, context: LineContext): Pick<LogSource, 'read'> {
  return {
    // Its surroundings make a page exact, so each is as long as it may be.
    read: async ({ enough: _enough, ...request }, signal, onStep) => {
      const { matches, hasMore } = await readMatches(log, request, context, { signal, onStep });
      if (matches.length === 0) return { lines: [], hasMore: false };
      const timesNs = matches.map((line) => String(readTimeNs(line)));
      const around = await log.readAround(timesNs, context.lines, signal);
      return { lines: around.filter((line) => isOnPage(line, request)), hasMore };
    },
  };
}

interface Matches {
  readonly matches: readonly PanelLogLine[];
  readonly hasMore: boolean;
}

/** The page's matches, and the nearest one beyond its bound, whose surroundings may reach into the page. */
async function readMatches(
  log: LogSource,
  request: SliceRequest,
  { pattern, lines }: LineContext,
  { signal, onStep }: Listeners
): Promise<Matches> {
  const limit = Math.max(1, Math.min(MAX_MATCHES, Math.floor(request.limit / (2 * lines + 1))));
  const patterns = [...(request.patterns ?? []), pattern.source];
  const [inside, beyond] = await Promise.all([
    log.read({ ...request, patterns, limit }, signal, onStep),
    readBeyond(log, request, patterns, signal),
  ]);
  return { matches: [...inside.lines, ...beyond.lines], hasMore: inside.hasMore };
}

interface Listeners {
  readonly signal: AbortSignal | undefined;
  readonly onStep: StepListener | undefined;
}

const NOTHING: LogSlicePage = { lines: [], hasMore: false };

function readBeyond(
  log: LogSource,
  { want, beforeNs, afterNs }: SliceRequest,
  patterns: readonly string[],
  signal: AbortSignal | undefined
): Promise<LogSlicePage> {
  if (want === 'desc') {
    if (beforeNs === undefined) return Promise.resolve(NOTHING);
    return log.read({ want: 'asc', afterNs: String(BigInt(beforeNs) - 1n), patterns, limit: 1 }, signal);
  }
  if (afterNs === undefined) return Promise.resolve(NOTHING);
  return log.read({ want: 'desc', beforeNs: String(BigInt(afterNs) + 1n), patterns, limit: 1 }, signal);
}

function isOnPage(line: PanelLogLine, { beforeNs, afterNs }: SliceRequest): boolean {
  const timeNs = readTimeNs(line);
  if (beforeNs !== undefined && timeNs >= BigInt(beforeNs)) return false;
  return afterNs === undefined || timeNs > BigInt(afterNs);
}

/** Lines of a log's end, of which the matches and their surroundings are wanted. */
interface TailLines {
  readonly lines: readonly PanelLogLine[];
  readonly hasMore: boolean;
}

interface ContextTail {
  readonly lines: readonly PanelLogLine[];
  /** Between these lines, later matches and earlier ones change nothing. */
  readonly first: PanelLogLine | undefined;
  readonly last: PanelLogLine | undefined;
}

/** The same of the newest lines: its first lines may be near a match that is not there. */
export function createContextTail({ lines, hasMore }: TailLines, context: LineContext): ContextTail {
  const start = hasMore ? Math.min(context.lines, lines.length) : 0;
  const near = findNearLines(lines, (line) => isMatch(context.pattern, line), context.lines);
  return {
    lines: lines.filter((_, index) => index >= start && near.has(index)),
    first: lines[start],
    last: lines[Math.max(start, lines.length - 1 - context.lines)],
  };
}
