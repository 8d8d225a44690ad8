import type { LogOrder, PanelLogLine } from './log-model.js';
import type { LogSource } from './log-source.js';
import { type LogWindow, readTimeNs } from './log-window.js';
import { isMatch, type LinePattern } from './search.js';

export type MatchDirection = 'older' | 'newer';

export interface SearchedLog {
  readonly window: LogWindow;
  /** Undefined: there are only the loaded lines. */
  readonly source: LogSource | undefined;
}

/** Where the viewer was when a search began. */
export interface SearchStart {
  /** The lines in sight, in the order shown. */
  readonly sight: readonly PanelLogLine[];
  /** The end of the log was followed. */
  readonly isAtEnd: boolean;
}

/** The next match among these lines, which are oldest first. */
export function findNext(
  lines: readonly PanelLogLine[],
  pattern: LinePattern,
  from: PanelLogLine | undefined,
  direction: MatchDirection
): PanelLogLine | undefined {
  const ordered = direction === 'newer' ? lines : [...lines].reverse();
  const at = from === undefined ? -1 : ordered.findIndex(({ id }) => id === from.id);
  return ordered.slice(at + 1).find((line) => isMatch(pattern, line));
}

/** The next match beyond this line, or else the first one from the other end of the log. */
async function findFrom(
  { window: { lines, hasOlder, hasNewer }, source }: SearchedLog,
  pattern: LinePattern,
  edge: PanelLogLine | undefined,
  direction: MatchDirection
): Promise<PanelLogLine | undefined> {
  const isNewer = direction === 'newer';
  if (source === undefined || (!hasOlder && !hasNewer)) return findNext(lines, pattern, undefined, direction);
  const request = { want: isNewer ? 'asc' : 'desc', patterns: [pattern.source], limit: 1 } as const;
  const pick = (found: readonly PanelLogLine[]): PanelLogLine | undefined =>
    isNewer ? found[0] : found[found.length - 1];
  if (edge !== undefined) {
    const beyond = await source.read({ ...request, [isNewer ? 'afterNs' : 'beforeNs']: String(readTimeNs(edge)) });
    if (beyond.lines.length > 0) return pick(beyond.lines);
  }
  return pick((await source.read(request)).lines) ?? findNext(lines, pattern, undefined, direction);
}

/** The next match in the part of the log that is not loaded, or at its other end. */
export function findBeyond(
  log: SearchedLog,
  pattern: LinePattern,
  direction: MatchDirection
): Promise<PanelLogLine | undefined> {
  const { lines } = log.window;
  return findFrom(log, pattern, direction === 'newer' ? lines[lines.length - 1] : lines[0], direction);
}

/** The first match from where the search began: in sight if there is one, else on in the order shown. */
export async function findNearest(
  log: SearchedLog,
  pattern: LinePattern,
  { sight, isAtEnd }: SearchStart,
  order: LogOrder
): Promise<PanelLogLine | undefined> {
  const direction = order === 'desc' || isAtEnd ? 'older' : 'newer';
  const nearest = isAtEnd && order === 'asc' ? [...sight].reverse() : sight;
  const inSight = nearest.find((line) => isMatch(pattern, line));
  if (inSight !== undefined) return inSight;
  const { lines, hasNewer } = log.window;
  // A folded trace in sight may hide the nearest match.
  const from = isAtEnd ? undefined : nearest[0];
  const isLoaded = from === undefined ? !hasNewer : lines.some(({ id }) => id === from.id);
  if (!isLoaded) return findFrom(log, pattern, from, direction);
  return findNext(lines, pattern, from, direction) ?? findBeyond(log, pattern, direction);
}
