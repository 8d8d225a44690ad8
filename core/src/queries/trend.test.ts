import { printStatement } from '../influxql/print.js';
import { readTrendPoints, trendQuery } from './trend.js';

const TABLE = { job: '7', user: 'ann', series: 'loss,step' };
const WHERE = `"job" = '7' AND "user" = 'ann' AND "series" = 'loss,step'`;
const RANGE = `time >= '1970-01-01T00:00:01Z' AND time <= '1970-01-01T00:01:01Z'`;
const MINUTE = { fromNs: 1_000_000_000n, toNs: 61_000_000_000n };

it.each([
  [{ rows: 16_384 }, `FROM "job_metadata" WHERE ${WHERE} AND ${RANGE}`],
  [
    { rows: 16_385 },
    `FROM "job_metadata_bucket" WHERE ${WHERE} AND "bucket_level" = '1' AND ("bucket_stat" = 'min' OR "bucket_stat" = 'max') AND ${RANGE}`,
  ],
  [
    { rows: 1_000_000 },
    `FROM "job_metadata_bucket" WHERE ${WHERE} AND "bucket_level" = '2' AND ("bucket_stat" = 'min' OR "bucket_stat" = 'max') AND ${RANGE}`,
  ],
  [{ rows: 1_000_000, hasBuckets: false } as const, `FROM "job_metadata" WHERE ${WHERE} AND ${RANGE}`],
])('asks for the means of %j', (part, source) => {
  const statement = trendQuery({ table: { ...TABLE, ...part }, key: 'time', ...MINUTE, points: 60 });
  expect(printStatement(statement)).toBe(
    `SELECT mean("time_") AS "mean" ${source} GROUP BY time(1000000001ns) fill(none)`
  );
});

it('reads the means, oldest first', () => {
  const columns = ['time', 'mean'];
  const values = [
    ['1970-01-01T00:00:01Z', 2.5],
    ['1970-01-01T00:00:02Z', null],
    ['1970-01-01T00:00:03.000000001Z', -1],
  ];
  expect(readTrendPoints({ statement_id: 0, series: [{ name: 'job_metadata', columns, values }] })).toEqual([
    { timeNs: 1_000_000_000n, value: 2.5 },
    { timeNs: 3_000_000_001n, value: -1 },
  ]);
  expect(readTrendPoints(undefined)).toEqual([]);
});
