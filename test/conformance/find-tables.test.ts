import { findRowJobs, rowJobNamesQueries } from '@joblens/core/ask/tables/find-row-jobs';
import { countFoundTableQueries, findTables, readCountedTables } from '@joblens/core/ask/tables/find-tables';
import { createMetadataPoints } from '@joblens/core/schema/metadata-point';
import type { Point } from '@joblens/core/point/point';
import type { FoundJob } from '@joblens/core/ask/heartbeats/find-jobs';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import type { JobSource } from '@joblens/core/schema/measurements';
import { describeWith } from '../components.js';
import { createInfluxqlClient, readAll } from '../influxql-client.js';
import { type Pair, startFilledPair } from './targets.js';

const T0 = 1_700_000_000_000_000_000n;
const RANGE = { fromNs: T0, toNs: T0 + 1000n };

function createPoints(
  source: JobSource,
  series: string,
  rows: ReadonlyArray<ReadonlyMap<string, number | string>>
): Point[] {
  return rows.flatMap((row, at) => createMetadataPoints(source, series, row, T0 + BigInt(at)));
}

const POINTS = [
  ...createPoints(
    { job: "o'hara/7", user: 'ann' },
    'mine',
    Array.from(
      { length: 10 },
      (_, step) =>
        new Map<string, number | string>([
          ['step', step],
          ['loss "x"', step > 7 ? 'NaN' : 1 / (1 + step)],
          ['time', 2 * step],
        ])
    )
  ),
  ...createPoints({ job: "o'hara/7", user: 'ann', task: '1' }, 'mine', [new Map([['step', 1]])]),
  ...createPoints({ job: "o'hara/7", user: 'ann' }, 'notes', [new Map([['note', 'a']])]),
  ...createPoints({ job: 'another', user: 'ann' }, 'mine', [new Map([['other', 1]])]),
];

describeWith(['influxd'], 'tables that no job_series point describes', () => {
  let pair: Pair | undefined;
  beforeAll(async () => {
    pair = await startFilledPair(POINTS);
  });
  afterAll(() => pair?.stop());

  async function find(url: string, range: typeof RANGE): Promise<readonly TableSummary[]> {
    const client = createInfluxqlClient(url);
    const found = await readAll(client, findTables({ job: "o'hara/7", ...range }, 100));
    if (found.length === 0) return [];
    return readCountedTables(
      found,
      await client.ask(...found.flatMap((table) => countFoundTableQueries(table, range)))
    );
  }

  it('are found by their rows, with keys, counts and first times', async () => {
    const table = (rows: number, more: object) => ({
      ...{ job: "o'hara/7", user: 'ann', rows, timeNs: T0, runs: [{ timeNs: T0, rows }], hasBuckets: false },
      ...more,
    });
    const expected = [
      table(10, {
        ...{ series: 'mine', keys: ['loss "x"', 'step', 'time'], isBesideTasks: true },
        // Two of its newest rows have a NaN.
        mixedKeys: ['loss "x"'],
      }),
      table(1, { series: 'mine', task: '1', keys: ['step'] }),
      table(1, { series: 'notes', keys: ['note'] }),
    ];
    expect(await pair?.both((url) => find(url, RANGE))).toEqual({ influxdb: expected, embedded: expected });
  });

  it('are of jobs that lists find by their rows', async () => {
    const findJobs = async (url: string): Promise<readonly FoundJob[]> => {
      const client = createInfluxqlClient(url);
      const names = await client.ask(...rowJobNamesQueries(RANGE));
      return await readAll(client, findRowJobs(RANGE, names));
    };
    const job = (name: string, timeNs: bigint) => ({ job: name, user: 'ann', fromNs: timeNs, toNs: timeNs });
    const expected = [job("o'hara/7", T0 + 9n), job('another', T0)];
    const found = await pair?.both(findJobs);
    for (const jobs of [found?.influxdb, found?.embedded]) {
      expect(jobs).toHaveLength(2);
      expect(jobs).toEqual(expect.arrayContaining(expected));
    }
  });

  it('are not found outside the range', async () => {
    const range = { fromNs: T0 + 500n, toNs: T0 + 1000n };
    expect(await pair?.both((url) => find(url, range))).toEqual({ influxdb: [], embedded: [] });
  });
});
