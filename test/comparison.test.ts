import { stripVTControlCharacters } from 'node:util';
import { describeWith } from './components.js';
import { type Pair, startPair } from './conformance/targets.js';
import { createInfluxqlClient } from './influxql-client.js';
import { type Ended, joblens, onTerminal } from './joblens-command.js';

const USER = 'ann';
const EXPERIMENT = ['--tag', 'experiment=sweep (a-1)'];
const RUN_OF_EXPERIMENT = ['--experiment', 'sweep (a-1)', '--note', "it's one"];

interface Run {
  readonly job: string;
  readonly config: string;
  readonly tags?: readonly string[];
  readonly rows: readonly string[];
}

/** Two learning rates with two seeds each, and one that is not of the experiment. */
const RUNS: readonly Run[] = [
  {
    job: 'a-(1)',
    config: '{"optimizer": {"lr": 0.1}, "seed": 1, "layers": [64, 64], "name": "base"}',
    rows: ['{"epoch": 1, "loss": 0.9, "acc": 0.5}', '{"epoch": 2, "loss": 0.5, "acc": 0.7}'],
  },
  {
    job: "it's.b",
    config: '{"optimizer": {"lr": 0.1}, "seed": 2, "layers": [64, 64], "name": "base"}',
    rows: ['{"epoch": 1, "loss": 0.4, "acc": 0.6}', '{"epoch": 2, "loss": 0.7, "acc": 0.8}'],
  },
  {
    job: 'c 3',
    config: '{"optimizer": {"lr": 0.01}, "seed": 1, "layers": [64, 32], "name": "base"}',
    rows: ['{"epoch": 1, "loss": 0.25, "acc": 0.9}'],
  },
  { job: 'other', config: '{"optimizer": {"lr": 0.1}}', tags: [], rows: ['{"step": 1}'] },
];

