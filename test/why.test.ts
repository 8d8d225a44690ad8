import { formatManifest } from '@joblens/core/experiment/manifest';
import type { Point } from '@joblens/core/point/point';
import { createJobPoint } from '@joblens/core/schema/job-point';
import { createTextPoints } from '@joblens/core/schema/text-point';
import { createTransitionPoint } from '@joblens/core/schema/transition-point';
import { describeWith } from './components.js';
import { type Pair, startFilledPair, startPair } from './conformance/targets.js';
import { createInfluxqlClient } from './influxql-client.js';
import { type Ended, joblens } from './joblens-command.js';

const USER = 'ann';
const NAME = 'train (a-1)';
const DEATH = [
  '[rank0]:[E ProcessGroupNCCL.cpp:632] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9)',
  '[rank5]: Traceback (most recent call last):',
  '[rank5]:   File "/home/ann/train.py", line 17, in <module>',
  "[rank5]: KeyError: 'label'",
];

interface Run {
  readonly job: string;
  readonly options: readonly string[];
  readonly lr: number;
  readonly lines?: readonly string[];
  readonly exitCode?: number;
}

const NAMED = ['--name', NAME];
/** A configuration of more keys than are shown. */
const settings = (value: number): string =>
  `/LOGCOMMAND {"config": {${['a', 'b.c', 'd', 'e', 'f', 'g h'].map((key) => `"${key}": ${value}`).join(', ')}}}`;
const LABELLED = ['--tag', 'experiment=sweep "(1)"'];
/** In the order in which they run. */
const RUNS: readonly Run[] = [
  { job: 'good-(1)', options: NAMED, lr: 0.1 },
  { job: 'good 2', options: NAMED, lr: 0.1 },
  { job: 'bad-(3)', options: NAMED, lr: 10, lines: DEATH, exitCode: 1 },
  { job: 'bad 4', options: NAMED, lr: 10, lines: ['stopped'], exitCode: 3 },
  { job: 'of-sweep', options: ['--name', 'a', ...LABELLED], lr: 0.1 },
  { job: 'of-sweep-2', options: ['--name', 'b', ...LABELLED], lr: 0.2, exitCode: 1 },
  { job: 'alone.1', options: ['--name', 'nothing like it'], lr: 1, exitCode: 1 },
  { job: "many 'ok'", options: ['--name', 'm'], lr: 0.1, lines: [settings(1)] },
  { job: 'many.2', options: ['--name', 'm'], lr: 1, lines: [settings(2)], exitCode: 1 },
];

describeWith(['influxd'], 'joblens why', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
    await pair.both((url) => createInfluxqlClient(url).post('CREATE DATABASE "joblens"'));
    for (const { url } of [pair.influxdb, pair.embedded]) {
      for (const { job, options, lr, lines = ['done'], exitCode = 0 } of RUNS) {
        const script = 'code=$1; shift; printf "%s\\n" "$@"; exit "$code"';
        const printed = [`/LOGCOMMAND {"config": {"optimizer": {"lr": ${lr}}}}`, ...lines];
        const command = ['sh', '-c', script, 'sh', String(exitCode), ...printed];
        const args = ['run', '--mode', 'enabled', '--job', job, '--user', USER, ...options, '--', ...command];
        expect(await joblens(args, url)).toMatchObject({ code: exitCode });
      }
    }
  });
  afterAll(() => pair.stop());

  /** What both stores answer, which is one answer. */
  async function ask(...args: readonly string[]): Promise<Ended> {
    const [first, second] = [await joblens(args, pair.influxdb.url), await joblens(args, pair.embedded.url)];
    expect(second).toEqual(first);
    return first;
  }

  async function explain(job: string): Promise<unknown> {
    const { stdout, code } = await ask('why', job, '--json');
    expect(code).toBe(0);
    return JSON.parse(stdout) as unknown;
  }

  it('says why, who failed first, and what differs from those of its name that went well', async () => {
    expect(await explain('bad-(3)')).toMatchObject({
      ...{ state: 'FAILED', exitCode: 1, reason: "exit code 1: KeyError: 'label' (train.py:17)" },
      firstFailure: { process: { rank: 5 }, place: 'train.py:17', followed: '1 NCCL timeout' },
      against: { by: 'name', label: NAME, jobs: ['good 2', 'good-(1)'] },
    });
    const { stdout } = await ask('why', 'bad-(3)');
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(12);
    expect(lines.slice(1)).toEqual([
      "Reason    exit code 1: KeyError: 'label' (train.py:17)",
      "First     rank 5 failed first: KeyError: 'label' (train.py:17); then 1 NCCL",
      '          timeout',
      'Against   good 2, good-(1): the last 2 of name train (a-1) that went well before',
      '          it',
      'Differs   config.optimizer.lr: 0.1 → 10',
      expect.stringMatching(/^ {10}command: … sh 0 .*"lr": 0\.1/) as unknown,
    ]);
  });

  it('does not count what failed as good, and takes those of the experiment where no name helps', async () => {
    expect(await explain('bad 4')).toMatchObject({ against: { jobs: ['good 2', 'good-(1)'] }, lastLine: 'stopped' });
    expect(await explain('of-sweep-2')).toMatchObject({
      against: { by: 'experiment', label: 'sweep "(1)"', jobs: ['of-sweep'] },
      differences: [{ name: 'config.optimizer.lr', text: '0.1 → 0.2' }, { name: 'command' }],
    });
  });

  it('says in words where there is nothing to compare with, and where nothing failed', async () => {
    expect((await ask('why', 'alone.1')).stdout).toContain(
      'Against   no job of ann named nothing like it went well before it\n'
    );
    expect((await ask('why', 'good 2')).stdout).toContain('Against   it did not fail\n');
  });

  it('names the command that shows all that differs, for the user that was named', async () => {
    const command = String.raw`joblens diff 'many '\''ok'\''' many.2`;
    expect((await ask('why', 'many.2')).stdout).toMatch(/ more: .* many\.2$/m);
    expect((await ask('why', 'many.2', '--user', USER)).stdout).toContain(`: ${command} --user ann\n`);
  });

  it('refuses wrong options, and says which job is not there', async () => {
    expect(await ask('why')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("missing required argument 'job'") as unknown,
    });
    expect(await ask('why', 'a', '--csv')).toMatchObject({ code: 2 });
    expect(await ask('why', 'nobody')).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringContaining('no job nobody is stored there') as unknown,
    });
  });
});

