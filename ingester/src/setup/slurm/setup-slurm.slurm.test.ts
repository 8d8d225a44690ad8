import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeWith } from '../../../../test/components.js';
import { type Cluster, startCluster } from '../../sources/slurm/testing/cluster.js';
import { until } from '../../testing/joblens.js';

const ROOT = join(__dirname, '..', '..', '..', '..');

describeWith(['slurm'], 'joblens setup slurm', () => {
  let cluster: Cluster;
  /** The folder of slurm.conf. */
  let conf: string;
  /** Where the site's file and units go. */
  let site: string;
  beforeAll(async () => {
    cluster = await startCluster({});
    conf = dirname(cluster.environment.SLURM_CONF);
    site = join(conf, "a site's (1) %j $HOME");
    mkdirSync(join(cluster.folder, 'share', 'joblens'), { recursive: true });
    symlinkSync(join(ROOT, 'slurm'), join(cluster.folder, 'share', 'joblens', 'slurm'));
    mkdirSync(join(conf, 'units'));
  });
  afterAll(() => cluster.stop());

  const command = (): string => join(cluster.folder, 'bin', 'joblens');
  async function setUp(args: readonly string[]): Promise<string> {
    const told = ['--hook-file', join(conf, "told (it's)", 'events')];
    const words = ['setup', 'slurm', ...args, '--units', join(conf, 'units'), '--to', site, ...told];
    const environment = { ...cluster.userEnvironment, HOME: cluster.folder };
    const { stdout, stderr } = await cluster.run(command(), words, { environment });
    expect(stderr).toBe('');
    return stdout;
  }
  /** One line of `joblens doctor --site`, without a store. */
  async function askDoctor(name: string): Promise<string> {
    const environment = {
      ...cluster.userEnvironment,
      HOME: cluster.folder,
      JOBLENS_SITE_FILE: join(site, 'joblens.yaml'),
    };
    const asked = cluster.run(command(), ['doctor', '--site'], { environment });
    const { stdout } = await asked.catch((error: unknown) => error as { stdout: string });
    return stdout.split('\n').find((line) => line.split(/ +/)[1] === name) ?? 'no such line';
  }
  const refused = async (args: readonly string[]): Promise<string> =>
    setUp(args).then(
      () => 'not refused',
      (error: unknown) => String((error as { stderr?: string }).stderr)
    );

  /** The texts and modes of the files that an administrator has, below the folder of slurm.conf. */
  function list(): Record<string, string> {
    const ours = readdirSync(conf).filter((name) => /^(slurm\.conf|job_submit|joblens|units|a site|told)/.test(name));
    const files = ours.flatMap((name) =>
      statSync(join(conf, name)).isDirectory()
        ? [name, ...readdirSync(join(conf, name)).map((inner) => join(name, inner))]
        : [name]
    );
    const read = (name: string): string => {
      const status = statSync(join(conf, name));
      return `${status.mode.toString(8)} ${status.isFile() ? readFileSync(join(conf, name), 'utf8') : ''}`;
    };
    return Object.fromEntries(files.map((name) => [name, read(name)]));
  }

  /** What a plain job sees: whether its script is wrapped, and where it finds joblens. */
  async function runJob(): Promise<{ readonly script: string; readonly printed: string }> {
    const environment = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' };
    const text = '#!/bin/sh\necho "found $(command -v joblens)"\n';
    const job = await cluster.submit(text, ['--comment=joblens', '--output=%j.out'], { environment });
    expect(await cluster.untilEnded(job)).toBe('COMPLETED');
    await until(() => cluster.read(`${job}.out`).includes('found'));
    const { stdout } = await cluster.run('scontrol', ['write', 'batch_script', job, '-']);
    return { script: stdout, printed: cluster.read(`${job}.out`) };
  }

  it('shows what it would change, changes it once, and takes it away without a trace', async () => {
    const before = list();
    const all = ['--watch', '--submit', '--task-prolog', '--hooks'];
    const dry = await setUp([...all, '--dry-run']);
    expect(list()).toEqual(before);
    expect(dry).toContain('\n+JobSubmitPlugins=lua\n');
    expect(dry).toContain('\n+++ ');
    expect(dry).toContain('then          scontrol reconfigure');
    expect(dry).toContain('Nothing was changed: this was a dry run.');

    const first = await setUp(all);
    // It says the same and does it.
    expect(first.match(/^[+-].*$/gm)).toEqual(dry.match(/^[+-].*$/gm));
    const after = list();
    expect(after['slurm.conf.before-joblens']).toBe(before['slurm.conf']);
    expect(after[join("a site's (1) %j $HOME", 'joblens.yaml')]).toContain('\nwatcher: true\n');
    const unit = after[join('units', 'joblens.service')];
    expect(unit).toContain(`\nExecStart=${command()} watch --slurm `);
    expect(unit).toContain(`\nEnvironmentFile=${conf}/a site's (1) %%j $HOME/environment\n`);
    expect(unit).toContain(`\nEnvironment="JOBLENS_SITE_FILE=${conf}/a site's (1) %%j $HOME/joblens.yaml"\n`);
    expect(await setUp(all)).toMatch(/Everything was set up already\.\n$/);
    expect(list()).toEqual(after);

    expect(await askDoctor('job_submit')).toMatch(/^fail .*run scontrol reconfigure$/);
    // A reconfiguration brings no hook to this version.
    await cluster.stopController();
    await cluster.startController();
    expect(await askDoctor('job_submit')).toMatch(/^ok /);
    expect(await askDoctor('TaskProlog')).toMatch(/^ok .*joblens-task-prolog is here$/);
    expect(await askDoctor('hooks')).toMatch(/^ok .* tells of each job in \S+told \(it/);
    const wrapped = await runJob();
    const told = (): string => cluster.read(join('..', "told (it's)", 'events'));
    await until(() => /^start (\d+)\nend \1\n/m.test(told()));
    expect(wrapped.script).toContain(`${command()} run -- "$0" "$@" # joblens`);
    expect(wrapped.printed).toContain(`found ${command()}`);

    const used = list();
    expect(await setUp(['--undo', '--dry-run'])).toContain('\n-JobSubmitPlugins=lua\n');
    expect(list()).toEqual(used);
    // While slurmctld and slurmd still run them, these stay, so that no job fails.
    expect(await setUp(['--undo'])).toMatch(
      /then +systemctl restart slurmctld, then joblens setup slurm --undo again: /
    );
    expect(list()).toMatchObject({
      'joblens-task-prolog': after['joblens-task-prolog'],
      'joblens-hook': after['joblens-hook'],
    });
    expect((await runJob()).printed).toMatch(/^found /m);
    await cluster.run('scontrol', ['reconfigure']);
    await setUp(['--undo']);
    expect(list()).toEqual(before);
    expect(await setUp(['--undo'])).toBe('There is nothing to take away.\n');
    await cluster.run('scontrol', ['reconfigure']);
    const plain = await runJob();
    expect(plain).toMatchObject({ script: expect.not.stringContaining('joblens run') as string, printed: 'found \n' });
  });

  it('takes one way away, and leaves the others and what others wrote', async () => {
    const before = list();
    await setUp(['--submit', '--wrap-all', '--task-prolog', '--watch']);
    appendFileSync(join(conf, 'slurm.conf'), '# a note\n');
    const settings = join(site, 'environment');
    appendFileSync(settings, 'INFLUX_TOKEN=t\n');
    await setUp(['--undo', '--submit']);
    expect(list()['slurm.conf']).toMatch(/\nTaskProlog=\S+joblens-task-prolog\n/);
    expect(list()).not.toHaveProperty('job_submit.lua');
    await setUp(['--undo']);
    const { [join("a site's (1) %j $HOME", 'environment')]: left, ...rest } = list();
    expect(left).toContain('INFLUX_TOKEN=t');
    delete rest["a site's (1) %j $HOME"];
    expect(rest).toEqual({ ...before, 'slurm.conf': `${before['slurm.conf'] ?? ''}# a note\n` });
  });

  it('changes nothing where something of others is in the way, or where Slurm would not read it', async () => {
    const path = join(conf, 'job_submit.lua');
    writeFileSync(path, 'function slurm_job_submit() return slurm.SUCCESS end\n');
    const before = list();
    expect(await refused(['--submit', '--watch'])).toMatch(
      /job_submit\.lua is there already, and not by joblens: put /
    );
    expect(await setUp(['--undo'])).toMatch(/nothing to take away/);
    expect(list()).toEqual(before);

    appendFileSync(join(conf, 'slurm.conf'), 'TaskProlog=/bin/their-own\n');
    appendFileSync(join(conf, 'slurm.conf'), 'EpilogSlurmctld=/bin/theirs\n');
    expect(await refused(['--hooks'])).toMatch(
      /EpilogSlurmctld is \/bin\/theirs already; call \S+joblens-hook from it/
    );
    expect(await refused(['--task-prolog'])).toMatch(/TaskProlog is \/bin\/their-own already; add this line to it: /);
    const unreadable = `${readFileSync(join(conf, 'slurm.conf'), 'utf8').replace(/^(TaskProlog|EpilogSlurmctld)=\/bin.*\n/gm, '')}Foo=bar\n`;
    writeFileSync(join(conf, 'slurm.conf'), unreadable);
    expect(await refused(['--task-prolog'])).toMatch(/Slurm would not read the new .*slurm\.conf.*: .*Foo/);
    expect(readFileSync(join(conf, 'slurm.conf'), 'utf8')).toBe(unreadable);
    expect(list()).not.toHaveProperty('joblens-task-prolog');
    writeFileSync(join(conf, 'slurm.conf'), unreadable.replace('Foo=bar\n', ''));
  });

  it('says what is wrong with its options', async () => {
    expect(await refused([])).toMatch(/name a way to log: --watch, --submit, --task-prolog or --hooks/);
    expect(await refused(['--wrap-all', '--watch'])).toMatch(/--wrap-all needs --submit/);
  });
});
