import { compareOldestFirst } from '../../rows/newest-first.js';
import { BUCKETS_AFTER_ROWS } from '../../table/bucket-fold.js';
import { type AggregatesPlan, closeGaps, planAggregates } from './aggregates-plan.js';
import type { Reading } from '../reading/reading.js';
import { type Gap, reuseAggregates } from './known-aggregates.js';
import { END_LIMIT, type TablePiece, type Window } from './table-pieces.js';
import { createRowsRead, type TableRead } from './table-reads.js';
import {
  askAll,
  type KnownTable,
  type Question,
  readPieces,
  type WholeTable,
  type WholeTableRequest,
} from './table-questions.js';

/** A gap with more rows than this is aggregated by the store. */
const MAX_GAP_ROWS = BUCKETS_AFTER_ROWS + END_LIMIT;

type Read = Pick<WholeTable, 'pieces' | 'level' | 'known'>;

/** Fills the gaps: with rows where they are few, else with aggregates. */
export function* readGaps(
  request: WholeTableRequest,
  { pieces, ...whole }: Read,
  windows: readonly Window[],
  rows: number
): Reading<WholeTable, WholeTable> {
  const limit = MAX_GAP_ROWS + 1;
  const { table, isCounted = false } = request;
  // Where buckets are expected, rows or buckets that came late may have been found meanwhile.
  const known = isCounted && table.hasBuckets !== false ? [] : (request.known?.aggregates ?? []);
  const gaps = closeGaps(windows, request.toNs);
  const surelyLong = gaps.filter(
    (gap) =>
      table.hasBuckets === false ||
      reuseAggregates(gap, known, request.maxPieces) !== undefined ||
      estimateRows(gap, pieces) > SURELY_LONG * MAX_GAP_ROWS
  );
  const others = gaps.filter((gap) => !surelyLong.includes(gap));
  const reads = others.map((gap) => createRowsRead(request, gap, { name: '', order: 'asc', limit, isEnded: false }));
  const answers = yield* readPieces({}, reads);
  const long = [...surelyLong, ...others.filter((_, at) => answers[at]?.isCut === true)];
  const found = [...pieces, ...answers.flatMap((gap) => (gap.isCut ? [] : gap.pieces))];
  if (long.length === 0) return finish({ ...whole, pieces: found }, gaps.length > 0, false);
  const longGaps = gaps.filter((gap) => long.includes(gap));
  const plan = planAggregates({ ...request, known }, longGaps, rows);
  return yield* readAggregates({ ...whole, pieces: [...found, ...plan.pieces] }, { ...plan, gaps: longGaps });
}

interface GapsPlan extends Pick<AggregatesPlan, 'intervalNs' | 'requests'> {
  readonly gaps: readonly Gap[];
}

/** One group of reads after the other, the oldest first. */
function* readAggregates(begun: Read, plan: GapsPlan): Reading<WholeTable, WholeTable> {
  let whole = begun;
  for (const [at, { fromNs, reads }] of plan.requests.entries()) {
    const older = whole.pieces.filter(({ timeNs }) => timeNs < fromNs);
    if (at > 0) yield { soFar: finish({ ...whole, pieces: older }, true, true) };
    const aggregates = yield* askAll(reads.map(createQuestion), reads.length > 1);
    whole = { ...whole, pieces: [...whole.pieces, ...aggregates.flat()] };
  }
  return finish({ ...whole, known: keepAggregates(whole, plan) }, true, true);
}

function keepAggregates({ known, pieces }: Read, { gaps, intervalNs }: GapsPlan): KnownTable {
  const aggregated = pieces.filter(({ level }) => level === -1).sort(compareOldestFirst);
  const aggregates = gaps.map((gap) => ({
    ...gap,
    intervalNs,
    pieces: aggregated.filter(({ timeNs }) => timeNs >= gap.fromNs && timeNs <= gap.toNs),
  }));
  return { ...known, aggregates };
}

function finish({ pieces, ...whole }: Read, hadGaps: boolean, isAggregated: boolean): WholeTable {
  return { kind: 'pieces', ...whole, isAggregated, pieces: hadGaps ? pieces.toSorted(compareOldestFirst) : pieces };
}

function createQuestion<A>({ statement, read }: TableRead<A>): Question<A> {
  return { statements: [statement], read: ([result]) => read(result) };
}

/** A gap that looks so many times too long is not tried row by row, which would cost a request. */
const SURELY_LONG = 8;

/** The rows of a gap, if they come as fast as those read right behind it. */
function estimateRows({ fromNs, toNs }: Window, pieces: readonly TablePiece[]): number {
  const behind = pieces.filter(({ level, timeNs }) => level === 0 && toNs !== undefined && timeNs > toNs);
  const [first, last] = [behind[0], behind.at(END_LIMIT - 1) ?? behind.at(-1)];
  if (toNs === undefined || first === undefined || last === undefined || last.timeNs <= first.timeNs) return 0;
  const count = Math.min(behind.length, END_LIMIT) - 1;
  return (Number(toNs - fromNs) * count) / Number(last.timeNs - first.timeNs);
}
