import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import type { Point } from '../../point/point.js';
import { createMetadataPoints } from '../../schema/metadata-point.js';
import type { TableSummary } from '../tables/tables.js';
import { answerReading } from '../testing/answer-reading.js';
import { answerAll } from '../testing/model-store.js';
import { readWholeTable } from './whole-table.js';
import type { KnownTable, WholeTable } from './table-questions.js';

const SOURCE = { job: '7', user: 'ann' };
const SERIES = 'loss,step';
const STEP_NS = 1_000n;
const START_NS = 1_000_000n;
const MAX_PIECES = 400;

interface Row {
  readonly timeNs: bigint;
  readonly loss: number;
}

/** The rows of a writer that folds no buckets, and describes no tables. */
function createBareJob() {
  const rows: Row[] = [];
  const points: Point[] = [];
  const print = (count: number): void => {
    for (let printed = 0; printed < count; printed += 1) {
      const row = { timeNs: START_NS + BigInt(rows.length) * STEP_NS, loss: (rows.length * 7919) % 10_007 };
      rows.push(row);
      const values = new Map([
        ['loss', row.loss],
        ['step', rows.length],
      ]);
      points.push(...createMetadataPoints(SOURCE, SERIES, values, row.timeNs));
    }
  };
  const summary = (): TableSummary => ({
    ...{ ...SOURCE, series: SERIES, keys: ['loss', 'step'], rows: rows.length },
    ...{ runs: [{ timeNs: START_NS, rows: rows.length }], timeNs: START_NS, hasBuckets: false },
  });
  return { rows, print, points, summary };
}

function read(job: ReturnType<typeof createBareJob>, fromNs: bigint, known?: KnownTable) {
  const toNs = job.rows.at(-1)?.timeNs ?? START_NS;
  const request = { table: job.summary(), keys: ['loss', 'step'], fromNs, toNs, maxPieces: MAX_PIECES, known };
  let [statements, answered, together] = [0, 0, 0];
  const whole = answerReading(readWholeTable(request), (asked) => {
    const results = answerAll(job.points, asked);
    statements += results.length;
    if (asked.every(({ kind }) => kind === 'apart')) together = Math.max(together, results.length);
    for (const { series = [] } of results) for (const { values } of series) answered += values.length;
    return results;
  });
  if (whole.kind === 'rows') throw new Error('read as rows');
  return { whole, statements, answered, together };
}

/** Each row is a piece of its own, or within the lowest and highest number of the piece before or at its time. */
function expectEachRow({ pieces }: WholeTable, rows: readonly Row[]): void {
  let at = -1;
  const lost = rows.filter(({ timeNs, loss }) => {
    while ((pieces[at + 1]?.timeNs ?? timeNs + 1n) <= timeNs) at += 1;
    const { level, values: [min = NaN, max = NaN] = [] } = pieces[at] ?? {};
    return level === 0 ? min !== loss : !(min <= loss && loss <= max);
  });
  expect(lost).toEqual([]);
}

it('has each row in a piece, however rows come in and the range moves, and asks for the end only', () => {
  const steps = fc.array(fc.record({ rows: fc.nat(300), moved: fc.nat(200) }), { maxLength: 6 });
  fc.assert(
    fc.property(steps, (script) => {
      const job = createBareJob();
      job.print(3000);
      let fromNs = 0n;
      const first = read(job, fromNs);
      let { whole } = first;
      for (const { rows, moved } of script) {
        job.print(rows);
        fromNs = moved < 20 ? fromNs : START_NS + BigInt(moved) * STEP_NS;
        const begin = fromNs;
        const next = read(job, fromNs, whole.known);
        const covered = job.rows.filter(({ timeNs }) => timeNs >= begin);
        if (whole.pieces.length < MAX_PIECES / 2) expect(next.answered).toBeLessThan(3 * 64 + rows);
        expect(next.whole.pieces.length).toBeLessThan(MAX_PIECES);
        expectEachRow(next.whole, covered);
        ({ whole } = next);
      }
    }),
    { numRuns: randomCases(8) }
  );
});

it('aggregates many rows in halves, which are sent at the same time', () => {
  const job = createBareJob();
  job.print(60_000);
  const { whole, together } = read(job, 0n);
  expect(together).toBeGreaterThan(1);
  expectEachRow(whole, job.rows);
  const times = whole.pieces.map(({ timeNs }) => timeNs);
  expect(new Set(times).size).toBe(times.length);
});

it('asks for the newest rows and the oldest, and then for the rest in aggregates; later for the newest alone', () => {
  const job = createBareJob();
  job.print(20_000);
  const first = read(job, 0n);
  expect([first.statements, first.whole.isAggregated]).toEqual([3, true]);
  job.print(5);
  const next = read(job, 0n, first.whole.known);
  expect(next.statements).toBe(2);
  expect(next.answered).toBeLessThan(0.2 * first.answered);
  expect(next.whole.pieces.length).toBeLessThan(first.whole.pieces.length + 3);
});
