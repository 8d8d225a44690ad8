import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import type { Point } from '../../point/point.js';
import { compareOldestFirst } from '../../rows/newest-first.js';
import { createBucketPoints } from '../../schema/bucket-point.js';
import { createMetadataPoints } from '../../schema/metadata-point.js';
import { createBucketFold, foldIntoBuckets } from '../../table/bucket-fold.js';
import type { TableSummary } from '../tables/tables.js';
import { answerReading } from '../testing/answer-reading.js';
import { answerAll } from '../testing/model-store.js';
import { readWholeTable } from './whole-table.js';
import type { FewRows, KnownTable, WholeTable } from './table-questions.js';

const SOURCE = { job: '7', user: 'ann' };
const KEYS = ['loss', 'step'];
const SERIES = 'loss,step';
const STEP_NS = 1_000n;

/** A job that runs, and what of it has come into the store. */
function createRunningJob() {
  const points: Point[] = [];
  const held: Point[] = [];
  const runs: Array<{ readonly timeNs: bigint; rows: number }> = [];
  let [fold, nowNs, serial] = [createBucketFold(KEYS.length), 1_000_000n, 0];
  const writeRow = (): Point[] => {
    const values = [serial % 5 === 3 ? NaN : (serial * 7919) % 10_007, serial];
    const row = new Map(
      KEYS.map((key, at) => [key, values[at] ?? NaN] as const).filter(([, value]) => !Number.isNaN(value))
    );
    serial += 1;
    nowNs += STEP_NS;
    const buckets = foldIntoBuckets(
      fold,
      KEYS.map((key) => row.get(key) ?? ''),
      nowNs
    );
    return [
      ...createMetadataPoints(SOURCE, SERIES, row, nowNs),
      ...buckets.flatMap((bucket) => createBucketPoints(SOURCE, { series: SERIES, keys: KEYS }, bucket)),
    ];
  };
  return {
    restart: () => {
      fold = createBucketFold(KEYS.length);
      runs.push({ timeNs: nowNs + STEP_NS, rows: 0 });
    },
    /** Prints rows, and holds back `late` ones of them from the place `at` on. */
    print: (rows: number, at = 0, late = 0) => {
      for (let row = 0; row < rows; row += 1) (row >= at && row < at + late ? held : points).push(...writeRow());
      const run = runs.at(-1);
      if (run !== undefined) run.rows += rows;
    },
    deliver: () => points.push(...held.splice(0)),
    nowNs: () => nowNs,
    points: () => points.toSorted(compareOldestFirst),
    /** It may lag behind the rows. */
    summary: (lag: number): TableSummary => {
      const listed = runs.map(({ timeNs, rows }) => ({ timeNs, rows: Math.max(1, rows - lag) }));
      const rows = listed.reduce((sum, run) => sum + run.rows, 0);
      return { ...SOURCE, series: SERIES, keys: KEYS, rows, runs: listed, timeNs: listed[0]?.timeNs ?? 0n };
    },
  };
}

interface Reading {
  readonly result: WholeTable | FewRows;
  readonly requests: number;
  readonly statements: number;
  /** Rows in all answers. */
  readonly answered: number;
}

function read(
  points: readonly Point[],
  table: TableSummary,
  range: { readonly fromNs: bigint; readonly toNs: bigint; readonly maxPieces: number },
  { known, isCounted = true }: { readonly known?: KnownTable | undefined; readonly isCounted?: boolean } = {}
): Reading {
  let [requests, statements, answered] = [0, 0, 0];
  const result = answerReading(readWholeTable({ table, keys: KEYS, ...range, known, isCounted }), (asked) => {
    const results = answerAll(points, asked);
    requests += results.length === 0 ? 0 : 1;
    statements += results.length;
    for (const { series = [] } of results) for (const { values } of series) answered += values.length;
    return results;
  });
  return { result, requests, statements, answered };
}

type Step =
  | { readonly kind: 'print'; readonly rows: number; readonly at: number; readonly late: number }
  | { readonly kind: 'restart' | 'deliver' }
  | { readonly kind: 'moveStart'; readonly rows: number };

/** What a reading without a count sees, too. */
const IN_ORDER: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('print' as const),
      rows: fc.oneof(fc.nat(40), fc.nat(3000)),
      at: fc.constant(0),
      late: fc.constant(0),
    }),
  },
  fc.record({ kind: fc.constant('restart' as const) }),
  fc.record({ kind: fc.constant('moveStart' as const), rows: fc.integer({ min: -200, max: 3000 }) })
);
const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('print' as const),
      rows: fc.oneof(fc.nat(40), fc.nat(3000)),
      at: fc.nat(100),
      late: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(40)),
    }),
  },
  fc.record({ kind: fc.constant('restart' as const) }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deliver' as const) }) },
  fc.record({ kind: fc.constant('moveStart' as const), rows: fc.integer({ min: -200, max: 3000 }) })
);

function takePieces({ result }: Reading): Omit<WholeTable, 'known'> | undefined {
  if (result.kind === 'rows') return undefined;
  const { kind, pieces, level, isAggregated } = result;
  return { kind, pieces, level, isAggregated };
}

interface Script {
  /** The steps before each reading, and whether it counts. */
  readonly readings: ReadonlyArray<{ readonly isCounted: boolean; readonly steps: readonly Step[] }>;
  readonly maxPieces: number;
  /** Rows of each run that the summary does not know. */
  readonly lag: number;
}

