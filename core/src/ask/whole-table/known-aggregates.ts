import type { TablePiece, Window } from './table-pieces.js';

/** Rows between others that no piece covers yet. Both ends inclusive. */
export interface Gap extends Window {
  readonly toNs: bigint;
}

/** The aggregates of a gap in an earlier reading. */
export interface KnownAggregates extends Gap {
  readonly intervalNs: bigint;
  readonly pieces: readonly TablePiece[];
}

/** What is known of a gap, and the rest of it. */
interface ReusedGap {
  readonly pieces: readonly TablePiece[];
  readonly intervalNs: bigint;
  readonly rest: readonly Gap[];
}

/**
 * The aggregates that are known of the begin of a gap: rows come in at its end. Undefined if there are none, or so many
 * by now that their intervals are much too fine.
 */
export function reuseAggregates(gap: Gap, known: readonly KnownAggregates[], maxPieces: number): ReusedGap | undefined {
  const found = known.find(({ fromNs, toNs }) => fromNs <= gap.fromNs && gap.fromNs <= toNs && toNs <= gap.toNs);
  if (found === undefined || found.pieces.length > maxPieces) return undefined;
  const rest = { fromNs: found.toNs + 1n, toNs: gap.toNs };
  return {
    pieces: cutBegin(found, gap.fromNs),
    intervalNs: found.intervalNs,
    rest: rest.fromNs <= rest.toNs ? [rest] : [],
  };
}

/** The pieces from a time on. The one around it may still tell of rows just before. */
function cutBegin({ pieces, intervalNs }: KnownAggregates, fromNs: bigint): readonly TablePiece[] {
  const at = pieces.findIndex(({ timeNs }) => timeNs >= fromNs);
  const inside = at === -1 ? [] : pieces.slice(at);
  const around = at === -1 ? pieces.at(-1) : pieces[at - 1];
  const isAround = around !== undefined && around.timeNs / intervalNs === fromNs / intervalNs;
  return isAround && inside[0]?.timeNs !== fromNs ? [{ ...around, timeNs: fromNs }, ...inside] : inside;
}