describeWith(['influxd'], 'joblens compare and joblens diff', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
    await pair.both((url) => createInfluxqlClient(url).post('CREATE DATABASE "joblens"'));
    for (const { url } of [pair.influxdb, pair.embedded]) {
      for (const { job, config, tags = RUN_OF_EXPERIMENT, rows } of RUNS) {
        const printed = [`/LOGCOMMAND {"config": ${config}}`, ...rows].map(
          (row) => `'${row.replaceAll("'", "'\\''")}'`
        );
        const command = ['sh', '-c', `printf '%s\\n' ${printed.join(' ')}`];
        const options = ['--mode', 'enabled', '--job', job, '--user', USER, ...tags];
        expect((await joblens(['run', ...options, '--', ...command], url)).stderr).toContain('logging job');
      }
    }
  });
  afterAll(() => pair.stop());

  /** What both stores answer, which is one answer. */
  async function ask(...args: readonly string[]): Promise<Ended> {
    const [first, second] = [await joblens(args, pair.influxdb.url), await joblens(args, pair.embedded.url)];
    expect({ code: second.code, stderr: second.stderr }).toEqual({ code: first.code, stderr: first.stderr });
    return first;
  }

  const parse = (text: string): Record<string, unknown>[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  async function diff(...args: readonly string[]): Promise<ReadonlyMap<unknown, readonly unknown[]>> {
    const { stdout, code } = await ask('diff', ...args, '--json');
    expect(code).toBe(1);
    const jobs = args.filter((arg) => RUNS.some(({ job }) => job === arg));
    return new Map(parse(stdout).map((row) => [row['what'], jobs.map((job) => row[job])]));
  }

  it('shows what differs alone: configuration first, then numbers', async () => {
    const different = await diff('a-(1)', 'c 3', '--only', 'config', '--only', 'result');
    expect([...different]).toEqual([
      ['config.optimizer.lr', [0.1, 0.01]],
      ['config.layers', ['[64,64]', '[64,32]']],
      ['epoch', [2, 1]],
      ['loss', [0.5, 0.25]],
      ['acc', [0.7, 0.9]],
    ]);
  });

  it('shows the lowest and highest numbers, what one job lacks, and on request what is equal', async () => {
    expect((await diff('a-(1)', "it's.b", '--only', 'result', '--stat', 'min')).get('loss')).toEqual([0.5, 0.4]);
    const lacking = await diff('a-(1)', 'other');
    expect(lacking.get('tag.experiment')).toEqual(['sweep (a-1)', undefined]);
    expect(lacking.get('step')).toEqual([undefined, 1]);
    expect(lacking.has('config.optimizer.lr')).toBe(false);
    expect((await diff('a-(1)', 'other', '--all')).get('config.optimizer.lr')).toEqual([0.1, 0.1]);
  });

  it('names the users in a head where the jobs of two have one id, also in a file', async () => {
    const twin = 'twin "(x)" y';
    for (const { url } of [pair.influxdb, pair.embedded]) {
      for (const user of ['ann', "bob's"]) {
        const options = ['--mode', 'enabled', '--job', twin, '--user', user];
        await joblens(['run', ...options, '--', 'sh', '-c', `exit ${user.length}`], url);
      }
    }
    const { stdout } = await ask('diff', twin, twin, '--only', 'outcome');
    const [head = [], ...lines] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(new Set(head.slice(1))).toEqual(new Set([`${twin} (ann)`, `${twin} (bob's)`]));
    const codes = lines.find(([what]) => what === 'exit_code') ?? [];
    expect(codes[head.indexOf(`${twin} (ann)`)]).toBe('3');
    expect(codes[head.indexOf(`${twin} (bob's)`)]).toBe('5');
  });

  it('compares the jobs of the users that are named with them, and no others of the same ids', async () => {
    const [twins, odd] = [['twin.1-a (b)', `'q" %20`], 'x of user ann'] as const;
    for (const { url } of [pair.influxdb, pair.embedded]) {
      for (const [user, jobs] of [
        ['ann', twins],
        ['bob (x)', twins],
        ['zoe', [odd]],
      ] as const) {
        for (const job of jobs) {
          const options = ['--mode', 'enabled', '--job', job, '--user', user];
          await joblens(['run', ...options, '--', 'sh', '-c', `exit ${user.length}`], url);
        }
      }
    }
    const [first, second] = twins;
    const wanted = [`${first} of user ann`, `${second} of user bob (x)`] as const;
    const compared = parse((await ask('compare', ...wanted, '--json')).stdout);
    expect(compared.map(({ job, user }) => [job, user])).toEqual([
      [first, 'ann'],
      [second, 'bob (x)'],
    ]);
    const differences = parse((await ask('diff', ...wanted, '--only', 'outcome', '--json')).stdout);
    expect(differences).toContainEqual(expect.objectContaining({ what: 'exit_code', [first]: 3, [second]: 7 }));
    expect((await ask('compare', `${first} of user zoe`)).stderr).toContain(`no job ${first} of user zoe is stored`);
    // Without a user, as ever; and an id may end so itself.
    expect(parse((await ask('compare', ...twins, odd, '--json')).stdout)).toHaveLength(5);
  });

  it('exits with 0 where nothing differs, and with 2 where a job is not there', async () => {
    const same = await ask('diff', 'a-(1)', "it's.b", '--only', 'tag');
    expect(same).toMatchObject({ code: 0, stdout: '', stderr: 'joblens: nothing differs\n' });
    const unknown = await ask('diff', 'a-(1)', 'nobody');
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('no job nobody is stored there');
    expect((await ask('diff', 'a-(1)')).stderr).toBe("joblens: missing required argument 'other'\n");
    expect((await ask('diff', 'a-(1)', 'a-(1)')).stderr).toContain('these are one job');
  });

  it('finds the jobs of an experiment by its tag, and shows what they were given and what came of it', async () => {
    const { stdout } = await ask('compare', ...EXPERIMENT, '--json');
    const rows = parse(stdout).map(({ took_s: _, ...row }) => row);
    const common = { user: USER, state: 'COMPLETED' };
    expect(rows).toEqual([
      {
        job: 'a-(1)',
        ...common,
        'config.optimizer.lr': 0.1,
        'config.seed': 1,
        'config.layers': '[64,64]',
        epoch: 2,
        loss: 0.5,
        acc: 0.7,
      },
      {
        job: "it's.b",
        ...common,
        'config.optimizer.lr': 0.1,
        'config.seed': 2,
        'config.layers': '[64,64]',
        epoch: 2,
        loss: 0.7,
        acc: 0.8,
      },
      {
        job: 'c 3',
        ...common,
        'config.optimizer.lr': 0.01,
        'config.seed': 1,
        'config.layers': '[64,32]',
        epoch: 1,
        loss: 0.25,
        acc: 0.9,
      },
    ]);
  });

  it('lists the jobs of an experiment with note, tags and configuration', async () => {
    const { stdout } = await ask('jobs', ...EXPERIMENT, '--json');
    const rows = parse(stdout).map(({ job, note, tags, config }) => ({ job, note, tags, config }));
    const config = RUNS.find(({ job }) => job === 'c 3')?.config ?? '';
    expect(rows).toContainEqual({
      ...{ job: 'c 3', note: "it's one", tags: { experiment: 'sweep (a-1)' } },
      config: JSON.parse(config) as unknown,
    });
    expect(rows).toHaveLength(3);
  });

  it('lists the jobs with values in their configurations', async () => {
    const list = async (...args: readonly string[]) => {
      const { stdout } = await ask('jobs', ...args, '--json');
      return new Set(parse(stdout).map(({ job }) => job));
    };
    expect(await list(...EXPERIMENT, '--config', 'lr=1e-1')).toEqual(new Set(['a-(1)', "it's.b"]));
    expect(await list('--config', 'optimizer.lr=0.1')).toEqual(new Set(['a-(1)', "it's.b", 'other']));
    expect(await list('--config', 'lr=0.1', '--config', 'seed=2')).toEqual(new Set(["it's.b"]));
    expect((await ask('jobs', '--config', 'lr')).code).toBe(2);
  });

  it('sorts by a key, and groups by one with mean and spread', async () => {
    const sorted = await ask('compare', ...EXPERIMENT, '--sort', 'loss', '--stat', 'min', '--key', 'loss', '--json');
    expect(parse(sorted.stdout).map(({ job, loss }) => [job, loss])).toEqual([
      ['c 3', 0.25],
      ["it's.b", 0.4],
      ['a-(1)', 0.5],
    ]);
    const grouped = await ask('compare', ...EXPERIMENT, '--by', 'optimizer.lr', '--key', 'acc', '--json');
    const [low, high] = parse(grouped.stdout);
    expect(low).toEqual({ 'config.optimizer.lr': 0.01, jobs: 1, acc: 0.9 });
    expect(high).toMatchObject({ 'config.optimizer.lr': 0.1, jobs: 2, acc: 0.75, acc_seeds: 2 });
    expect(high?.['acc_deviation']).toBeCloseTo(Math.SQRT1_2 / 10, 12);
    expect(high?.['acc_from_best']).toBeCloseTo(-0.15, 12);
    expect(grouped.stderr).toBe(
      'joblens: too few seeds to tell whether acc is higher with optimizer.lr=0.01 than with optimizer.lr=0.1: 1 and 2 seeds, and it takes 3 of each\n'
    );
  });

  it.each([
    ['mean', [0.7, 0.55, 0.25]],
    ['x-at-min', [2, 1, 1]],
    ['x-at-max', [1, 2, 1]],
  ])('shows of each key its %s', async (stat, losses) => {
    const { stdout } = await ask('compare', ...EXPERIMENT, '--stat', stat, '--key', 'loss', '--json');
    const found = parse(stdout).map(({ loss }) => loss as number);
    expect(found.map((loss) => Math.round(loss * 1e9) / 1e9)).toEqual(losses);
  });

  it('says which group is better by its seeds, and by how much', async () => {
    const jobs = [0.9, 0.8, 0.85, 0.2, 0.1, 0.16].map((loss, at) => ({ job: `s-${at} (x)`, loss, at }));
    for (const { url } of [pair.influxdb, pair.embedded]) {
      for (const { job, loss, at } of jobs) {
        const tags = ['--tag', 'sweep=two', '--tag', `seed=${at % 3}`, '--tag', `model=${at < 3 ? 'big one' : 'm.2'}`];
        const options = ['--mode', 'enabled', '--job', job, '--user', USER, ...tags];
        const command = ['sh', '-c', `echo '{"step": 1, "loss": ${loss}}'`];
        expect((await joblens(['run', ...options, '--', ...command], url)).code).toBe(0);
      }
    }
    const { stdout, stderr } = await ask('compare', '--tag', 'sweep=two', '--by', 'model', '--json');
    expect(stderr).toBe(
      'joblens: loss is lower with model=m.2 than with model=big one, by 0.69667 (95 % interval 0.68232 to 0.71101; 3 pairs of equal seeds; lower is taken for better)\n'
    );
    const [big] = parse(stdout);
    expect(big).toMatchObject({ 'tag.model': 'big one', loss_seeds: 3, loss_pairs: 3 });
    expect(big?.['loss_from_best']).toBeCloseTo(0.69667, 4);
    expect(big?.['loss_from_best_low']).toBeCloseTo(0.68232, 4);
  });

  it('prints Markdown for notes, with the verdict below its table', async () => {
    const compared = await ask('compare', ...EXPERIMENT, '--by', 'optimizer.lr', '--key', 'acc', '--markdown');
    expect(compared).toMatchObject({ code: 0, stderr: '' });
    const [head, line, low, , blank, verdict] = compared.stdout.split('\n');
    expect([head, line]).toEqual(['| config.optimizer.lr | jobs | acc |', '| --- | ---: | ---: |']);
    expect(low).toMatch(/^\| 0\.01 \| 1 \| 0\.9/);
    expect([blank, verdict]).toEqual(['', expect.stringMatching(/^too few seeds to tell whether acc is higher/)]);
    const differing = await ask('diff', 'a-(1)', "it's.b", '--only', 'config', '--markdown');
    expect(differing).toMatchObject({
      ...{ code: 1, stderr: '' },
      stdout: "| what | a-(1) | it's.b |\n| --- | --- | --- |\n| config.seed | 1 | 2 |\n",
    });
    for (const form of ['--json', '--csv']) {
      const several = { code: 2, stderr: 'joblens: give --markdown, --json or --csv, not several\n' };
      expect(await ask('compare', 'a-(1)', '--markdown', form)).toMatchObject(several);
      expect(await ask('diff', 'a-(1)', 'c 3', '--markdown', form)).toMatchObject(several);
    }
  });

  it('says what may be meant by a key that no job has, and that no job has a tag', async () => {
    const unknown = await ask('compare', 'a-(1)', '--sort', 'los');
    expect(unknown).toMatchObject({ code: 2, stderr: 'joblens: none of the jobs has los; did you mean loss?\n' });
    const none = await ask('compare', '--tag', 'experiment=none');
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toContain('no such job is stored');
  });

  it('prints a table on a terminal, with as many digits as tell values apart', async () => {
    const lines = await onTerminal(200, "compare 'a-(1)' 'c 3' --by optimizer.lr --key loss", pair.embedded.url);
    expect(lines.at(-1)).toContain('too few seeds to tell whether loss is lower with optimizer.lr=0.01 than');
    expect(lines.slice(0, -1).map((line) => stripVTControlCharacters(line).trim().split(/ {2,}/))).toEqual([
      ['config.optimizer.lr', 'JOBS', 'loss'],
      ['0.01', '1', '0.25'],
      ['0.1', '1', '0.5'],
    ]);
  });
});
