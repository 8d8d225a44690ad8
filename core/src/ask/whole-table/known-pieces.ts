import type { SelectStatement } from '../../influxql/nodes.js';
import type { ReadableResult } from '../reading/result-rows.js';
import type { LimitedPieces, TablePiece } from './table-pieces.js';
import type { PiecesRead } from './table-reads.js';

/** The answer to a read. A later one asks only for the pieces behind these. */
export interface KnownPieces extends LimitedPieces {
  /** Where the window began. */
  readonly fromNs: bigint;
  /** The number of newest pieces that the next reading requests again. */
  readonly unsettled: number;
  /** A later run had begun already: no more pieces come. */
  readonly isEnded: boolean;
}

/**
 * Pieces that came last are read twice: a store that was being written to may have given some fields of them only. More
 * than these are not, so that a refresh stays small.
 */
const MAX_UNSETTLED = 8;

export interface PiecesQuestion {
  readonly statements: readonly SelectStatement[];
  /** Undefined if what came does not continue what is known: pieces came late, or were deleted. */
  readonly read: (results: readonly ReadableResult[]) => KnownPieces | undefined;
}

export function askForAll({ window, limit, isEnded, readPart }: PiecesRead): PiecesQuestion {
  const { statement, read } = readPart(window, limit);
  return {
    statements: [statement],
    read: ([result]) => ({ fromNs: window.fromNs, unsettled: MAX_UNSETTLED, isEnded, ...read(result) }),
  };
}

/**
 * Asks only for the pieces behind those that are known and, if they are to be `counted`, how many of these the store
 * has. Pieces never change. Undefined if what is known is of no use for the read.
 */
export function askForNew(read: PiecesRead, known: KnownPieces, isCounted: boolean): PiecesQuestion | undefined {
  const { window, order, limit, isEnded, readPart, readCount } = read;
  const kept = keepFrom(known.pieces, window.fromNs);
  const lastNs = kept.at(-1)?.timeNs;
  const hasOlder = order === 'desc' && known.isCut && kept.length === known.pieces.length;
  if (lastNs === undefined || !isContinued(read, known, lastNs)) return undefined;
  if (hasOlder && kept.length < (limit ?? Infinity)) return undefined;
  const counted = { fromNs: (hasOlder ? kept[0]?.timeNs : undefined) ?? window.fromNs, toNs: lastNs };
  const count = isCounted ? readCount(counted, kept) : undefined;
  const { settled, rest } = planRest(kept, known);
  const statements = [count, rest].flatMap((each) => each?.statement ?? []);
  return {
    statements,
    read: (results) => {
      if (count?.read(results[0]) === false) return undefined;
      const found = rest?.read(results[statements.length - 1]).pieces ?? [];
      const unsettled = found.filter(({ timeNs }) => timeNs > lastNs).length;
      const pieces = cutToLimit([...settled, ...found], read);
      return {
        ...{ fromNs: window.fromNs, pieces, isCut: limit !== undefined && pieces.length >= limit },
        unsettled: Math.min(MAX_UNSETTLED, unsettled),
        isEnded,
      };
    },
  };

  /** The pieces that stay as they are, and the read of those behind them. */
  function planRest(pieces: readonly TablePiece[], { unsettled, isEnded: wasEnded }: KnownPieces) {
    const isFull = order === 'asc' && pieces.length >= (limit ?? Infinity);
    if (isFull || wasEnded) return { settled: pieces };
    const stay = pieces.slice(0, Math.max(0, pieces.length - unsettled));
    const settledNs = stay.at(-1)?.timeNs;
    const fromNs = settledNs === undefined ? window.fromNs : settledNs + 1n;
    const missing = order === 'desc' || limit === undefined ? limit : limit - stay.length;
    return { settled: stay, rest: readPart({ fromNs, toNs: window.toNs }, missing) };
  }
}

/** Whether the window begins no earlier than what is known, and ends no earlier than its last piece. */
function isContinued({ window: { fromNs, toNs } }: PiecesRead, known: KnownPieces, lastNs: bigint): boolean {
  return fromNs >= known.fromNs && (toNs === undefined || toNs >= lastNs);
}

function keepFrom(pieces: readonly TablePiece[], fromNs: bigint): readonly TablePiece[] {
  const at = pieces.findIndex(({ timeNs }) => timeNs >= fromNs);
  return at === -1 ? [] : pieces.slice(at);
}

function cutToLimit(pieces: readonly TablePiece[], { order, limit }: PiecesRead): readonly TablePiece[] {
  if (limit === undefined || pieces.length <= limit) return pieces;
  return order === 'asc' ? pieces.slice(0, limit) : pieces.slice(-limit);
}
