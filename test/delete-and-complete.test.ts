import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createEventPoint, createJobPoint } from '@joblens/core/schema/job-point';
import { createLabelPoint } from '@joblens/core/schema/label-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import { createMetadataPoints } from '@joblens/core/schema/metadata-point';
import { createTextPoints } from '@joblens/core/schema/text-point';
import { createTransitionPoint } from '@joblens/core/schema/transition-point';
import { findFailures } from '@joblens/core/ask/events/failures';
import type { JobSource } from '@joblens/core/schema/measurements';
import type { Point } from '@joblens/core/point/point';
import { userInfo } from 'node:os';
import { describeWith } from './components.js';
import { type Pair, startPair } from './conformance/targets.js';
import { createInfluxqlClient, readAll } from './influxql-client.js';
import { BINARY, type Ended, joblens, run } from './joblens-command.js';

const NOW_MS = Date.now();
const ME = userInfo().username;

function createJob(source: JobSource, nowMs = NOW_MS): readonly Point[] {
  const description = { state: 'COMPLETED', startedMs: nowMs - 60_000, tags: { experiment: 'sweep' } };
  const timeNs = BigInt(nowMs - 60_000) * 1_000_000n;
  const beat = (grid: (typeof HEARTBEAT_GRIDS)[number]): Point =>
    createHeartbeatPoint(source, grid, findSlotStartMs(nowMs - 60_000, grid), description);
  return [
    createJobPoint(source, description, timeNs),
    ...createLogPoints(source, { stream: 'stdout', kind: 'output', line: 'hi', timeNs }),
    ...createTextPoints(source, 'patch', `--- a of ${source.job}`, timeNs),
    createLabelPoint(source, { key: 'experiment', value: 'sweep' }, nowMs - 60_000),
    ...HEARTBEAT_GRIDS.map(beat),
  ];
}

