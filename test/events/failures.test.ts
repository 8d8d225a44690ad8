import { createEventPoint } from '@joblens/core/schema/job-point';
import { createTransitionPoint } from '@joblens/core/schema/transition-point';
import { findFailures } from '@joblens/core/ask/events/failures';
import type { JobSource } from '@joblens/core/schema/measurements';
import type { Point } from '@joblens/core/point/point';
import { describeWith } from '../components.js';
import { type Pair, startFilledPair } from '../conformance/targets.js';
import { createInfluxqlClient, readAll } from '../influxql-client.js';

const START_MS = 1_700_000_000_000;
const atNs = (seconds: number): bigint => BigInt(START_MS + 1000 * seconds) * 1_000_000n;
const RANGE = { fromNs: atNs(0), toNs: atNs(100_000) };

const fails = (source: JobSource, second: number): Point =>
  createTransitionPoint(
    source,
    { origin: 'slurm', fromState: 'RUNNING', toState: 'FAILED', runtimeS: 1 },
    atNs(second)
  );
const failsAlone = (source: JobSource, second: number): Point =>
  createEventPoint(source, { topic: 'state', fromState: 'RUNNING', toState: 'RUN_ERROR', data: {} }, atNs(second));
const times = (count: number, create: (i: number) => Point): Point[] =>
  Array.from({ length: count }, (_, i) => create(i));

const LOOP = "-loop (o'hara).1";
const POINTS: readonly Point[] = [
  // Two jobs that are started again and again, newest of all, and what they hide.
  ...times(2500, (i) => fails({ job: LOOP, user: 'ann' }, 50_000 + i)),
  ...times(2500, (i) => failsAlone({ job: 'loop 2', user: 'ann' }, 60_000 + i)),
  fails({ job: LOOP, user: 'bob' }, 40_000),
  ...times(6, (i) => fails({ job: `other-${i}`, user: 'ann' }, 30_000 + i)),
  ...times(6, (i) => failsAlone({ job: `alone-${i}`, user: 'zoe' }, 20_000 + i)),
];
const ALL = [
  ...['loop 2 ann', `${LOOP} ann`, `${LOOP} bob`],
  ...[5, 4, 3, 2, 1, 0].map((i) => `other-${i} ann`),
  ...[5, 4, 3, 2, 1, 0].map((i) => `alone-${i} zoe`),
];

describeWith(['influxd'], 'the newest failures', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(POINTS);
  });
  afterAll(() => pair.stop());

  it.each([
    [1, true],
    [3, true],
    [5, true],
    [14, true],
    [15, false],
    [100, false],
  ])(
    'are those of the %d newest jobs, however often one of them fails, and there are older ones: %j',
    async (limit, isCut) => {
      const { influxdb, embedded } = await pair.both((url) =>
        readAll(createInfluxqlClient(url), findFailures({ ...RANGE, limit }))
      );
      for (const { failures, ...found } of [influxdb, embedded]) {
        expect(failures.map(({ job, user }) => `${job} ${user}`)).toEqual(ALL.slice(0, limit));
        expect(found.isCut).toBe(isCut);
      }
    }
  );

  it('are of one user alone where one is asked for', async () => {
    const { influxdb, embedded } = await pair.both((url) =>
      readAll(createInfluxqlClient(url), findFailures({ ...RANGE, user: ['bob'], limit: 3 }))
    );
    expect(embedded).toEqual(influxdb);
    expect(influxdb).toMatchObject({ failures: [{ job: LOOP, user: 'bob' }], isCut: false });
  });
});
