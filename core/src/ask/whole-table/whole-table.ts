import { BUCKET_FACTOR, BUCKETS_AFTER_ROWS } from '../../table/bucket-fold.js';
import type { Reading } from '../reading/reading.js';
import { readGaps } from './table-gaps.js';
import {
  assemblePieces,
  type Assembly,
  END_LIMIT,
  type LimitedPieces,
  type TablePiece,
  type Window,
} from './table-pieces.js';
import { createBucketsRead, createRowsRead, type PiecesRead } from './table-reads.js';
import type { TableSummary } from '../tables/tables.js';
import {
  type FewRows,
  type KnownTable,
  NOTHING,
  readPieces,
  type WholeTable,
  type WholeTableRequest,
} from './table-questions.js';

/** Runs up to here are read row by row: twice BUCKETS_AFTER_ROWS, so that each level has buckets where it is read. */
const SHORT_RUN_ROWS = 2 * BUCKETS_AFTER_ROWS;
/** Neighbouring short runs that have more rows together are aggregated by the store. */
const MAX_SHORT_ROWS = 8 * SHORT_RUN_ROWS;
/** A table that was started again more often than this is aggregated by the store. */
const MAX_RUNS = 64;
/** The rows before the first bucket of level 1, and one bucket more. */
const HEAD_ROWS = BUCKETS_AFTER_ROWS + BUCKET_FACTOR + 1;

/** The finest level at which so many rows are at most so many pieces; 0: rows. */
export function chooseLevel(rows: number, maxPieces: number): number {
  let level = 0;
  while (rows / BUCKET_FACTOR ** level > maxPieces) level += 1;
  return level;
}

/**
 * Reads a table in a time range, however long it is, from at most about `maxPieces` pieces. It reads the
 * finest level of buckets that has no more of them in the range; at both ends of the range and of each run finer
 * buckets and rows complete it, so that every row is in exactly one piece. Rows without buckets are aggregated by the
 * store, which knows no last number. How many rows the range holds is known from the first answer; a finer level
 * is then asked for where it fits. A first reading of more than `quickPieces` pieces has a coarser level to be drawn
 * meanwhile: such parts are the oldest rows of the table, or all of it in coarser pieces.
 */
export function* readWholeTable(request: WholeTableRequest): Reading<WholeTable | FewRows, WholeTable> {
  const runs = listRuns(request);
  const counted = runs.reduce((sum, run) => sum + run.rows, 0);
  const finest = chooseLevel(counted, request.maxPieces);
  const hasLevels = runs.some(({ isShort }) => !isShort);
  let level = hasLevels && isSlow(request, counted, finest) ? finest + 1 : finest;
  let known: KnownTable = { reads: new Map(), aggregates: [] };
  while (level > 0) {
    if (request.keys.length === 0) return { kind: 'pieces', pieces: [], level, isAggregated: false, known };
    const { whole, gaps, rows } = yield* readLevel(request, runs, level, known);
    const finer = chooseLevel(rows, request.maxPieces);
    if (finer >= level) return yield* readGaps(request, whole, gaps, rows);
    if (gaps.length === 0 && isSlow(request, rows, finer)) {
      yield { soFar: { ...whole, kind: 'pieces', isAggregated: false } };
    }
    [level, known] = [finer, whole.known];
  }
  return { kind: 'rows', known };
}

/** Whether a level has so many pieces that a viewer would wait for them. */
function isSlow({ known, quickPieces = Infinity }: WholeTableRequest, rows: number, level: number): boolean {
  return known === undefined && level > 0 && rows / BUCKET_FACTOR ** level > quickPieces;
}

/** A run, or several short ones together, as far as it is in the time range. */
interface RunPart {
  /** Stays the same while rows come in. */
  readonly name: string;
  readonly window: Window;
  /** As the ingester counted them, also those outside the time range. */
  readonly rows: number;
  /** It is read without buckets. */
  readonly isShort: boolean;
  /** The run begins before the window. */
  readonly isHeadCut: boolean;
  /** A later run has begun, and the window reaches up to it. */
  readonly isEnded: boolean;
}

function listRuns({ table, fromNs, toNs }: WholeTableRequest): RunPart[] {
  const parts = table.runs.flatMap((_, at) => createPart(table, at, fromNs, toNs));
  if (parts.filter(({ isShort }) => !isShort).length <= MAX_RUNS) return parts;
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  // As if it were one run without buckets.
  const window = { fromNs: parts[0]?.window.fromNs ?? fromNs, toNs };
  return [{ name: 'all', window, rows, isShort: true, isHeadCut: false, isEnded: false }];
}

function createPart({ runs, hasBuckets }: TableSummary, at: number, fromNs: bigint, toNs: bigint): RunPart[] {
  const [run, next] = [runs[at], runs[at + 1]];
  if (run === undefined) return [];
  const endNs = next === undefined ? toNs : next.timeNs - 1n;
  const window = { fromNs: run.timeNs < fromNs ? fromNs : run.timeNs, toNs: endNs < toNs ? endNs : toNs };
  if (window.fromNs > window.toNs) return [];
  const name = String(run.timeNs);
  const isShort = run.rows <= SHORT_RUN_ROWS || hasBuckets === false;
  return [
    {
      name,
      window,
      rows: run.rows,
      isShort,
      isHeadCut: run.timeNs < fromNs,
      isEnded: next !== undefined && endNs <= toNs,
    },
  ];
}

