import { createHeartbeatPoint, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createEventPoint } from '@joblens/core/schema/job-point';
import { createTransitionPoint } from '@joblens/core/schema/transition-point';
import type { Point } from '@joblens/core/point/point';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { joblens } from './joblens-command.js';

const HOUR_MS = 3_600_000;
const END_MS = 1_700_002_800_000;
const toNs = (timeMs: number): bigint => BigInt(timeMs) * 1_000_000n;

/** What the end of a run of 128 nodes may tell of it, as JSON, and the node hours that are known then. */
const ENDS: Readonly<Record<string, readonly [data: string, hours: number]>> = {
  'length "1"': ['{"nodes":128,"runtime_s":3600}', 128],
  '-start': [`{"nodes":128,"started":${END_MS - HOUR_MS}}`, 128],
  'half a node': ['{"nodes":0.5,"runtime_s":3600}', 0.5],
  'nothing (x)': ['{}', 0],
  'nodes alone': ['{"nodes":128}', 0],
  'negative length': ['{"nodes":128,"runtime_s":-3600}', 0],
  'endless length': ['{"nodes":128,"runtime_s":1e999}', 0],
  'absurd length': ['{"nodes":128,"runtime_s":1e300}', 0],
  'length.as text': ['{"nodes":128,"runtime_s":"3600"}', 0],
  'no length': ['{"nodes":null,"runtime_s":null}', 0],
  'no.JSON': ['{"runtime_s":NaN', 0],
  'a list': ['[3600]', 0],
  'start at 0': ['{"nodes":128,"started":0}', 0],
  'start before time': ['{"nodes":128,"started":-5}', 0],
  'endless start': ['{"nodes":128,"started":1e999}', 0],
  'absurd start': ['{"nodes":128,"started":1e300,"runtime_s":3600}', 128],
  'start ahead': [`{"nodes":128,"started":${END_MS + 9 * HOUR_MS}}`, 0],
  'negative nodes': ['{"nodes":-128,"runtime_s":3600}', 1],
  'endless nodes': ['{"nodes":1e999,"runtime_s":3600}', 1],
};
const UNBEGUN = 12;

const change = (user: string, states: readonly [string, string], json: string, timeMs: number): Point =>
  createEventPoint(
    { job: `job of '${user}'`, user },
    { topic: 'state', fromState: states[0], toState: states[1], data: {}, json },
    toNs(timeMs)
  );
const ended = (user: string, json = '{"nodes":128}'): Point => change(user, ['RUNNING', 'COMPLETED'], json, END_MS);

const POINTS: readonly Point[] = [
  ...Object.entries(ENDS).map(([user, [json]]) => ended(user, json)),
  // The beginning is stored, long before; or the job had ended since.
  change('known (before)', ['READY', 'RUNNING'], '{"nodes":128}', END_MS - 50 * HOUR_MS),
  ended('known (before)'),
  change('over before', ['READY', 'RUNNING'], '{}', END_MS - 60 * HOUR_MS),
  change('over before', ['RUNNING', 'FAILED'], '{}', END_MS - 50 * HOUR_MS),
  ended('over before'),
  // Its heartbeats tell.
  ended('alive'),
  ...HEARTBEAT_GRIDS.flatMap((grid) => {
    const slots = [2, 1, 0].map((hours) => END_MS - hours * HOUR_MS).map((timeMs) => timeMs - (timeMs % grid.slotMs));
    const source = { job: "job of 'alive'", user: 'alive' };
    return [...new Set(slots)].map((slotMs) => createHeartbeatPoint(source, grid, slotMs, { state: 'RUNNING' }));
  }),
  // The same in changes of state of all jobs.
  createTransitionPoint(
    { job: 'told (x).1', user: 'told' },
    { origin: 'job', fromState: 'RUNNING', toState: 'COMPLETED', nodes: 128 },
    toNs(END_MS)
  ),
  createTransitionPoint(
    { job: 'told (x).2', user: 'told' },
    { origin: 'job', fromState: 'RUNNING', toState: 'FAILED', nodes: -3, runtimeS: -5, startedMs: -5, waitS: -1 },
    toNs(END_MS)
  ),
  // A wait that none can have.
  ...['1e999', '-3', '"5"', '7'].map((wait, at) =>
    createEventPoint(
      { job: `waits ${at}`, user: 'waits' },
      { topic: 'state', fromState: 'PENDING', toState: 'RUNNING', data: {}, json: `{"wait_s":${wait}}` },
      toNs(END_MS - 60 * HOUR_MS)
    )
  ),
];

interface UsageRow {
  readonly user: string;
  readonly node_hours: number;
}

describeWith(['influxd'], 'the hours of runs that other programs tell of', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(POINTS);
  });
  afterAll(() => pair.stop());

  async function report(what: string, fromMs: number, ...options: readonly string[]) {
    const range = ['--after', new Date(fromMs).toISOString(), '--before', new Date(END_MS + HOUR_MS).toISOString()];
    const { influxdb, embedded } = await pair.both((url) => joblens(['report', what, ...range, ...options], url));
    expect(embedded).toEqual(influxdb);
    expect(influxdb.code).toBe(0);
    return influxdb;
  }

  it.each([
    ['a day', 24],
    ['five years', 5 * 365 * 24],
  ])('over %s are those that are known', async (_, hours) => {
    const { stdout, stderr } = await report('usage', END_MS - hours * HOUR_MS, '--json');
    const rows = stdout.trimEnd().split('\n');
    const found = rows.map((row) => JSON.parse(row) as UsageRow);
    const hoursOf = (user: string): number =>
      found.filter((row) => row.user === user).reduce((sum, { node_hours }) => sum + node_hours, 0);
    expect(Object.fromEntries(Object.keys(ENDS).map((user) => [user, hoursOf(user)]))).toEqual(
      Object.fromEntries(Object.entries(ENDS).map(([user, [, known]]) => [user, known]))
    );
    const isWhole = hours > 50;
    expect(hoursOf('known (before)')).toBe(128 * (isWhole ? 50 : 24));
    expect(hoursOf('alive')).toBeGreaterThanOrEqual(128 * 2);
    expect(hoursOf('alive')).toBeLessThanOrEqual(128 * 3);
    expect(hoursOf('told')).toBe(0);
    // In a long range it is known when that run ended, too.
    const unbegun = UNBEGUN + 2 + (isWhole ? 0 : 1);
    expect(stderr).toContain(`of ${unbegun} runs nobody wrote a beginning or a heartbeat: `);
  });

  it('no curve is negative or endless', async () => {
    for (const what of ['utilization', 'nodes', 'states']) {
      const { stdout } = await report(what, END_MS - 24 * HOUR_MS, '--each', '--csv');
      const values = stdout.trimEnd().split('\n').slice(1);
      expect(values.length).toBeGreaterThan(1);
      for (const row of values) expect(row).toMatch(/,\d+(?:\.\d+)?$/);
    }
  });

  it('no wait is negative or endless', async () => {
    const { stdout } = await report('waits', END_MS - 90 * HOUR_MS, '--each', '--csv');
    expect(stdout.trimEnd().split('\n').slice(1)).toEqual([expect.stringMatching(/,waits 3,waits,7$/)]);
  });
});
