import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Point } from '@joblens/core/point/point';
import { describeWith } from '../../../../test/components.js';
import { type Influxdb, querySeries, startInfluxdb } from '../../../../test/influxdb.js';
import { until } from '../../testing/joblens.js';
import { type Cluster, logOf, queryJob, queryLines, readPoints, startCluster } from './testing/cluster.js';

const JOB_SUBMIT = join(__dirname, '..', '..', '..', '..', 'slurm', 'job_submit.lua');
/** The line of docs/slurm.md, with options for the test in place of the user's environment. */
const LINE = (options: string): string =>
  `[ "\${JOBLENS_RUNS-}" = "$SLURM_JOB_ID" ] || JOBLENS_RUNS=$SLURM_JOB_ID exec joblens run ${options} -- "$0" "$@"`;

/** Tells of each signal that it gets, with who sent it, until SIGTERM. */
const SIGNAL_WATCHER = `import signal
watched = {signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2}
signal.pthread_sigmask(signal.SIG_BLOCK, watched)
print('ready', flush=True)
while True:
    got = signal.sigwaitinfo(watched)
    print(signal.Signals(got.si_signo).name, flush=True)
    if got.si_signo == signal.SIGTERM: break
`;

describeWith(['slurm', 'influxd', 'python'], "Slurm users' own ways", () => {
  let cluster: Cluster;
  let influxdb: Influxdb;
  beforeAll(async () => {
    [cluster, influxdb] = await Promise.all([startCluster({ jobSubmitLua: JOB_SUBMIT }), startInfluxdb()]);
  });
  afterAll(() => Promise.all([cluster.stop(), influxdb.stop()]));

  const stored = (name: string): Point[] => readPoints(cluster.read(name));
  const exitCodeOf = async (job: string): Promise<string | undefined> => {
    const { stdout } = await cluster.run('scontrol', ['show', 'job', '-o', job]);
    return /ExitCode=(\S+)/.exec(stdout)?.[1];
  };
  const scriptOf = async (job: string): Promise<string> =>
    (await cluster.run('scontrol', ['write', 'batch_script', job, '-'])).stdout;

  it('srun joblens run: the worst of the tasks decides how the job has ended', async () => {
    const options = `--mode enabled --url ${influxdb.url}`;
    const script = `#!/bin/bash\nsrun --ntasks=4 joblens run ${options} -- bash -c 'exit $SLURM_PROCID'\n`;
    const environment = { HOME: cluster.folder };
    const job = await cluster.submit(script, ['--ntasks=4'], { environment });
    expect(await cluster.untilEnded(job)).toBe('FAILED');
    const [newest] = await querySeries(
      influxdb.url,
      `SELECT last("state"), "exit_code" FROM "job" WHERE "job" = '${job}'`
    );
    const [, state, exitCode] = newest?.values[0] ?? [];
    expect(state).toBe('FAILED');
    expect(exitCode).toBeGreaterThan(0);
    expect((await queryJob(influxdb.url, job))['ended']).toBeGreaterThan(0);
    const [largest] = await querySeries(influxdb.url, `SELECT max("exit_code") FROM "job" WHERE "job" = '${job}'`);
    expect(largest?.values[0]?.[1]).toBe(3);
  });

  it.each([
    ['a script', 1, (run: string) => `bash -c 'srun --ntasks=2 ${run} echo done; :'`],
    ['srun', 1, (run: string) => `srun --ntasks=2 ${run} echo done`],
    ['another command', 0, (run: string) => `sleep 5 & srun --ntasks=2 ${run} echo done; wait`],
  ])(
    'joblens run of %s, and srun joblens run: it says %i times that lines are logged twice',
    async (_what, times, commands) => {
      const run = 'joblens run --mode enabled --out both.lp --';
      const job = await cluster.submit(`#!/bin/bash\n${run} ${commands(run)}\n`, ['--ntasks=2', '--output=said-%j']);
      expect(await cluster.untilEnded(job)).toBe('COMPLETED');
      expect(cluster.read(`said-${job}`).match(/logged twice/g) ?? []).toHaveLength(times);
    }
  );

  it('joblens run --metrics: the job has its rows, and what it printed', async () => {
    // The command is stored, too, and must not be what is found.
    const untilMeasured = 'until grep -qs "[.]age_s=" used.lp; do sleep 0.1; done; echo done';
    const run = `joblens run --mode enabled --metrics --out used.lp -- sh -c '${untilMeasured}'`;
    const job = await cluster.submit(`#!/bin/bash\n${run}\n`, []);
    expect(await cluster.untilEnded(job)).toBe('COMPLETED');
    expect(logOf(stored('used.lp'), job)).toEqual(['done']);
    const rows = stored('used.lp').filter(({ fields }) => fields.has('system.age_s'));
    expect(rows[0]?.tags.get('job')).toBe(job);
    expect(rows[0]?.fields.get('system.memory_bytes')).toBeGreaterThan(0);
  });

  it('srun joblens run: each task logs for itself, and the job is described once', async () => {
    const command =
      'joblens run --mode enabled --out task-$SLURM_PROCID.lp -- sh -c "echo from \\$SLURM_PROCID; exit 3"';
    const script = `#!/bin/bash\nsrun --ntasks=2 sh -c 'exec ${command}'\n`;
    const job = await cluster.submit(script, ['--ntasks=2', '--job-name=two']);
    expect(await cluster.untilEnded(job)).toBe('FAILED');
    expect(await exitCodeOf(job)).toBe('3:0');
    expect(logOf(stored('task-0.lp'), job)).toEqual(['from 0']);
    expect(logOf(stored('task-1.lp'), job)).toEqual(['from 1']);
    const lines = stored('task-1.lp').filter(({ measurement }) => measurement === 'job_log');
    expect(lines[0]?.tags.get('task')).toBe('1');
    const described = [...stored('task-0.lp'), ...stored('task-1.lp')].filter(
      ({ measurement }) => measurement === 'job'
    );
    // Both tasks tell of their failure, in the end as one point or two.
    expect(described.map(({ fields }) => fields.get('state'))).toEqual(['RUNNING', 'FAILED', 'FAILED']);
    expect(described.map(({ fields }) => fields.get('name'))).toEqual(['two', undefined, undefined]);
    expect(described.map(({ fields }) => fields.get('requested_cpus'))).toEqual([2, undefined, undefined]);
    expect(described.map(({ fields }) => fields.has('ended'))).toEqual([false, true, false]);
  });

  it('sbatch --array with joblens run: a sweep whose tasks are runs of one experiment, grouped by what they tried', async () => {
    const options = `--mode enabled --url ${influxdb.url} --experiment "sweep (a-1)" --group "lr $lr"`;
    const script = `#!/bin/bash
lr=$((1 + SLURM_ARRAY_TASK_ID / 2))
config="{\\"lr\\": $lr, \\"seed\\": $((SLURM_ARRAY_TASK_ID % 2))}"
joblens run ${options} -- printf '%s\\n' "/LOGCOMMAND {\\"config\\": $config}" "{\\"step\\": 1, \\"loss\\": $SLURM_ARRAY_TASK_ID}"
`;
    const args = ['--array=0-3', '--job-name=it is.a-(sweep)'];
    const array = await cluster.submit(script, args, { environment: { HOME: cluster.folder } });
    const tasks = [0, 1, 2, 3].map((task) => `${array}_${task}`);
    for (const task of tasks) expect(await cluster.untilEnded(task)).toBe('COMPLETED');
    const environment = { HOME: cluster.folder };
    const compare = async (...more: readonly string[]): Promise<ReadonlyArray<Record<string, unknown>>> => {
      const wanted = ['--url', influxdb.url, '--tag', 'experiment=sweep (a-1)', '--key', 'loss', ...more, '--json'];
      const { stdout } = await cluster.run('joblens', ['compare', ...wanted], { environment });
      return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
    };
    const runs = await compare('--key', 'lr', '--key', 'tag.group', '--key', 'name');
    const byJob = runs.toSorted((a, b) => (String(a['job']) < String(b['job']) ? -1 : 1));
    expect(byJob.map(({ job, name, loss, ...run }) => [job, name, run['config.lr'], run['tag.group'], loss])).toEqual(
      tasks.map((task, at) => [task, 'it is.a-(sweep)', 1 + Math.floor(at / 2), `lr ${1 + Math.floor(at / 2)}`, at])
    );
    expect(await compare('--by', 'group')).toMatchObject([
      { 'tag.group': 'lr 1', jobs: 2, loss: 0.5 },
      { 'tag.group': 'lr 2', jobs: 2, loss: 2.5 },
    ]);
  });

  it('the line in a batch script: all output to its last byte, arguments, exit code and output file', async () => {
    const script = `#!/bin/bash -e
#SBATCH --output=line.out
${LINE('--mode enabled --out line.lp')}
for i in $(seq 2000); do echo "line $i"; done
echo "$1/$2" >&2
printf 'no end'
exit 5
`;
    writeFileSync(join(cluster.folder, 'line.sh'), script);
    const job = await cluster.submit('', ['line.sh', 'a b', 'c']);
    expect(await cluster.untilEnded(job)).toBe('FAILED');
    expect(await exitCodeOf(job)).toBe('5:0');
    // Both streams go to one file, so that they are one, in the order of that file.
    const printed = [...Array.from({ length: 2000 }, (_, i) => `line ${i + 1}`), 'a b/c', 'no end'];
    expect(logOf(stored('line.lp'), job)).toEqual(printed);
    expect(cluster.read('line.out').replace(/^joblens: .*\n/, '')).toBe(printed.join('\n'));
  });

  it('a signal of Slurm reaches the command as often as it was sent', async () => {
    const options = '--mode enabled --out signals.lp';
    const script = `#!/bin/bash\nexec joblens run ${options} -- python3 -c "$WATCHER"\n`;
    const environment = { WATCHER: SIGNAL_WATCHER };
    const job = await cluster.submit(script, ['--output=signals.out'], { environment });
    await until(() => cluster.read('signals.out').includes('ready'));
    const gotSignals = (): string[] => cluster.read('signals.out').match(/^SIG.*/gm) ?? [];
    // To the script alone, to the script and all of its children, and the end of the job.
    const sent = [['--batch', '--signal=USR1'], ['--full', '--signal=USR2'], []];
    for (const [i, args] of sent.entries()) {
      await cluster.run('scancel', [...args, job]);
      await until(() => gotSignals().length > i);
    }
    expect(await cluster.untilEnded(job)).toBe('CANCELLED');
    const signals = ['SIGUSR1', 'SIGUSR2', 'SIGTERM'];
    expect(gotSignals()).toEqual(signals);
    expect(logOf(stored('signals.lp'), job)).toEqual(expect.arrayContaining(['ready', ...signals]));
  });

  describe('job_submit.lua', () => {
    const WRAPPED = /\|\| JOBLENS_RUNS=\$SLURM_JOB_ID exec joblens run(.*) -- "\$0" "\$@" # joblens\n/;
    const HEAD = '#!/bin/bash\n#SBATCH --time=5\n\n  # why\n';

    it.each([
      ['a bash script', 'joblens', HEAD, ''],
      ['with a mode of its own', 'x, joblens=metadata', HEAD, ' --mode metadata'],
      ['sh with options', 'joblens', '#!/bin/sh -e\n', ''],
      ['bash by env', 'joblens', '#!/usr/bin/env bash\n', ''],
    ])('wraps %s', async (_name, comment, head, options) => {
      const job = await cluster.submit(`${head}echo a\n`, ['--hold', `--comment=${comment}`]);
      const script = await scriptOf(job);
      expect(WRAPPED.exec(script)?.[1]).toBe(options);
      expect(script.replace(/^\[ .*\n/m, '')).toBe(`${head}echo a\n`);
      expect(script.indexOf('[ "${JOBLENS')).toBe(head.length);
    });

    it.each([
      ['who does not ask', [], '#!/bin/bash\necho a\n', {}],
      ['whose comment only looks like it', ['--comment=joblensed'], '#!/bin/bash\necho a\n', {}],
      ['who turns it off', [], '#!/bin/bash\necho a\n', { JOBLENS_WRAP: '0' }],
      ['of another interpreter', ['--comment=joblens'], '#!/usr/bin/python3\nprint(1)\n', {}],
      ['without a command', ['--comment=joblens'], '#!/bin/bash\n# nothing\n', {}],
    ])('leaves alone the script of those %s', async (_name, args, script, environment) => {
      const job = await cluster.submit(script, ['--hold', ...args], { environment });
      expect(await scriptOf(job)).toBe(script);
    });

    it.each([
      ['joblens', '#!/usr/bin/python3\nprint(1)\n', 'only bash and sh scripts are wrapped'],
      ['joblens=all', '#!/bin/bash\necho\n', 'the mode must be enabled, metadata or disabled'],
    ])('tells the user why a script with --comment=%s is left alone', async (comment, input, message) => {
      const { stderr } = await cluster.run('sbatch', ['--hold', `--comment=${comment}`], { input });
      expect(stderr).toContain(`joblens: this job is not logged: `);
      expect(stderr).toContain(message);
    });

    it('wraps all scripts where the admin wants it, and tells nothing to who did not ask', async () => {
      const source = readFileSync(JOB_SUBMIT, 'utf8');
      const installed = join(dirname(cluster.environment['SLURM_CONF']), 'job_submit.lua');
      // slurmctld reads it again when it has changed.
      const install = (text: string): void => {
        writeFileSync(installed, text);
        utimesSync(installed, new Date(), new Date(Date.now() + 5000));
      };
      try {
        install(source.replace('WRAP_ALL = false', 'WRAP_ALL = true'));
        for (const [args, options] of [
          [[], ' --quiet'],
          [['--comment=joblens'], ''],
        ] as const) {
          const job = await cluster.submit('#!/bin/sh\necho a\n', ['--hold', ...args]);
          expect(WRAPPED.exec(await scriptOf(job))?.[1]).toBe(options);
        }
        const { stderr } = await cluster.run('sbatch', ['--hold'], { input: '#!/usr/bin/python3\nprint(1)\n' });
        expect(stderr).toBe('');
      } finally {
        install(source);
      }
    });

    it('logs what the script prints into a real InfluxDB, once, and keeps exit code and output file', async () => {
      // JOBLENS_RUNS: as a job has it that was submitted by a wrapped job.
      const environment = { HOME: cluster.folder, INFLUX_HOST: influxdb.url, JOBLENS_WRAP: '1', JOBLENS_RUNS: '1' };
      writeFileSync(join(cluster.folder, '.logoptin'), '');
      const script = '#!/bin/sh\necho "runs in $JOBLENS_RUNS"; exit 4\n';
      const job = await cluster.submit(script, ['--output=wrapped.out'], { environment });
      expect(await cluster.untilEnded(job)).toBe('FAILED');
      expect(await exitCodeOf(job)).toBe('4:0');
      expect(cluster.read('wrapped.out')).toContain(`runs in ${job}\n`);
      expect(await queryLines(influxdb.url, job)).toEqual([`runs in ${job}`]);
    });

    it("says once that a step's joblens run within a wrapped script logs lines twice", async () => {
      const environment = { HOME: cluster.folder, INFLUX_HOST: influxdb.url, JOBLENS_WRAP: '1' };
      writeFileSync(join(cluster.folder, '.logoptin'), '');
      const script = `#!/bin/sh\necho before\nsrun --ntasks=2 joblens run -- sh -c 'echo "task ($SLURM_PROCID)"'\n`;
      const job = await cluster.submit(script, ['--ntasks=2', '--output=both.out'], { environment });
      expect(await cluster.untilEnded(job)).toBe('COMPLETED');
      const said = `the batch script of job ${job} runs under joblens, too`;
      expect(cluster.read('both.out').split(said)).toHaveLength(2);
      const lines = await queryLines(influxdb.url, job);
      expect(lines.filter((line) => line === 'before')).toHaveLength(1);
      for (const line of ['task (0)', 'task (1)']) expect(lines.filter((each) => each === line)).toHaveLength(2);
    });

    it('runs the script as it is on a node without joblens', async () => {
      const environment = { PATH: '/usr/bin:/bin' };
      const job = await cluster.submit('#!/bin/sh\necho plain\n', ['--comment=joblens', '--output=plain.out'], {
        environment,
      });
      expect(await cluster.untilEnded(job)).toBe('COMPLETED');
      expect(cluster.read('plain.out')).toBe('plain\n');
    });
  });
});
