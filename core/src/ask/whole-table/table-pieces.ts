import type { Timed } from '../../rows/newest-first.js';

/**
 * A part of a table as it was read: one row, or the fold of several. Each row is in exactly one piece, but for
 * aggregates, which begin and end at times of their own.
 */
export interface TablePiece extends Timed {
  /** 0: one row. From 1 on: a bucket of this level. -1: an aggregate that the store made when it was asked. */
  readonly level: number;
  /** Rows in it; unknown, and then 0, for an aggregate. */
  readonly rows: number;
  /**
   * For a row: the number of each key, in the order of the requested keys. For others: for each key its values in the
   * order of BUCKET_STATS; an aggregate knows no last number. NaN where there is none.
   */
  readonly values: readonly number[];
}

/** A time range; both ends inclusive, no end where undefined. */
export interface Window {
  readonly fromNs: bigint;
  readonly toNs: bigint | undefined;
}

/** At most so many pieces of one level are read at an end of a window. Needed are 63: see assemblePieces. */
export const END_LIMIT = 64;

/** The pieces of one level in a window, oldest first, as far as they were read. Index 0 of a list of these is rows. */
export interface LevelPieces {
  /** The oldest ones of the window; undefined if they were not asked for. */
  readonly oldest?: LimitedPieces | undefined;
  readonly newest: LimitedPieces;
}

/** Some pieces of one level, oldest first. */
export interface LimitedPieces {
  readonly pieces: readonly TablePiece[];
  /** There may be more in the window. */
  readonly isCut: boolean;
}

export interface Assembly {
  /** Oldest first. */
  readonly pieces: readonly TablePiece[];
  /** Where rows may be that no piece covers. */
  readonly gaps: readonly Window[];
}

/**
 * Puts the pieces of one run's window together: coarse ones in the middle, finer ones at both ends, rows at the very
 * ends. `levels` holds all pieces of the coarsest level, and those at the ends of the finer ones.
 *
 * The last bucket of a level is always replaced by finer ones, because its end is not known: it may reach beyond the
 * window. The time of the next bucket is the end of all others. So at most 63 pieces of each finer level are needed:
 * 32 of the replaced one, and 31 behind it that did not fill another one.
 */
export function assemblePieces(levels: readonly LevelPieces[], window: Window): Assembly {
  const [rows = NOTHING, ...buckets] = levels;
  const heads: Array<readonly TablePiece[]> = [];
  const tails: Array<readonly TablePiece[]> = [];
  let covered: Covered | undefined;
  for (const level of buckets.reverse()) {
    const { head, tail } =
      covered === undefined ? { head: [], tail: level.newest.pieces } : continueCovered(level, covered);
    const last = tail.at(-1);
    heads.unshift(head);
    tails.push(tail.slice(0, -1));
    const fromNs = head[0]?.timeNs ?? covered?.fromNs ?? tail[0]?.timeNs;
    // A single bucket covers nothing: it is the last one.
    if (fromNs !== undefined && last !== undefined && last.timeNs > fromNs) covered = { fromNs, beforeNs: last.timeNs };
    else if (fromNs !== undefined && covered !== undefined) covered = { ...covered, fromNs };
  }
  const ends = finishWithRows(rows, window, covered);
  return { pieces: [...ends.head, ...heads.flat(), ...tails.flat(), ...ends.tail], gaps: ends.gaps };
}

const NOTHING: LevelPieces = { newest: { pieces: [], isCut: false } };

/** What the buckets so far cover. */
interface Covered {
  readonly fromNs: bigint;
  /** Exclusive. */
  readonly beforeNs: bigint;
}

/** The buckets of the next finer level before and behind what is covered. */
function continueCovered({ oldest, newest }: LevelPieces, { fromNs, beforeNs }: Covered): Ends {
  const head = oldest?.pieces.filter(({ timeNs }) => timeNs < fromNs) ?? [];
  const isHeadCut = oldest?.isCut === true && head.length === oldest.pieces.length;
  const tail = newest.pieces.filter(({ timeNs }) => timeNs >= beforeNs);
  // A level that does not begin just there has no buckets of the rows between.
  return { head: isHeadCut ? [] : head, tail: tail[0]?.timeNs === beforeNs ? tail : [] };
}

interface Ends {
  readonly head: readonly TablePiece[];
  readonly tail: readonly TablePiece[];
}

function finishWithRows(
  rows: LevelPieces,
  window: Window,
  covered: Covered | undefined
): Ends & { readonly gaps: readonly Window[] } {
  const { oldest, newest } = rows;
  const unknown = findUnknownRows(rows, window);
  const all = mergeRows(oldest?.pieces ?? [], newest.pieces);
  if (covered === undefined) return { head: [], tail: all, gaps: unknown === undefined ? [] : [unknown] };
  return {
    head: all.filter(({ timeNs }) => timeNs < covered.fromNs),
    tail: all.filter(({ timeNs }) => timeNs >= covered.beforeNs),
    gaps: unknown === undefined ? [] : listGaps(unknown, covered),
  };
}

/** The part of a window between the rows read at its ends. */
function findUnknownRows({ oldest, newest }: LevelPieces, { fromNs }: Window): Gap | undefined {
  const firstNs = newest.pieces[0]?.timeNs;
  if (!newest.isCut || oldest?.isCut === false || firstNs === undefined) return undefined;
  const lastNs = oldest?.pieces.at(-1)?.timeNs;
  const gap = { fromNs: lastNs === undefined ? fromNs : lastNs + 1n, toNs: firstNs - 1n };
  return gap.fromNs > gap.toNs ? undefined : gap;
}

interface Gap extends Window {
  readonly toNs: bigint;
}

/** What is neither known nor covered. */
function listGaps(unknown: Gap, covered: Covered): readonly Gap[] {
  const head = { ...unknown, toNs: covered.fromNs - 1n };
  const tail = { ...unknown, fromNs: unknown.fromNs > covered.beforeNs ? unknown.fromNs : covered.beforeNs };
  return [head, tail].filter((gap) => gap.fromNs <= gap.toNs);
}

function mergeRows(oldest: readonly TablePiece[], newest: readonly TablePiece[]): readonly TablePiece[] {
  const lastNs = oldest.at(-1)?.timeNs;
  return lastNs === undefined ? newest : [...oldest, ...newest.filter(({ timeNs }) => timeNs > lastNs)];
}
