import type { TablePiece } from '@joblens/core/ask/whole-table/table-pieces';
import { toMs } from '../../frames/times.js';
import { findSameItems } from './same-items.js';

/** The rows of a folded frame as columns, one row for each piece. Never changed: a refresh makes others from these. */
export interface PieceColumns {
  readonly pieces: readonly TablePiece[];
  readonly timesMs: readonly number[];
  readonly tsNs: readonly string[];
  /** Columns for each key. */
  readonly keys: readonly KeyColumns[];
}

type Cells = ReadonlyArray<number | null>;

/** The mean of each piece, or its only number, and the numbers between which the others are. */
export interface KeyColumns {
  readonly means: Cells;
  readonly mins: Cells;
  readonly maxes: Cells;
}

/** Places among the values of a bucket: see BUCKET_STATS in core. */
const [MIN, MAX, MEAN, STATS] = [0, 1, 2, 4];

/** Rows of pieces that were there `before` are copied, which costs next to nothing. */
export function createPieceColumns(
  pieces: readonly TablePiece[],
  keyCount: number,
  before: PieceColumns | undefined
): PieceColumns {
  const { dropped, count } = findSameItems(pieces, before?.pieces ?? []);
  // A bucket ends where the next piece begins.
  const kept = Math.max(0, count - 1);
  const added = pieces.slice(kept);
  const timesNs = added.map((piece, at) => placeInTime(piece, added[at + 1]));
  const extend = <T>(known: readonly T[] | undefined, more: readonly T[]): readonly T[] => [
    ...(known?.slice(dropped, dropped + kept) ?? []),
    ...more,
  ];
  return {
    pieces,
    timesMs: extend(before?.timesMs, timesNs.map(toMs)),
    tsNs: extend(before?.tsNs, timesNs.map(String)),
    keys: Array.from({ length: keyCount }, (_, key) => {
      const known = before?.keys[key];
      const read = (stat: number): Cells => added.map((piece) => readCell(piece, key, stat));
      return {
        means: extend(known?.means, read(MEAN)),
        mins: extend(known?.mins, read(MIN)),
        maxes: extend(known?.maxes, read(MAX)),
      };
    }),
  };
}

/** A row at its own time, what stands for many rows in the middle of theirs. */
function placeInTime({ timeNs, level }: TablePiece, next: TablePiece | undefined): bigint {
  return level === 0 || next === undefined ? timeNs : (timeNs + next.timeNs) / 2n;
}

function readCell({ level, values }: TablePiece, key: number, stat: number): number | null {
  const value = level === 0 ? values[key] : values[key * STATS + stat];
  return value === undefined || Number.isNaN(value) ? null : value;
}