describeWith(['influxd'], 'a job, deleted from InfluxDB and the embedded store', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
    await pair.both(async (url) => {
      const client = createInfluxqlClient(url);
      await client.post('CREATE DATABASE "joblens"');
      const sources = [
        { job: 'run "1"', user: ME },
        { job: 'mine-2', user: ME },
        { job: 'theirs', user: 'bob' },
      ];
      await client.write(sources.flatMap((source) => createJob(source)));
    });
  });
  afterAll(async () => {
    await pair.stop();
  });

  async function onBoth(...args: readonly string[]): Promise<Ended> {
    const { influxdb, embedded } = await pair.both((url) => joblens(args, url));
    expect(embedded).toEqual(influxdb);
    return influxdb;
  }
  const listJobs = async (): Promise<readonly string[]> =>
    (await onBoth('jobs')).stdout.split('\n').flatMap((line) => line.split('\t')[0] ?? []);

  it('is one of the user, who agrees', async () => {
    expect(await onBoth('delete', 'theirs')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/not of .* but of bob; .*give --user NAME/) as unknown,
    });
    expect(await onBoth('delete', 'mine-2')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('give --yes to delete') as unknown,
    });
    const others = await onBoth('delete', 'theirs', '--user', 'bob', '--yes');
    expect([others.code, others.stderr]).toEqual([1, expect.stringContaining('also give --confirm theirs')]);
    expect((await listJobs()).length).toBe(4);
  });

  it('leaves nothing behind that has its name, and leaves others alone', async () => {
    expect(await onBoth('delete', 'run "1"', '--yes')).toEqual({
      ...{ code: 0, stdout: '', stderr: `joblens: deleted job run "1" of ${ME}\n` },
    });
    expect([...(await listJobs())].sort()).toEqual(['', 'mine-2', 'theirs']);
    expect(await onBoth('log', 'run "1"')).toMatchObject({ code: 1 });
    expect((await onBoth('log', 'mine-2')).stdout).toBe('hi\n');
    await pair.both(async (url) => {
      const answer = await createInfluxqlClient(url).post('SELECT * FROM /.*/; SHOW SERIES');
      expect(JSON.stringify(answer)).not.toContain('run \\\\"1');
      expect(JSON.stringify(answer)).not.toContain('run \\"1');
    });
    const confirmed = await onBoth('delete', 'theirs', '--user', 'bob', '--yes', '--confirm', 'theirs');
    expect(confirmed.code).toBe(0);
    expect(await listJobs()).toEqual(['mine-2', '']);
  });

  it('may have events alone, or rows alone, of another writer', async () => {
    const timeNs = BigInt(NOW_MS - 30_000) * 1_000_000n;
    const events = { job: 'events alone', user: ME };
    const rows = { job: 'rows alone', user: ME };
    await pair.both(async (url) => {
      const points = [
        createEventPoint(events, { topic: 'state', toState: 'COMPLETED', data: {} }, timeNs),
        ...createMetadataPoints(rows, 'loss', new Map([['loss', 1]]), timeNs),
      ];
      await createInfluxqlClient(url).write(points);
    });
    for (const job of [events.job, rows.job]) {
      expect((await onBoth('jobs', job)).stdout.split('\t')[0]).toBe(job);
      expect((await onBoth('delete', job, '--yes')).code).toBe(0);
      expect(await onBoth('jobs', job)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no job') as unknown,
      });
    }
  });

  it.each([
    ['-(days) "ahead"', 3 * 86_400_000],
    ['of decades.ahead', 20 * 365 * 86_400_000],
  ])('may have a clock that is ahead: %s', async (job, aheadMs) => {
    await pair.both(async (url) => {
      const points = createJob({ job, user: ME }, NOW_MS + aheadMs);
      await createInfluxqlClient(url).write(points);
    });
    expect(await listJobs()).toContain(job);
    expect((await onBoth('delete', '--yes', '--', job)).code).toBe(0);
    expect(await listJobs()).not.toContain(job);
    expect((await onBoth('jobs', '--', job)).stderr).toContain('no job');
  });

  it('may be of nobody, beside one of this id that has an owner', async () => {
    const job = "no-(one) 'b'";
    const withoutUser = (point: Point): Point => ({
      ...point,
      tags: new Map([...point.tags].filter(([tag]) => tag !== 'user')),
    });
    await pair.both(async (url) => {
      const points = [...createJob({ job, user: 'x' }).map(withoutUser), ...createJob({ job, user: 'bob' })];
      await createInfluxqlClient(url).write(points);
    });
    expect((await onBoth('delete', job, '--yes')).stderr).toMatch(/ but of (bob, nobody|nobody, bob); .*--user NAME/);
    expect((await onBoth('delete', job, '--user', '', '--yes')).stderr).toContain('is of nobody: to delete it');
    const deleted = await onBoth('delete', job, '--user', '', '--yes', '--confirm', job);
    expect(deleted).toEqual({ code: 0, stdout: '', stderr: `joblens: deleted job ${job} of nobody\n` });
    expect((await onBoth('log', job)).stdout).toBe('hi\n');
    expect(await onBoth('delete', job, '--user', '', '--yes', '--confirm', job)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not of nobody but of bob') as unknown,
    });
    expect((await onBoth('delete', job, '--user', 'bob', '--yes', '--confirm', job)).code).toBe(0);
    expect((await onBoth('delete', job, '--user', '', '--yes')).stderr).toContain('no job');
  });

  it('still counts in reports, but is in no list that names jobs', async () => {
    const failed = { job: 'failed', user: ME };
    const atNs = (agoS: number): bigint => BigInt(NOW_MS - 1000 * agoS) * 1_000_000n;
    const change = (agoS: number, fromState: string, toState: string, more: object = {}): readonly Point[] => [
      createEventPoint(failed, { topic: 'state', origin: 'job', fromState, toState, data: {} }, atNs(agoS)),
      createTransitionPoint(failed, { origin: 'job', fromState, toState, ...more }, atNs(agoS)),
    ];
    await pair.both(async (url) => {
      const points = [
        ...createJob(failed),
        ...change(40, 'PENDING', 'RUNNING', { waitS: 20 }),
        ...change(20, 'RUNNING', 'FAILED'),
      ];
      await createInfluxqlClient(url).write(points);
    });
    const request = { fromNs: atNs(3600), toNs: atNs(0), limit: 10 };
    const range = ['--after', new Date(NOW_MS - 3_600_000).toISOString(), '--before', new Date(NOW_MS).toISOString()];
    const readLists = async () => {
      const { influxdb } = await pair.both(async (url) => {
        const { failures } = await readAll(createInfluxqlClient(url), findFailures(request));
        return failures;
      });
      const ofCommand = async (...args: readonly string[]): Promise<number> =>
        (await onBoth(...args, '--json')).stdout.split('\n').length - 1;
      return {
        failures: influxdb.length,
        events: await ofCommand('events', '--user', ME, '--topic', 'state'),
        waits: await ofCommand('report', 'waits', '--each', ...range),
      };
    };
    const countWaits = async (): Promise<number> =>
      (await onBoth('report', 'waits', '--json', ...range)).stdout.split('\n').length - 1;
    expect(await readLists()).toEqual({ failures: 1, events: 2, waits: 1 });
    expect((await onBoth('delete', 'failed', '--yes')).code).toBe(0);
    expect(await readLists()).toEqual({ failures: 0, events: 0, waits: 0 });
    expect(await countWaits()).toBe(1);
  });

  it('is completed by bash, as are subcommands and options', async () => {
    const complete = async (...words: readonly string[]): Promise<readonly string[]> => {
      const script = `joblens() { ${BINARY} "$@"; }; source <(joblens completion bash)
        COMP_WORDS=(joblens "$@"); COMP_CWORD=$#; COMP_LINE="\${COMP_WORDS[*]}"; COMP_POINT=\${#COMP_LINE}; _joblens; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout } = await run('bash', ['-c', script, 'bash', ...words], pair.influxdb.url);
      return stdout.trim().split('\n');
    };
    expect(await complete('me')).toEqual(['metadata']);
    expect(await complete('log', '--s')).toEqual(['--stderr', '--since']);
    expect(await complete('log', '')).toEqual(['mine-2']);
    expect(await complete('log', '--user', 'bob', 'x')).toEqual(['']);
    expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await complete('report', 'u')).toEqual(['utilization', 'usage']);
    expect(await complete('report', 'job', '')).toEqual(['mine-2']);
    expect(await complete('report', 'usage', '')).toEqual(['']);
    expect(await complete('export', 'mine-2', '--format', '')).toEqual(['jsonl', 'csv', 'parquet']);
    expect(await complete('events', '--order', 'n')).toEqual(['newest']);
  });

  it('is completed by what is stored: users, states, topics, and the keys of the job that is named', async () => {
    const complete = async (...words: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await onBoth('completion', 'words', '--', ...words);
      return stdout.split('\n').slice(0, -1);
    };
    const rows = [
      '{"train/loss": 1, "epoch": 1}',
      '{"lr (max)": 3e-4, "-x": 1}',
      '/LOGCOMMAND {"event":{"topic":"ckpt.1"}}',
    ];
    const print = ['sh', '-c', 'printf "%s\\n" "$@"', 'sh', ...rows];
    await pair.both((url) => joblens(['run', '--mode', 'enabled', '--job', 'keys-1 (a)', '--', ...print], url));
    expect(await complete('jobs', '--user', ME.slice(0, 1))).toEqual([ME]);
    expect(await complete('jobs', '--state', 'C')).toEqual(['COMPLETED']);
    expect(await complete('report', 'throughput', '--to-state', '')).toEqual(['COMPLETED']);
    expect(await complete('events', '--from-state', 'R')).toEqual(['RUNNING', 'REQUEUED']);
    expect(await complete('events', '--from-state=R')).toEqual(['--from-state=RUNNING', '--from-state=REQUEUED']);
    expect(await complete('jobs', `--user=${ME}`, '--state=C')).toEqual(['--state=COMPLETED']);
    expect(await complete('metadata', `--user=${ME}`, 'keys-1 (a)', '--table=lr')).toEqual(['--table=lr (max)']);
    expect(await complete('metadata', '--user=nobody', 'keys-1 (a)', '--table=lr')).toEqual([]);
    expect(await complete('events', '--to-state', 'P')).toEqual(['PENDING']);
    expect(await complete('events', '--topic', 'ck')).toEqual(['ckpt.1']);
    expect(await complete('events', '--job', 'keys')).toEqual(['keys-1 (a)']);
    expect(await complete('plot', 'keys-1 (a)', '')).toEqual(['train/loss', 'epoch', 'lr (max)', '-x']);
    expect(await complete('plot', 'keys-1 (a)', 'train/loss', 'l')).toEqual(['lr (max)']);
    expect(await complete('metadata', '--user', ME, 'keys-1 (a)', '--table', 'lr')).toEqual(['lr (max)']);
    expect(await complete('plot', 'keys-1 (a)', '--x', 'e')).toEqual(['epoch']);
    expect(await complete('plot', 'nobody', '')).toEqual([]);
    expect(await complete('events', '--scheduler-id', '')).toEqual([]);
  });
});
