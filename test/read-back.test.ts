import { existsSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createJobPoint, type JobDescription } from '@joblens/core/schema/job-point';
import type { Point } from '@joblens/core/point/point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { type Ended, joblens, onTerminal } from './joblens-command.js';

const NOW_MS = Date.now();
const MINUTE_MS = 60_000;

/** A running job grows older between two questions. */
function withoutAge({ stdout, ...ended }: Ended): Ended {
  return { ...ended, stdout: stdout.replace(/(RUNNING.*?)\b[34]\d\d(\.\d+)?\b/g, '$1AGE') };
}

/** A job that lived from so many minutes ago on. */
function createJob(source: JobSource, agoMinutes: number, description: JobDescription): readonly Point[] {
  const startedMs = NOW_MS - agoMinutes * MINUTE_MS;
  const startNs = BigInt(startedMs) * 1_000_000n;
  const { state } = description;
  return [
    createJobPoint(source, { startedMs, ...description }, startNs),
    ...HEARTBEAT_GRIDS.map((grid) =>
      createHeartbeatPoint(source, grid, findSlotStartMs(startedMs, grid), { state, startedMs })
    ),
  ];
}

const POINTS: readonly Point[] = [
  createJob({ job: 'run-1', user: 'ann' }, 5, {
    ...{ state: 'RUNNING', name: '訓練 resnet', queue: 'gpu', nodes: 4, progress: 0.256 },
    tags: { project: 'climate', phase: 'a=b' },
  }),
  createJob({ job: '12', user: 'bob' }, 10, {
    ...{ state: 'FAILED', nodes: 2, exitCode: 3, reason: 'CUDA out of memory', command: 'python train.py' },
    config: '{"lr": 9007199254740993, "a-b (c)": [1e999]}',
    // As it was last estimated: of an ended job, nothing is left.
    remainingS: 13,
    endedMs: NOW_MS - 8 * MINUTE_MS,
  }),
  createJob({ job: '11', user: 'ann' }, 20, { state: 'COMPLETED', endedMs: NOW_MS - 19 * MINUTE_MS }),
  createJob({ job: '2', user: 'ann' }, 3 * 1440, { state: 'COMPLETED', endedMs: NOW_MS - 4300 * MINUTE_MS }),
].flat();

describe('joblens jobs', () => {
  it('says what is missing, or wrong', async () => {
    expect(await joblens(['jobs'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('set INFLUX_HOST') as unknown,
    });
    expect(await joblens(['jobs'], 'http://127.0.0.1:9')).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(
        /^joblens: cannot ask http:\/\/127\.0\.0\.1:9: .*; check INFLUX_HOST\n$/
      ) as unknown,
    });
    for (const [args, message] of [
      [['--after', 'soon'], '--after must be a time such as 2h'],
      [['7', '--after', '2h'], 'give jobs or a range of time, not both'],
      [['--json', '--csv'], 'give --json or --csv, not both'],
    ] as const) {
      expect(await joblens(['jobs', ...args], 'http://127.0.0.1:9')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(message) as unknown,
      });
    }
  });

  it('asks for raw texts only of CSV', async () => {
    for (const args of [
      ['jobs', '--raw'],
      ['events', '--json', '--raw'],
      ['export', '7', '--to', 'x.parquet', '--raw'],
    ]) {
      expect(await joblens(args, 'http://127.0.0.1:9')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--raw is for CSV') as unknown,
      });
    }
  });

  it.each([['jobs'], ['events'], ['story', 'key'], ['report', 'states']])(
    'refuses a range that ends before it begins: %s',
    async (...words) => {
      const range = ['--after', '2026-02-01', '--before', '2026-01-01'];
      expect(await joblens([...words, ...range], 'http://127.0.0.1:9')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--after is later than --before') as unknown,
      });
    }
  );
});

