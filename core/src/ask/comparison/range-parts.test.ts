import type { StatementResult } from '../../influxql/response.js';
import { formatRfc3339Nano } from '../../point/timestamp.js';
import { cutRange } from './range-parts.js';

const DAY_NS = 86_400_000_000_000n;
const BEGIN_NS = 20_000n * DAY_NS;
const SLOT_NS = 7_200_000_000_000n;

function find(jobs: number) {
  return Array.from({ length: jobs }, (_, nth) => ({ job: `${nth}`, user: '', fromNs: BEGIN_NS, toNs: BEGIN_NS }));
}

function count(...rows: ReadonlyArray<readonly [bigint, number]>): StatementResult {
  const values = rows.map(([timeNs, jobs]) => [formatRfc3339Nano(timeNs), jobs]);
  return { statement_id: 0, series: [{ name: 'job_heartbeat', columns: ['time', 'jobs'], values }] };
}

const slot = (nth: number, jobs: number): readonly [bigint, number] => [BEGIN_NS + BigInt(nth) * SLOT_NS, jobs];

it('is one part from before the first job on, without an end', () => {
  const [part, ...others] = cutRange(find(1000), [count([0n, 3000]), count(slot(0, 3000))]);
  expect(others).toEqual([]);
  expect(part?.beforeNs).toBeUndefined();
  expect(part?.fromNs).toBeLessThanOrEqual(BEGIN_NS - 7n * DAY_NS);
});

it('is nothing where most jobs are others, and where heartbeats do not tell', () => {
  expect(cutRange(find(1000), [count([0n, 4001]), count(slot(0, 4001))])).toEqual([]);
  expect(cutRange(find(1000), [count([0n, 999]), count(slot(0, 999))])).toEqual([]);
  expect(cutRange(find(1000), [{ statement_id: 0 }, undefined])).toEqual([]);
});

it('has parts of 20,000 jobs at most, which follow each other', () => {
  const slots = [slot(0, 15_000), slot(1, 4000), slot(2, 2000), slot(5, 60_000), slot(6, 1)];
  const parts = cutRange(find(80_000), [count([0n, 81_001]), count(...slots)]);
  const starts = parts.map(({ fromNs }) => fromNs);
  const third = SLOT_NS / 3n;
  expect(starts.slice(1).map((startNs = 0n) => (startNs - BEGIN_NS) / third)).toEqual([6n, 15n, 16n, 17n, 18n]);
  expect(parts.map(({ beforeNs }) => beforeNs)).toEqual([...starts.slice(1), undefined]);
});
