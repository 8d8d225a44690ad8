import { printStatement } from '../../influxql/print.js';
import type { ResultValue, StatementResult } from '../../influxql/response.js';
import { createTableStats, foldRow } from '../../table/table-stats.js';
import { type NonFiniteRequest, readNonFinite } from './nonfinite.js';
import type { ReadableResult } from '../reading/result-rows.js';
import { answerReading } from '../testing/answer-reading.js';

const T0 = 1_700_000_000_000_000_000n;
const timeOf = (at: number): string => `2023-11-14T22:13:20.${String(at).padStart(9, '0')}Z`;

function createRequest(rows: ReadonlyArray<ReadonlyArray<readonly [string, number | string]>>): NonFiniteRequest {
  const stats = createTableStats();
  for (const row of rows) foldRow(stats, new Map(row));
  const keys = [...stats.columns.keys()];
  const identity = { job: '7', user: 'ann', series: 's' };
  const table = { ...identity, keys, stats, rows: rows.length, runs: [], timeNs: T0 };
  return { table, keys, xKeys: ['step'], fromNs: T0 + 1n, toNs: T0 + 9n };
}

const row = (step: number, loss: number | string, note: string) =>
  [
    ['step', step],
    ['loss', loss],
    ['note', note],
  ] as const;
const REQUEST = createRequest([row(1, 0.5, 'a'), row(2, 'NaN', 'b')]);

function createResult(column: string, ...values: ReadonlyArray<readonly ResultValue[]>): StatementResult {
  return { statement_id: 0, series: [{ name: 'm', columns: ['time', column], values }] };
}

type Results = readonly ReadableResult[];

/** What is asked, request after request, and what is read from the answers. */
function read(request: NonFiniteRequest, ...answers: readonly Results[]) {
  const requests: string[][] = [];
  const found = answerReading(readNonFinite(request), (asked) => {
    if (asked.length === 0) return [];
    requests.push(asked.map((ask) => printStatement(ask.kind === 'apart' ? ask.statement : ask)));
    return answers[requests.length - 1] ?? [];
  });
  return { requests, found };
}

const WHERE = `"job" = '7' AND "user" = 'ann' AND "series" = 's'`;
const OLDEST = createResult('loss', [timeOf(2), 'null'], [timeOf(3), 'NaN'], [timeOf(4), '-Infinity']);
const NEWEST = createResult('loss', [timeOf(4), '-Infinity'], [timeOf(3), 'NaN'], [timeOf(2), 'null']);

it('asks for texts at both ends of keys that have numbers, too', () => {
  const range = `time >= '${timeOf(1)}' AND time <= '${timeOf(9)}'`;
  expect(read(REQUEST).requests).toEqual([
    [
      `SELECT "loss" FROM "job_metadata_text" WHERE ${WHERE} AND ${range} ORDER BY time ASC LIMIT 128`,
      `SELECT "loss" FROM "job_metadata_text" WHERE ${WHERE} AND ${range} ORDER BY time DESC LIMIT 128`,
    ],
  ]);
});

it('asks nothing where all values are numbers', () => {
  const { requests, found } = read(createRequest([row(1, 0.5, 'a')]));
  expect([requests, found.rows]).toEqual([[], []]);
});

it('asks for texts of keys that have numbers, too, in a table that nobody describes', () => {
  const { stats: _, ...found } = REQUEST.table;
  const table = { ...found, mixedKeys: ['loss'] };
  expect(read({ ...REQUEST, table }).requests).toEqual(read(REQUEST).requests);
  expect(read({ ...REQUEST, table: found }).requests).toEqual([]);
});

it('reads the X of each row once', () => {
  const texts = [OLDEST, NEWEST];
  const { requests, found } = read(REQUEST, texts, [createResult('step', [timeOf(3), 12]), undefined]);
  expect(requests[1]).toEqual(
    [3, 4].map(
      (at) => `SELECT "step" FROM "job_metadata" WHERE ${WHERE} AND time >= '${timeOf(at)}' AND time <= '${timeOf(at)}'`
    )
  );
  const rows = [
    { timeNs: T0 + 3n, values: new Map(Object.entries({ step: 12, loss: NaN })) },
    { timeNs: T0 + 4n, values: new Map([['loss', -Infinity]]) },
  ];
  expect(found).toEqual({ xKeys: ['step'], rows });
  expect(read({ ...REQUEST, known: found }, texts)).toEqual({ requests: [requests[0]], found });
  expect(read({ ...REQUEST, known: found, xKeys: ['loss'] }, texts).requests[1]).toHaveLength(2);
});