describeWith(['influxd'], 'reading back from InfluxDB and the embedded store', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(POINTS);
  });
  afterAll(async () => {
    await pair.stop();
  });

  /** Both stores give the same; what the command printed there. */
  async function onBoth(...args: readonly string[]): Promise<Ended> {
    const { influxdb, embedded } = await pair.both((url) => joblens(args, url));
    expect(withoutAge(embedded)).toEqual(withoutAge(influxdb));
    return influxdb;
  }

  async function listJobs(...args: readonly string[]): Promise<readonly string[]> {
    const { code, stdout, stderr } = await onBoth('jobs', '--json', ...args);
    expect([code, stderr]).toEqual([0, '']);
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as { job: string }).job));
  }

  it('lists the jobs of the last day, running ones first', async () => {
    const { code, stdout, stderr } = await onBoth('jobs');
    expect([code, stderr]).toEqual([0, '']);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(rows.map(([job, user, state, name, queue, nodes]) => [job, user, state, name, queue, nodes])).toEqual([
      ['run-1', 'ann', 'RUNNING', '訓練 resnet', 'gpu', '4'],
      ['12', 'bob', 'FAILED', '', '', '2'],
      ['11', 'ann', 'COMPLETED', '', '', ''],
    ]);
    expect(rows[1]?.slice(7)).toEqual(['120', '', 'CUDA out of memory']);
  });

  it.each([
    ['--user ann', ['run-1', '11']],
    ['--user ann --user bob --limit 2', ['run-1', '12']],
    ['--state failed --state Running', ['run-1', '12']],
    ['--tag project=climate --tag phase=a=b', ['run-1']],
    ['--text CUDA', ['12']],
    ['--text train.PY', ['12']],
    ['--after 12m', ['run-1', '12']],
    ['--after 4d', ['run-1', '12', '11', '2']],
    ['--after 4d --before 1d', ['2']],
    ['2 12', ['12', '2']],
  ])('lists those that are asked for: %s', async (args, jobs) => {
    expect(await listJobs(...args.split(' '))).toEqual(jobs);
  });

  it('says which state may be meant where no job is in the one that is asked for', async () => {
    const { code, stdout, stderr } = await onBoth('jobs', '--json', '--state', 'faild');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toBe('joblens: no job is in state FAILD, but in COMPLETED, FAILED, RUNNING; did you mean FAILED?\n');
  });

  it.each([
    ['a state that no job is in now', ['jobs', '--state', 'pendng'], 0, 'did you mean PENDING?'],
    ['a user', ['jobs', '--user', 'annn', '--after', '9d'], 0, 'user annn has no job there; did you mean ann?'],
    [
      'the user of a job',
      ['log', '12', '--user', 'rot'],
      1,
      'user is stored there, but one of bob; did you mean --user bob?',
    ],
    ['the user of a job of a report', ['report', 'job', 'run-1', '--user', "o'(x)"], 1, 'did you mean --user ann?'],
    ['a tag', ['jobs', '--tag', 'projct=climate'], 0, 'no job there has the tag projct; did you mean project?'],
    ['a tag that is far from all', ['jobs', '--tag', '-.(=1'], 0, 'no job there has the tag -.(, but project, phase'],
    ['the value of a tag', ['jobs', '--tag', 'project=climat'], 0, 'has project=climat; did you mean climate?'],
    [
      'one of two tags',
      ['jobs', '--tag', 'project=climate', '--tag', 'phase=c'],
      0,
      'no job there has phase=c, but a=b',
    ],
    [
      'a key of the configuration',
      ['jobs', '--config', 'lrr=1'],
      0,
      'no job there has lrr in its configuration; did you mean lr?',
    ],
    ['a value there', ['jobs', '--config', 'lr=3e-4', '--json'], 0, 'no job there has lr=3e-4, but 900'],
    ['a job', ['log', 'run-11'], 1, 'a week; did you mean run-1?'],
    ['a job that is not found', ['diff', '12', 'rnu-1'], 2, 'a week; did you mean run-1?'],
    ['a job in place of a file', ['suggest', 'Run-1'], 1, 'a week; did you mean run-1?'],
    ['a value of an option', ['log', '12', '--log-level', 'debgu'], 2, 'got "debgu"; did you mean debug?'],
    ['a format', ['export', '12', '--to', 'a (b).csvv'], 2, 'did you mean csv?'],
    ['a report', ['report', 'usge'], 2, 'did you mean usage?'],
    ['a shell', ['completion', 'zhs'], 2, 'did you mean zsh?'],
    ['what to set up', ['setup', 'slrum'], 2, 'did you mean slurm?'],
    ['what to unpack', ['unpack', 'compse', '/nowhere'], 2, 'did you mean compose?'],
    ['what to import', ['import', 'tensorbord', 'runs'], 2, 'did you mean tensorboard?'],
  ])('says which one may be meant for %s', async (_name, args, code, expected) => {
    const found = await onBoth(...args);
    expect([found.code, found.stderr]).toEqual([code, expect.stringContaining(expected)]);
  });

  it('counts jobs and nodes by state', async () => {
    const { stdout } = await onBoth('jobs', '--by-state', '--csv', '--after', '4d', '--limit', '1');
    expect(stdout).toBe('state,jobs,nodes\nRUNNING,1,4\nFAILED,1,2\nCOMPLETED,2,0\n');
  });

  it('gives JSON with all that is known', async () => {
    const { stdout } = await onBoth('jobs', '--json', '--state', 'FAILED');
    expect(stdout).toContain(',"config":{"lr": 9007199254740993, "a-b (c)": [1e999]}}');
    expect(JSON.parse(stdout)).toEqual({
      config: { lr: 9007199254740992, 'a-b (c)': [Infinity] },
      ...{ job: '12', user: 'bob', state: 'FAILED', nodes: 2, took_s: 120, exit_code: 3 },
      ...{ reason: 'CUDA out of memory', command: 'python train.py' },
      started: new Date(NOW_MS - 10 * MINUTE_MS).toISOString().replace(/\.?0*Z$/, 'Z'),
      ended: new Date(NOW_MS - 8 * MINUTE_MS).toISOString().replace(/\.?0*Z$/, 'Z'),
    });
  });

  it('gives the configuration of a job that is named, too', async () => {
    const { stdout } = await onBoth('jobs', '12', '--json');
    expect(stdout).toContain('"config":{"lr": 9007199254740993,');
  });

  it('says when a job is not there', async () => {
    expect(await onBoth('jobs', '12', '13')).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'joblens: no job 13 is stored there; joblens jobs --after 7d lists those of a week\n',
    });
  });

  const onScript = existsSync('/usr/bin/script') ? it : it.skip;
  onScript('fits the terminal, and says which range it is', async () => {
    const wide = await onTerminal(110, 'jobs', pair.influxdb.url);
    expect(wide.map((line) => stripVTControlCharacters(line))).toEqual([
      expect.stringMatching(/^JOB {4}USER {2}STATE {6}NAME {9}QUEUE {2}NODES {2}STARTED +TOOK {2}DONE {2}REASON$/),
      expect.stringMatching(
        /^run-1 {2}ann {3}RUNNING {4}訓練 resnet {2}gpu {8}4 {2}20\d\d-\d\d-\d\d \d\d:\d\d:\d\d {2}\d+m( \d+s)? +25 %$/
      ),
      expect.stringMatching(/^12 {5}bob {3}FAILED {29}2 {2}.{19} +2m {8}CUDA out of memory$/),
      expect.stringMatching(/^11 {5}ann {3}COMPLETED {29}.{19} +1m$/),
      'joblens: 3 jobs of the last 24 hours; give --after 7d, for example, to look further back',
    ]);
    const narrow = await onTerminal(60, 'jobs --after 1d', pair.embedded.url);
    for (const line of narrow) expect(stripVTControlCharacters(line).length).toBeLessThanOrEqual(60);
    expect(stripVTControlCharacters(narrow[0] ?? '')).toMatch(/^JOB {4}USER {2}STATE +NAME +STARTED +TOOK$/);
    expect(narrow[2]).toContain('\x1b[31mFAILED\x1b[0m');
    expect(narrow.at(-1)).toBe('joblens: 3 jobs of that range');
    const none = await onTerminal(80, 'jobs --user nobody', pair.embedded.url);
    expect(none).toEqual([
      'joblens: no such job lived in the last 24 hours; give --after 7d, for example, to look further back',
    ]);
  });
});
