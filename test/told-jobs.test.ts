import { createEventPoint, createJobPoint, type JsonValue } from '@joblens/core/schema/job-point';
import type { Point } from '@joblens/core/point/point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { joblens } from './joblens-command.js';

const START_MS = 1_700_000_000_000;
const toNs = (seconds: number): bigint => BigInt(START_MS + 1000 * seconds) * 1_000_000n;

/** A change of state in a job of which nobody says more. */
function change(source: JobSource, seconds: number, toState: string, data: JsonValue = {}, fromState?: string): Point {
  return createEventPoint(
    source,
    { topic: 'state', ...(fromState !== undefined && { fromState }), toState, data },
    toNs(seconds)
  );
}

interface Told {
  readonly state?: string;
  readonly took_s?: number;
  readonly nodes?: number;
  readonly exit_code?: number;
  readonly reason?: string;
}

const ANN = (job: string): JobSource => ({ job, user: 'ann' });
const CASES: Readonly<Record<string, readonly [told: Told, points: readonly Point[]]>> = {
  '-runs': [{ state: 'RUNNING', nodes: 4 }, [change(ANN('-runs'), 0, 'RUNNING', { num_nodes: 4 })]],
  'failed (x) "1"': [
    { state: 'FAILED', took_s: 60, nodes: 2, exit_code: 3, reason: 'no "space" left' },
    [
      change(ANN('failed (x) "1"'), 0, 'RUNNING', { nodes: 2 }),
      change(ANN('failed (x) "1"'), 60, 'FAILED', { exit_code: 3, reason: 'no "space" left' }, 'RUNNING'),
    ],
  ],
  'end.only': [
    { state: 'COMPLETED', took_s: 1800 },
    [change(ANN('end.only'), 3600, 'COMPLETED', { runtime_s: 1800 }, 'RUNNING')],
  ],
  'end alone': [{ state: 'CANCELLED' }, [change(ANN('end alone'), 3600, 'CANCELLED')]],
  'own/state': [{ state: 'half done' }, [change(ANN('own/state'), 5, 'half done', ['not an object'])]],
  again: [
    { state: 'RUNNING' },
    [
      change(ANN('again'), 0, 'RUNNING'),
      change(ANN('again'), 60, 'FAILED', { exit_code: 1, reason: 'once' }, 'RUNNING'),
      change(ANN('again'), 90, 'RUNNING'),
    ],
  ],
  'no state': [{}, [createEventPoint(ANN('no state'), { topic: 'mine', data: {} }, toNs(0))]],
};
const JOBS = Object.keys(CASES);
const NONE: readonly [Told, readonly Point[]] = [{}, []];

describeWith(['influxd'], 'jobs of which events alone tell', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair([
      ...Object.values(CASES).flatMap(([, points]) => points),
      // A job of another user that has the same id, and one that is described.
      change({ job: '-runs', user: "o'hara" }, 7, 'FAILED'),
      createJobPoint(ANN('described'), { state: 'COMPLETED', startedMs: START_MS, endedMs: START_MS + 9 }, toNs(9)),
    ]);
  });
  afterAll(() => pair.stop());

  async function read(...args: readonly string[]) {
    const { influxdb, embedded } = await pair.both((url) => joblens(args, url));
    // How long a job has run so far is another thing by then.
    const steady = (text: string): string => text.replace(/"?(?:took_s|durationS)"?: ?\d{7,}(?:\.\d+)?,?/g, '');
    expect(steady(embedded.stdout)).toBe(steady(influxdb.stdout));
    return { ...influxdb, rows: influxdb.stdout.trimEnd().split('\n') };
  }

  it.each(JOBS)('%s is known to all commands, in the same state', async (job) => {
    const [told, points] = CASES[job] ?? NONE;
    const { state, nodes, exit_code: exitCode, reason, took_s: tookS } = told;
    const { rows } = await read('jobs', '--json', '--user', 'ann', '--', job);
    const {
      job: id,
      user,
      started: _,
      ended: __,
      took_s: listedS,
      ...listed
    } = JSON.parse(rows[0] ?? '') as Told & {
      readonly job: string;
      readonly user: string;
      readonly started: unknown;
      readonly ended: unknown;
    };
    const { took_s: ___, ...wanted } = told;
    expect({ id, user, ...listed }).toEqual({ id: job, user: 'ann', ...wanted });
    if (state !== 'RUNNING') expect(listedS).toBe(tookS);
    const report = await read('report', 'job', '--json', '--user', 'ann', '--', job);
    const known = Object.entries({ state, nodes, exitCode, reason }).filter(([, value]) => value !== undefined);
    expect(JSON.parse(report.stdout)).toMatchObject({ job, user: 'ann', ...Object.fromEntries(known) });
    const why = await read('why', '--json', '--user', 'ann', '--', job);
    expect([why.code, JSON.parse(why.stdout)]).toEqual([0, expect.objectContaining({ job, user: 'ann' })]);
    expect((JSON.parse(why.stdout) as Told).state).toBe(state);
    expect((await read('events', '--json', '--user', 'ann', `--job=${job}`)).rows).toHaveLength(points.length);
  });

  it('why says more of one user when two have the id, and names both without one', async () => {
    expect(await read('why', '--', '-runs')).toMatchObject({
      code: 1,
      stderr: "joblens: ann, o'hara each have a job -runs; give --user NAME\n",
    });
    expect(JSON.parse((await read('why', '--json', '--user', "o'hara", '--', '-runs')).stdout)).toMatchObject({
      ...{ user: "o'hara", state: 'FAILED' },
    });
  });

  it('diff and compare tell them apart', async () => {
    const diff = await read('diff', '--csv', 'failed (x) "1"', 'described');
    expect([diff.code, diff.rows.find((row) => row.startsWith('state,'))]).toEqual([
      1,
      expect.stringContaining('FAILED,COMPLETED'),
    ]);
    const compared = await read('compare', '--csv', 'failed (x) "1"', 'end.only', 'described');
    expect(compared.rows.slice(1).map((row) => /COMPLETED|FAILED/.exec(row)?.[0])).toEqual([
      ...['FAILED', 'COMPLETED', 'COMPLETED'],
    ]);
  });
});
