import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import type { PanelLogLine } from './log-model.js';

/** Lines from the store: the next ones in one direction. */
export interface LogSlicePage {
  /** Oldest first; all lines of each instant, or none. */
  readonly lines: readonly PanelLogLine[];
  /** There are lines beyond these, or may be where a search has not looked. */
  readonly hasMore: boolean;
  /** A search has looked up to here, this instant not included, and beyond these lines found none. */
  readonly reachedNs?: bigint;
}

/** The newest lines, as the panel's own query answers, or those of them that match. */
export interface LogTail extends LogSlicePage {
  /** Times of the first and last line of the answer, matching or not: there are no other lines between them. */
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

/** A run of the log without gaps, as far as it is loaded. */
export interface LogWindow {
  /** Oldest first. */
  readonly lines: readonly PanelLogLine[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  /** Lines of the log before and after the window; undefined while nobody has counted them. */
  readonly olderCount: number | undefined;
  readonly newerCount: number | undefined;
  /** No line of the window's end up to this instant is missing. */
  readonly coveredNs?: bigint;
  /** From this instant on, nothing is before the first line: older ones are before it. */
  readonly olderFromNs?: bigint | undefined;
}

/**
 * Lines that a window keeps: the far ones are dropped, and are loaded again when somebody comes back to them. Each page
 * that comes while somebody scrolls costs as much as the window is long.
 */
export const MAX_WINDOW_LINES = 4_000;

export function createWindow(lines: readonly PanelLogLine[], hasOlder: boolean, hasNewer: boolean): LogWindow {
  return {
    lines,
    hasOlder,
    hasNewer,
    olderCount: hasOlder ? undefined : 0,
    newerCount: hasNewer ? undefined : 0,
  };
}

export function createTailWindow(tail: LogTail): LogWindow {
  return { ...createWindow(tail.lines, tail.hasMore, false), coveredNs: tail.toNs };
}

/** Index of the first line that is not earlier than this instant. */
function findFrom(lines: readonly PanelLogLine[], timeNs: bigint): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (readTimeNs(lines[middle]) < timeNs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function add(count: number | undefined, lines: number): number | undefined {
  return count === undefined ? undefined : count + lines;
}

/** Lines of one instant stay together, so that the next page begins beyond them. */
function keepOldest(window: LogWindow, max: number): LogWindow {
  const { lines } = window;
  const firstDropped = lines[max];
  if (firstDropped === undefined) return window;
  const end = findFrom(lines, readTimeNs(firstDropped));
  if (end === 0) return window;
  const newerCount = add(window.newerCount, lines.length - end);
  return { ...window, lines: lines.slice(0, end), hasNewer: true, newerCount };
}

function keepNewest(window: LogWindow, max: number): LogWindow {
  const { lines } = window;
  const firstKept = lines[lines.length - max];
  if (lines.length <= max || firstKept === undefined) return window;
  const start = findFrom(lines, readTimeNs(firstKept));
  if (start === 0) return window;
  const olderCount = add(window.olderCount, start);
  return { ...window, lines: lines.slice(start), hasOlder: true, olderCount, olderFromNs: undefined };
}

export function addOlder(window: LogWindow, page: LogSlicePage, max = MAX_WINDOW_LINES): LogWindow {
  const { lines, hasMore, reachedNs: olderFromNs } = page;
  const olderCount = hasMore ? add(window.olderCount, -lines.length) : 0;
  return keepOldest({ ...window, lines: [...lines, ...window.lines], hasOlder: hasMore, olderCount, olderFromNs }, max);
}

export function addNewer(window: LogWindow, { lines, hasMore }: LogSlicePage, max = MAX_WINDOW_LINES): LogWindow {
  const newerCount = hasMore ? add(window.newerCount, -lines.length) : 0;
  return keepNewest({ ...window, lines: [...window.lines, ...lines], hasNewer: hasMore, newerCount }, max);
}

/**
 * The window after a refresh brought the newest lines. Lines that were rewritten in place are replaced. A window at the
 * end of the log grows, or jumps when more lines came than the refresh brought and `isFollowing`.
 */
export function updateTail(window: LogWindow, tail: LogTail, isFollowing: boolean, max = MAX_WINDOW_LINES): LogWindow {
  if (!tail.hasMore) return createTailWindow(tail);
  const coveredNs = findCoveredNs(window);
  if (coveredNs === undefined) return createTailWindow(tail);
  if (coveredNs < tail.fromNs) {
    const isKept = !isFollowing && window.lines.length > 0;
    return isKept ? { ...window, hasNewer: true, newerCount: undefined } : createTailWindow(tail);
  }
  const start = findFrom(window.lines, tail.fromNs);
  const isKnown = start > 0 || window.lines[0]?.id === tail.lines[0]?.id;
  const grown: LogWindow = {
    lines: [...window.lines.slice(0, start), ...tail.lines],
    // All lines that match may be within the tail, and none before it.
    hasOlder: window.hasOlder,
    hasNewer: false,
    olderCount: isKnown || !window.hasOlder ? window.olderCount : undefined,
    newerCount: 0,
    coveredNs: tail.toNs,
    olderFromNs: window.olderFromNs,
  };
  // Whoever reads older lines keeps them.
  return isFollowing ? keepNewest(grown, max) : keepOldest(grown, max);
}

/** Up to when no line of the window is missing; undefined where an empty one has not been looked for. */
export function findCoveredNs({ lines, hasNewer, coveredNs }: LogWindow): bigint | undefined {
  const last = lines[lines.length - 1];
  if (last === undefined) return hasNewer ? undefined : coveredNs;
  const lastNs = readTimeNs(last);
  return hasNewer || coveredNs === undefined || coveredNs < lastNs ? lastNs : coveredNs;
}

/** The window with the lines that are between it and a newer tail. */
export function bridgeTo(window: LogWindow, between: readonly PanelLogLine[], tail: LogTail): LogWindow {
  const bridged = { ...window, lines: [...window.lines, ...between], coveredNs: tail.fromNs };
  return updateTail(bridged, tail, true);
}

/** Index of the newest line that is not later than this instant; 0 when all are, -1 without lines. */
export function findLineAt(lines: readonly PanelLogLine[], timeNs: bigint): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (readTimeNs(lines[middle]) <= timeNs) low = middle + 1;
    else high = middle;
  }
  return lines.length === 0 ? -1 : Math.max(0, low - 1);
}

export function readTimeNs(line: PanelLogLine | undefined): bigint {
  if (line?.timeNs !== undefined && /^-?\d+$/.test(line.timeNs)) return BigInt(line.timeNs);
  return BigInt(Math.trunc(line?.timeMs ?? 0)) * NS_PER_MS;
}

/** Whether the window has the place in the log of this instant. */
export function coversTime({ lines, hasOlder, hasNewer }: LogWindow, timeNs: bigint): boolean {
  const [first, last] = [lines[0], lines[lines.length - 1]];
  if (first === undefined) return !hasOlder && !hasNewer;
  return (!hasOlder || readTimeNs(first) <= timeNs) && (!hasNewer || readTimeNs(last) >= timeNs);
}