function createScripts(steps: fc.Arbitrary<Step>): fc.Arbitrary<Script> {
  const reading = fc.record({ isCounted: fc.boolean(), steps: fc.array(steps, { maxLength: 4 }) });
  const readings = fc.array(reading, { maxLength: 8 });
  return fc.record({ readings, maxPieces: fc.integer({ min: 20, max: 400 }), lag: fc.nat(50) });
}

function playScript({ readings, maxPieces, lag }: Script, isExpected: (isCounted: boolean) => boolean): void {
  const job = createRunningJob();
  job.restart();
  job.print(3000);
  let [fromNs, known]: [bigint, KnownTable | undefined] = [0n, undefined];
  for (const { isCounted, steps } of readings) {
    for (const step of steps) {
      if (step.kind === 'print') job.print(step.rows, step.at, step.late);
      else if (step.kind === 'moveStart') fromNs += BigInt(step.rows) * STEP_NS;
      else job[step.kind]();
    }
    const range = { fromNs: fromNs < 0n ? 0n : fromNs, toNs: job.nowNs(), maxPieces };
    const refreshed = read(job.points(), job.summary(lag), range, { known, isCounted });
    if (isExpected(isCounted))
      expect(takePieces(refreshed)).toEqual(takePieces(read(job.points(), job.summary(lag), range)));
    ({ known } = refreshed.result);
  }
}

it('gives, where it counts, what a full reading gives, whatever rows come, late or after a restart', () => {
  fc.assert(
    fc.property(createScripts(STEP), (script) => {
      playScript(script, (isCounted) => isCounted);
    }),
    { numRuns: randomCases(12) }
  );
});

it('gives what a full reading gives also where it does not count, if rows come in their order', () => {
  fc.assert(
    fc.property(createScripts(IN_ORDER), (script) => {
      playScript(script, () => true);
    }),
    { numRuns: randomCases(6) }
  );
});

it.each([
  [1, 6000, 400],
  [2, 40_000, 400],
])('asks at level %d for little more than what is new, in one request', (level, rows, maxPieces) => {
  const job = createRunningJob();
  job.restart();
  job.print(rows);
  const range = () => ({ fromNs: 0n, toNs: job.nowNs(), maxPieces });
  const first = read(job.points(), job.summary(0), range());
  const { result } = first;
  if (result.kind === 'rows') throw new Error('read as rows');
  const refresh = (known: KnownTable, isCounted: boolean): Reading & { readonly known: KnownTable } => {
    job.print(10);
    const next = read(job.points(), job.summary(0), range(), { known, isCounted });
    return { ...next, known: next.result.known };
  };
  const next = refresh(result.known, false);
  expect([result.level, next.requests]).toEqual([level, 1]);
  // The end of the rows and that of each level. What came last comes again: 8 rows, and 8 buckets of 4 statistics.
  expect(next.statements).toBe(level + 1);
  expect(next.answered).toBeLessThanOrEqual(10 + 8 + level * 4 * (8 + 1));
  const settled = refresh(next.known, false);
  expect(settled.answered).toBeLessThanOrEqual(10 + 8 + level * 4);
  expect(settled.answered).toBeLessThan(0.05 * first.answered);
  const counted = refresh(settled.known, true);
  // One count for the rows at each end and one for each level.
  expect(counted.statements).toBe(settled.statements + level + 2);
  expect(counted.answered).toBeLessThanOrEqual(10 + 8 + level * 4 + level + 2);
});

it('reads the fields that a store which was being written to did not give yet', () => {
  const job = createRunningJob();
  job.restart();
  job.print(6000);
  const range = () => ({ fromNs: 0n, toNs: job.nowNs(), maxPieces: 400 });
  const takeFull = () => takePieces(read(job.points(), job.summary(0), range()));
  const first = read(job.points(), job.summary(0), range()).result;
  job.print(64);
  const withoutNewSteps = job.points().map((point) => {
    if (point.timeNs <= range().toNs - 5n * STEP_NS) return point;
    return { ...point, fields: new Map([...point.fields].filter(([name]) => name !== 'step')) };
  });
  const partial = read(withoutNewSteps, job.summary(0), range(), { known: first.known, isCounted: false });
  expect(takePieces(partial)).not.toEqual(takeFull());
  const { known } = partial.result;
  expect(takePieces(read(job.points(), job.summary(0), range(), { known, isCounted: false }))).toEqual(takeFull());
});

it('asks nothing of a run that has ended and is known', () => {
  const job = createRunningJob();
  job.restart();
  job.print(6000);
  job.restart();
  job.print(6000);
  const range = () => ({ fromNs: 0n, toNs: job.nowNs(), maxPieces: 400 });
  const { known } = read(job.points(), job.summary(0), range()).result;
  job.print(10);
  const next = read(job.points(), job.summary(0), range(), { known, isCounted: false });
  expect(next.statements).toBe(2);
  expect(takePieces(next)).toEqual(takePieces(read(job.points(), job.summary(0), range())));
});

it('keeps the pieces that it knows', () => {
  const job = createRunningJob();
  job.restart();
  job.print(40_000);
  const range = () => ({ fromNs: 0n, toNs: job.nowNs(), maxPieces: 400 });
  const first = read(job.points(), job.summary(0), range()).result;
  if (first.kind === 'rows') throw new Error('read as rows');
  job.print(100);
  const next = read(job.points(), job.summary(0), range(), { known: first.known }).result;
  if (next.kind === 'rows') throw new Error('read as rows');
  const same = next.pieces.filter((piece, at) => piece === first.pieces[at]);
  expect(same.length).toBeGreaterThan(40_000 / 1024);
});
