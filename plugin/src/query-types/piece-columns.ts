import type { TablePiece } from '@joblens/core';
import type { PointStat } from '../frames/frame-meta.js';
import { toMs } from '../frames/times.js';
import { findSameItems } from './same-items.js';

/** The rows of a folded frame as columns. Never changed: a refresh makes others from these. */
export interface PieceColumns {
  readonly pieces: readonly TablePiece[];
  readonly timesMs: readonly number[];
  readonly tsNs: readonly string[];
  readonly stats: readonly PointStat[];
  /** A column for each key. */
  readonly values: ReadonlyArray<ReadonlyArray<number | null>>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends ReadonlyArray<infer V> ? V[] : T[K] };
type OpenColumns = Mutable<Omit<PieceColumns, 'pieces' | 'values'>> & { readonly values: Array<Array<number | null>> };

/** The number is the place among the values of a bucket: see BUCKET_STATS in core. */
const OF_BUCKET = [
  ['first', 2],
  ['min', 0],
  ['max', 1],
  ['last', 3],
] as const;
const OF_AGGREGATE = OF_BUCKET.slice(1, 3);
const STATS = OF_BUCKET.length;

/**
 * Four rows for each bucket, two for each aggregate: see createFoldedFrame. Those of pieces that were there `before`
 * are copied, which costs next to nothing.
 */
export function createPieceColumns(
  pieces: readonly TablePiece[],
  keyCount: number,
  before: PieceColumns | undefined
): PieceColumns {
  const { dropped, count } = findSameItems(pieces, before?.pieces ?? []);
  // A bucket ends where the next piece begins.
  const kept = Math.max(0, count - 1);
  const from = countRows(before?.pieces.slice(0, dropped) ?? []);
  const to = from + countRows(pieces.slice(0, kept));
  const columns: OpenColumns = {
    timesMs: before?.timesMs.slice(from, to) ?? [],
    tsNs: before?.tsNs.slice(from, to) ?? [],
    stats: before?.stats.slice(from, to) ?? [],
    values: Array.from({ length: keyCount }, (_, key) => before?.values[key]?.slice(from, to) ?? []),
  };
  for (let at = kept; at < pieces.length; at += 1) appendPiece(columns, pieces[at], pieces[at + 1]);
  return { pieces, ...columns };
}

function listStats(level: number): ReadonlyArray<(typeof OF_BUCKET)[number]> {
  return level > 0 ? OF_BUCKET : OF_AGGREGATE;
}

function countRows(pieces: readonly TablePiece[]): number {
  return pieces.reduce((sum, { level }) => sum + (level === 0 ? 1 : listStats(level).length), 0);
}

function appendPiece(columns: OpenColumns, piece: TablePiece | undefined, next: TablePiece | undefined): void {
  if (piece === undefined) return;
  const { timeNs, level, values } = piece;
  if (level === 0) {
    appendRow(columns, timeNs, 'row', values, 1, 0);
    return;
  }
  const nextNs = next?.timeNs ?? timeNs + 1n;
  const middleNs = (timeNs + nextNs) / 2n;
  const times = { first: timeNs, min: middleNs, max: middleNs, last: nextNs - 1n };
  for (const [stat, place] of listStats(level)) appendRow(columns, times[stat], stat, values, STATS, place);
}

/** The value of the first key is at `place`, that of each other one `step` behind. */
function appendRow(
  columns: OpenColumns,
  timeNs: bigint,
  stat: PointStat,
  values: readonly number[],
  step: number,
  place: number
): void {
  columns.timesMs.push(toMs(timeNs));
  columns.tsNs.push(String(timeNs));
  columns.stats.push(stat);
  columns.values.forEach((column, key) => {
    const value = values[key * step + place];
    column.push(value === undefined || Number.isNaN(value) ? null : value);
  });
}