/** What is read of a table at one level. */
interface LevelRead {
  readonly whole: Pick<WholeTable, 'level' | 'known' | 'pieces'>;
  readonly gaps: readonly Window[];
  /** The rows of the range, as far as the gaps let them be counted. */
  readonly rows: number;
}

function* readLevel(
  request: WholeTableRequest,
  runs: readonly RunPart[],
  level: number,
  coarser: KnownTable
): Reading<LevelRead> {
  const plans = mergeShort(runs).map((run) => planRun(request, run, level));
  const reads = plans.flatMap((plan) => plan.reads);
  const answers = yield* readPieces(request, reads);
  const found = reads.map(({ name }, at) => [name, answers[at] ?? NOTHING] as const);
  const known = { reads: new Map([...coarser.reads, ...found]), aggregates: [] };
  const rest = [...answers];
  const assembled = plans.map((plan) => ({ ...plan, ...plan.assemble(rest.splice(0, plan.reads.length)) }));
  const rows = assembled.reduce(
    (sum, { run, pieces, gaps }) => sum + (gaps.length > 0 ? run.rows : countRows(pieces)),
    0
  );
  const whole = { level, known, pieces: assembled.flatMap((run) => run.pieces) };
  return { whole, gaps: assembled.flatMap((run) => run.gaps), rows };
}

function countRows(pieces: readonly TablePiece[]): number {
  return pieces.reduce((sum, { rows }) => sum + rows, 0);
}

/** Neighbours of short runs as one part. */
function mergeShort(runs: readonly RunPart[]): RunPart[] {
  return runs.reduce<RunPart[]>((merged, run) => {
    const before = merged.at(-1);
    if (before?.isShort !== true || !run.isShort) return [...merged, run];
    const window = { fromNs: before.window.fromNs, toNs: run.window.toNs };
    return [...merged.slice(0, -1), { ...before, window, rows: before.rows + run.rows, isEnded: run.isEnded }];
  }, []);
}

interface RunPlan {
  readonly run: RunPart;
  readonly reads: readonly PiecesRead[];
  readonly assemble: (answers: readonly LimitedPieces[]) => Assembly;
}

function planRun(numbers: WholeTableRequest, run: RunPart, level: number): RunPlan {
  return run.isShort ? planShortRun(numbers, run) : planLongRun(numbers, run, level);
}

function planShortRun(numbers: WholeTableRequest, run: RunPart): RunPlan {
  // The summary of a running job may lag behind its rows.
  const maxRows = numbers.table.hasBuckets === false ? SHORT_RUN_ROWS : MAX_SHORT_ROWS;
  const limit = run.rows > maxRows ? END_LIMIT : 2 * run.rows + END_LIMIT;
  const isLong = numbers.table.hasBuckets === false && run.rows > SHORT_RUN_ROWS;
  const reads = [
    createRowsRead(numbers, run.window, nameRead(run, 0, 'desc', limit)),
    // Reads the first rows one by one where the store adds rows up, so that the line begins where they do.
    ...(isLong ? [createRowsRead(numbers, run.window, nameRead(run, 0, 'asc', END_LIMIT))] : []),
  ];
  const assemble = ([newest = NONE, oldest]: readonly LimitedPieces[]): Assembly =>
    assemblePieces([{ newest, ...(oldest && { oldest }) }], run.window);
  return { run, reads, assemble };
}

const NONE: LimitedPieces = { pieces: [], isCut: false };

function nameRead({ name, isEnded }: RunPart, level: number, order: 'asc' | 'desc', limit?: number) {
  return { name: `${name}/${String(level)}/${order}`, order, limit, isEnded };
}

function planLongRun(numbers: WholeTableRequest, run: RunPart, level: number): RunPlan {
  const { window } = run;
  const finer = Array.from({ length: level - 1 }, (_, at) => at + 1);
  const readFiner = (order: 'asc' | 'desc') =>
    finer.map((each) => createBucketsRead(numbers, each, window, nameRead(run, each, order, END_LIMIT)));
  const reads = [
    createRowsRead(numbers, window, nameRead(run, 0, 'asc', countHeadRows(run, level))),
    createRowsRead(numbers, window, nameRead(run, 0, 'desc', END_LIMIT)),
    createBucketsRead(numbers, level, window, nameRead(run, level, 'asc')),
    ...readFiner('desc'),
    ...(run.isHeadCut ? readFiner('asc') : []),
  ];
  const assemble = ([oldest = NONE, newest = NONE, all = NONE, ...ends]: readonly LimitedPieces[]): Assembly => {
    const levels = finer.map((_, at) => ({ newest: ends[at] ?? NONE, oldest: ends[finer.length + at] }));
    return assemblePieces([{ oldest, newest }, ...levels, { newest: all }], window);
  };
  return { run, reads, assemble };
}

/** The buckets of a whole run begin with its first row, but for those of level 1. */
function countHeadRows({ isHeadCut }: RunPart, level: number): number {
  if (isHeadCut) return END_LIMIT;
  return level === 1 ? HEAD_ROWS : 1;
}
