import type { Point } from '@joblens/core/point/point';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createEventPoint, createJobPoint, type JobDescription } from '@joblens/core/schema/job-point';
import { createSignalEvent } from '@joblens/core/signals/signal-fold';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { type Ended, joblens } from './joblens-command.js';

const START_MS = 1_700_000_000_000;
const RANGE = ['--after', '2023-11-14T22:00:00Z', '--before', '2023-11-15T00:00:00Z'];

function createJob(job: string, description: JobDescription, user = 'ann'): Point[] {
  const source = { job, user };
  const whole = { startedMs: START_MS, endedMs: START_MS + 60_000, ...description };
  return [
    createJobPoint(source, whole, BigInt(START_MS + 60_000) * 1_000_000n),
    ...HEARTBEAT_GRIDS.map((grid) => createHeartbeatPoint(source, grid, findSlotStartMs(START_MS, grid), whole)),
  ];
}

const failed = (host: string, reason: string): JobDescription => ({ state: 'FAILED', exitCode: 1, host, reason });
const good = (host: string): JobDescription => ({ state: 'COMPLETED', exitCode: 0, host });

/** A job on two nodes of which the second had the cause. */
function createRankDeath(): Point[] {
  const line = '[rank5]: RuntimeError: CUDA error: uncorrectable ECC error encountered';
  const timeNs = BigInt(START_MS + 30_000) * 1_000_000n;
  const signal = {
    ...({ name: 'cuda-error', severity: 'error', weight: 'cause', stream: 'stderr', message: line, line } as const),
    ...{ count: 1, timeNs, lastNs: timeNs },
  };
  const event = createSignalEvent(signal, { task: '1', node: 'n-17.site' });
  return [
    ...createJob('ranks', { ...failed('n-1', 'exit code 1: CUDA error: ECC'), nodes: 2 }),
    createEventPoint({ job: 'ranks', user: 'ann' }, event, timeNs),
  ];
}

/** A job that says again and again, later than all others, what tells nothing of its nodes. */
function createLoudJob(): Point[] {
  const line = "it's one of (5,001)";
  return [
    ...createJob('loud', { ...failed('n-1', 'exit code 1'), nodes: 2 }),
    ...Array.from({ length: 5001 }, (_, at) => {
      const timeNs = BigInt(START_MS + 40_000) * 1_000_000n + BigInt(at) * 1000n;
      const said = { name: 'exception', severity: 'error', stream: 'stderr', message: line, line } as const;
      const event = createSignalEvent({ ...said, weight: 'cause', count: 1, timeNs, lastNs: timeNs }, {});
      return createEventPoint({ job: 'loud', user: 'ann' }, event, timeNs);
    }),
  ];
}

const POINTS = [
  ...createRankDeath(),
  ...createLoudJob(),
  ...createJob('a-(1)', failed('n-17.site', 'node failure of n-17')),
  ...createJob('b 2', { ...good('n-17'), tags: { model: 'x "(1)"' } }),
  ...createJob('c', failed('n-2', 'disk full')),
  ...[1, 2, 3].map((at) => createJob(`good-${at}`, good('n-2'))).flat(),
  ...createJob('of bob', failed('n-2', 'exit code 3'), 'bob'),
  ...createJob('nobody knows where', { ...failed('n-1', 'exit code 1'), nodes: 4 }),
  ...createJob('stopped', { state: 'CANCELLED', host: 'n-17' }),
];

describeWith(['influxd'], 'joblens report nodes --failures', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(POINTS);
  });
  afterAll(() => pair.stop());

  /** What both stores answer, which is one answer. */
  async function ask(...args: readonly string[]): Promise<Ended> {
    const command = ['report', 'nodes', '--failures', ...args];
    const ended = await pair.both((url) => joblens(command, url));
    expect(ended.embedded).toEqual(ended.influxdb);
    return ended.influxdb;
  }

  it('tells the nodes on which failures add up, those of many nodes on the one that failed first', async () => {
    const { stdout, code } = await ask(...RANGE, '--csv');
    const [head, ...rows] = stdout.trimEnd().split('\r\n').join('\n').split('\n');
    expect([code, head]).toEqual([0, 'node,failures,jobs,share,at_least,last,reason']);
    expect(rows.map((row) => row.split(',').slice(0, 3).join(' '))).toEqual(['n-17 2 3', 'n-2 2 5']);
    expect(rows[0]).toContain('2023-11-14T22:14:20Z');
  });

  it('counts jobs of one user, and those with a tag, and says where none failed', async () => {
    const { stdout } = await ask(...RANGE, '--user', 'bob', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ node: 'n-2', failures: 1, jobs: 1, share: 1, reason: 'exit code 3' });
    expect(await ask(...RANGE, '--tag', 'model=x "(1)"')).toMatchObject({
      ...{ code: 0, stderr: 'joblens: no job failed on a node that is known\n' },
    });
  });

  it('refuses what does not go with it', async () => {
    expect(await ask('--step', '1h')).toMatchObject({ code: 2, stdout: '' });
    expect(await joblens(['report', 'usage', '--failures'], pair.influxdb.url)).toMatchObject({
      ...{ code: 2, stderr: 'joblens: --failures is for nodes\n' },
    });
  });
});
