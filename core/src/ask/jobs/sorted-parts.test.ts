import { printStatement } from '../../influxql/print.js';
import type { StatementResult } from '../../influxql/response.js';
import { readSortedPart, sortedPartQuery, SortedParts } from './sorted-parts.js';

const KEY = JSON.stringify(['-lr=3e-4 (x)', "o'hara"]);

/** Points of one job, as a list of all jobs has them. */
function createAnswer(columns: readonly string[], ...values: ReadonlyArray<StatementValues>): StatementResult {
  return { statement_id: 0, series: [{ name: 'job', columns: ['time', 'job', 'user', ...columns], values }] };
}

type StatementValues = ReadonlyArray<string | number | null>;

const at = (second: number, ...values: StatementValues): StatementValues => [
  `2026-01-01T00:00:0${String(second)}Z`,
  '-lr=3e-4 (x)',
  "o'hara",
  ...values,
];

it('asks for one part of all descriptions, newest first', () => {
  expect(printStatement(sortedPartQuery({ part: 'nodes', user: 'a"b', fromNs: 0n, beforeNs: 10n }))).toBe(
    `SELECT "job", "user", "nodes" FROM "job" WHERE "user" = 'a"b' AND time >= '1970-01-01T00:00:00Z' AND time < '1970-01-01T00:00:00.00000001Z' ORDER BY time DESC LIMIT 20000`
  );
});

it('reads what jobs say last, however their points come', () => {
  const parts = new SortedParts();
  parts.add(readSortedPart('tags', createAnswer(['tags'], at(2, '{"a b":"new"}'))).points);
  expect(parts.read(KEY)?.tags).toEqual({ 'a b': 'new' });
  parts.add(readSortedPart('tags', createAnswer(['tags'], at(1, '{"a b":"old","c":"d"}'))).points);
  expect(parts.read(KEY)?.tags).toEqual({ 'a b': 'new', c: 'd' });
  expect(parts.read('another')).toBeUndefined();
});

it('keeps the end of the last run alone', () => {
  const parts = new SortedParts();
  const columns = ['submitted', 'started', 'ended'];
  const points = [at(3, null, 5000, null), at(2, null, null, 4000), at(1, 500, 1000, null)];
  parts.add(readSortedPart('times', createAnswer(columns, ...points)).points);
  expect(parts.read(KEY)).toMatchObject({ startedMs: 5000 });
  expect(parts.read(KEY)?.endedMs).toBeUndefined();
});

it('joins what two writers said at one time, and says where a long answer ends', () => {
  const parts = new SortedParts();
  const two = createAnswer(['submitted', 'started', 'ended'], at(1, null, null, 9000), at(1, null, 1000, null));
  const { points, endNs } = readSortedPart('times', two);
  parts.add(points);
  expect([parts.read(KEY)?.startedMs, parts.read(KEY)?.endedMs, endNs]).toEqual([1000, 9000, undefined]);
  const long = createAnswer(['config'], ...Array.from({ length: 5000 }, () => at(1, '{}')));
  expect(readSortedPart('config', long).endNs).toBe(1_767_225_601_000_000_000n);
});
