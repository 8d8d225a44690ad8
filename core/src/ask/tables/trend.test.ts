import { printStatement } from '../../influxql/print.js';
import { readTrendPoints, trendQueries } from './trend.js';

const TABLE = { job: '7', user: 'ann', series: 'loss,step' };
const WHERE = `"job" = '7' AND "user" = 'ann' AND "series" = 'loss,step'`;
const RANGE = `time >= '1970-01-01T00:00:01Z' AND time <= '1970-01-01T00:01:01Z'`;
const MINUTE = { fromNs: 1_000_000_000n, toNs: 61_000_000_000n };

const ofBuckets = (level: number): string[] =>
  [`"bucket_stat" = 'mean'`, `("bucket_stat" = 'min' OR "bucket_stat" = 'max')`].map(
    (stat) => `FROM "job_metadata_bucket" WHERE ${WHERE} AND "bucket_level" = '${level}' AND ${stat} AND ${RANGE}`
  );

it.each([
  [{ rows: 16_384 }, [`FROM "job_metadata" WHERE ${WHERE} AND ${RANGE}`]],
  [{ rows: 16_385 }, ofBuckets(1)],
  [{ rows: 1_000_000 }, ofBuckets(2)],
  [{ rows: 1_000_000, hasBuckets: false } as const, [`FROM "job_metadata" WHERE ${WHERE} AND ${RANGE}`]],
])('asks for the means of %j', (part, sources) => {
  const statements = trendQueries({ table: { ...TABLE, ...part }, key: 'time', ...MINUTE, points: 60 });
  expect(statements.map(printStatement)).toEqual(
    sources.map((source) => `SELECT mean("time_") AS "mean" ${source} GROUP BY time(1000000001ns) fill(none)`)
  );
});

const COLUMNS = ['time', 'mean'];

it('takes the middle of lowest and highest where no mean is stored, as of older tables', () => {
  const [means, middles] = [
    [['1970-01-01T00:00:02Z', 7]],
    [
      ['1970-01-01T00:00:01Z', 1],
      ['1970-01-01T00:00:02Z', 50],
      ['1970-01-01T00:00:03Z', 3],
    ],
  ].map((values) => ({ statement_id: 0, series: [{ name: 'job_metadata_bucket', columns: COLUMNS, values }] }));
  const read = (...results: Parameters<typeof readTrendPoints>[0]): number[] =>
    readTrendPoints(results).map(({ value }) => value);
  expect(read(means, middles)).toEqual([1, 7, 3]);
  expect(read(undefined, middles)).toEqual([1, 50, 3]);
  expect(read(means, undefined)).toEqual([7]);
});

it('reads the means, oldest first', () => {
  const columns = COLUMNS;
  const values = [
    ['1970-01-01T00:00:01Z', 2.5],
    ['1970-01-01T00:00:02Z', null],
    ['1970-01-01T00:00:03.000000001Z', -1],
  ];
  expect(readTrendPoints([{ statement_id: 0, series: [{ name: 'job_metadata', columns, values }] }])).toEqual([
    { timeNs: 1_000_000_000n, value: 2.5 },
    { timeNs: 3_000_000_001n, value: -1 },
  ]);
  expect(readTrendPoints([undefined])).toEqual([]);
});