const START_MS = 1_700_000_000_000;

interface Kept {
  readonly job: string;
  readonly state: string;
  readonly atMin: number;
  readonly commit: string;
  readonly packages: readonly string[];
}

/** A job that kept what it was. */
function createKept({ job, state, atMin, commit, packages }: Kept): Point[] {
  const source = { job, user: USER };
  const endedMs = START_MS + 60_000 * atMin;
  const endNs = BigInt(endedMs) * 1_000_000n;
  const manifest = formatManifest({
    ...{ command: { interpreter: 'Python 3.12.1' }, git: { commit: commit.repeat(40), branch: 'main' } },
    packages: { count: packages.length, sha256: job.repeat(8) },
    texts: { packages: { sha256: job.repeat(8), lines: packages.length } },
  });
  const whole = { state, name: NAME, manifest, startedMs: endedMs - 30_000, endedMs, host: `n-${atMin}` };
  return [
    createJobPoint(source, whole, endNs),
    createTransitionPoint(source, { origin: 'job', fromState: 'RUNNING', toState: state, name: NAME }, endNs),
    ...packages.flatMap((line, at) => createTextPoints(source, 'packages', line, endNs + BigInt(1000 * at))),
  ];
}

describeWith(['influxd'], 'joblens why of jobs that kept what they were', () => {
  let pair: Pair;
  beforeAll(async () => {
    const good = { state: 'COMPLETED', packages: ['numpy==1.23.5', 'torch==2.3.0'] };
    pair = await startFilledPair(
      [
        { job: 'k-(1)', atMin: 1, commit: 'a', ...good },
        { job: 'k 2', atMin: 2, commit: 'a', ...good },
        { job: 'k.3', atMin: 3, commit: 'b', state: 'FAILED', packages: ['numpy==1.24.0', 'torch==2.3.0'] },
      ].flatMap(createKept)
    );
  });
  afterAll(() => pair.stop());

  it('names the commit, the packages, and the nodes', async () => {
    const ended = await pair.both((url) => joblens(['why', 'k.3'], url));
    expect(ended.embedded).toEqual(ended.influxdb);
    expect(ended.influxdb.stdout.split('\n').slice(1)).toEqual([
      'Against   k 2, k-(1): the last 2 of name train (a-1) that went well before it',
      'Differs   code: commit aaaaaaaaaaaa → bbbbbbbbbbbb',
      '          packages: numpy 1.23.5 → 1.24.0',
      '          host: n-2 → n-3',
      'Where     it ran on n-3; the last 2 that went well ran elsewhere: n-2, n-1',
      '',
    ]);
  });
});
