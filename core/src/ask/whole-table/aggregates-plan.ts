import { type Gap, type KnownAggregates, reuseAggregates } from './known-aggregates.js';
import type { TablePiece, Window } from './table-pieces.js';
import { createAggregatesRead, type TableNumbers, type TableRead } from './table-reads.js';

/** Reads that are sent at the same time, so that a store with several processors answers sooner. */
export interface AggregatesRequest {
  /** The rows of all earlier requests are older. */
  readonly fromNs: bigint;
  readonly reads: ReadonlyArray<TableRead<readonly TablePiece[]>>;
}

interface PlanOptions extends TableNumbers {
  readonly maxPieces: number;
  readonly known?: readonly KnownAggregates[] | undefined;
}

/** About so many rows are aggregated at a time: one processor takes InfluxDB 1.6 half a second for 5 keys of them. */
const REQUEST_ROWS = 200_000;
const MAX_REQUESTS = 32;
/** The least number of rows to aggregate in two halves. */
const MIN_PARALLEL_ROWS = 50_000;

/** What to ask for, and what is known. */
export interface AggregatesPlan {
  readonly pieces: readonly TablePiece[];
  readonly intervalNs: bigint;
  readonly requests: readonly AggregatesRequest[];
}

/** The gaps with both ends, the oldest first. */
export function closeGaps(gaps: readonly Window[], endNs: bigint): readonly Gap[] {
  return gaps.map(({ fromNs, toNs = endNs }) => ({ fromNs, toNs })).sort((a, b) => (a.fromNs < b.fromNs ? -1 : 1));
}

/**
 * Aggregates of the rows in these gaps, `rows` in all, the oldest gap first. The intervals are an eighth of the pieces,
 * shared by the gaps after their lengths, because an aggregate over rows costs more than a bucket. A request ends where
 * an interval does. Of gaps that have grown since an earlier reading, only the rest is asked for.
 */
export function planAggregates(options: PlanOptions, gaps: readonly Gap[], rows: number): AggregatesPlan {
  const { known = [], maxPieces } = options;
  const reused = gaps.map((gap) => reuseAggregates(gap, known, maxPieces / 4));
  const rest = gaps.flatMap((gap, at) => reused[at]?.rest ?? [gap]);
  const totalNs = sumLengths(gaps);
  const intervals = BigInt(Math.ceil(maxPieces / 8));
  const intervalNs = reused.find((each) => each !== undefined)?.intervalNs ?? totalNs / intervals + 1n;
  const restRows = totalNs === 0n ? 0 : (rows * Number(sumLengths(rest))) / Number(totalNs);
  const count = BigInt(Math.min(MAX_REQUESTS, Math.max(1, Math.round(restRows / REQUEST_ROWS))));
  const partsOfRequest = restRows < MIN_PARALLEL_ROWS ? 1n : 2n;
  const partCount = count * partsOfRequest;
  const partNs =
    partCount === 1n ? totalNs + intervalNs : (sumLengths(rest) / intervalNs / partCount + 1n) * intervalNs;
  const parts = rest.flatMap((gap) => (partCount === 1n ? [gap] : cutGap(gap, partNs)));
  return {
    pieces: reused.flatMap((each) => each?.pieces ?? []),
    intervalNs,
    requests: groupParts(parts, partsOfRequest * partNs).map((group) => ({
      fromNs: group[0].fromNs,
      reads: group.map((part) => createAggregatesRead(options, part, intervalNs)),
    })),
  };
}

function sumLengths(gaps: readonly Gap[]): bigint {
  return gaps.reduce((sum, gap) => sum + lengthOf(gap), 0n);
}

function lengthOf({ fromNs, toNs }: Gap): bigint {
  return toNs - fromNs + 1n;
}

/** Cut at multiples of this step. */
function cutGap({ fromNs, toNs }: Gap, stepNs: bigint): readonly Gap[] {
  const endNs = (fromNs / stepNs + 1n) * stepNs - 1n;
  return endNs >= toNs
    ? [{ fromNs, toNs }]
    : [{ fromNs, toNs: endNs }, ...cutGap({ fromNs: endNs + 1n, toNs }, stepNs)];
}

/** Neighbours that are no longer than this together. */
function groupParts(parts: readonly Gap[], lengthNs: bigint): ReadonlyArray<readonly [Gap, ...Gap[]]> {
  const groups: Array<[Gap, ...Gap[]]> = [];
  let leftNs = 0n;
  for (const part of parts) {
    leftNs -= lengthOf(part);
    const last = groups.at(-1);
    if (last !== undefined && leftNs >= 0n) last.push(part);
    else {
      groups.push([part]);
      leftNs = lengthNs - lengthOf(part);
    }
  }
  return groups;
}
