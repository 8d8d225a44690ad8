import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith } from '../../../../test/components.js';
import { prepareJoblens, type Started, until } from '../../testing/joblens.js';
import { type Cluster, logOf, readPoints, startCluster, statesOf } from './testing/cluster.js';

const ROOT = join(__dirname, '..', '..', '..', '..');

describeWith(['slurm'], 'joblens watch --slurm with the hooks of slurmctld', () => {
  const joblens = prepareJoblens();
  let cluster: Cluster;
  let folder: string;
  let events: string;
  let out: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'joblens-hooks-'));
    events = join(folder, 'told', 'events');
    out = join(folder, 'points.lp');
    const hook = join(folder, 'joblens-hook');
    const text = readFileSync(join(ROOT, 'slurm', 'joblens-hook'), 'utf8');
    writeFileSync(hook, text.replace('FILE=/var/spool/joblens-hooks/events', `FILE=${events}`));
    chmodSync(hook, 0o755);
    cluster = await startCluster({ controllerHook: hook });
  });
  afterAll(async () => {
    joblens.remove();
    await cluster.stop();
    rmSync(folder, { recursive: true });
  });

  const points = (): ReturnType<typeof readPoints> => readPoints(existsSync(out) ? readFileSync(out, 'utf8') : '');
  /** Counts how often squeue is asked. */
  const watch = async (): Promise<Started> => {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    const counted = `#!/bin/sh\necho asked >>'${join(folder, 'asked')}'\nPATH=\${PATH#*:} exec squeue "$@"\n`;
    writeFileSync(join(bin, 'squeue'), counted, { mode: 0o755 });
    const environment = { ...cluster.environment, PATH: `${bin}:${cluster.environment.PATH}` };
    const before = countAsked();
    const args = ['watch', '--slurm', '--mode', 'enabled', '--out', out, '--hook-file', events];
    const daemon = joblens.start(args, environment);
    // It reads what is told from then on.
    await until(() => countAsked() > before);
    return daemon;
  };
  const countAsked = (): number => {
    const path = join(folder, 'asked');
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
  };
  const submit = (line: string, args: readonly string[] = []): Promise<string> =>
    cluster.submit(`#!/bin/sh\n${line}\n`, args);
  /** The times of a job, by slurmctld itself. */
  const askTimes = async (job: string): Promise<string[]> => {
    const environment = { SLURM_TIME_FORMAT: '%s' };
    const { stdout } = await cluster.run('squeue', ['-h', '--states=all', `--jobs=${job}`, '-o', '%S %e'], {
      environment,
    });
    return stdout.trim().split(' ');
  };
  /** The times of its start and its end that were logged, in whole seconds. */
  const loggedTimes = (job: string): string[] =>
    points()
      .filter(({ measurement, tags }) => measurement === 'job_event' && tags.get('job') === job)
      .filter(({ tags }) => tags.get('topic') === 'state' && tags.get('to_state') !== 'PENDING')
      .map(({ timeNs }) => String(timeNs / 1_000_000_000n));

  it('runs jobs at once where nobody listens, and where there is no folder', async () => {
    const job = await submit('echo ran', ['--output=alone.out']);
    expect(await cluster.untilEnded(job)).toBe('COMPLETED');
    await until(() => cluster.read('alone.out') === 'ran\n');
    expect(existsSync(events)).toBe(false);
    mkdirSync(join(folder, 'told'), { mode: 0o750 });
    const told = await submit('true', ['--output=/dev/null', "--job-name=x'\nend 1"]);
    expect(await cluster.untilEnded(told)).toBe('COMPLETED');
    await until(() => readFileSync(events, 'utf8') === `start ${told}\nend ${told}\n`);
  });

  it('finds short jobs with their exact times, and has nothing to say of the hooks', async () => {
    const daemon = await watch();
    const first = await submit('echo one', ['--output=%x (%j).out', '--job-name=odd -n ".']);
    await until(() => statesOf(points(), first).includes('RUNNING>COMPLETED'));
    const array = await submit('echo "task $SLURM_ARRAY_TASK_ID"; exit 3', ['--array=1-2', '--error=%A.err']);
    const tasks = [`${array}_1`, `${array}_2`];
    await until(() => tasks.every((task) => statesOf(points(), task).includes('RUNNING>FAILED')));
    await until(() => tasks.every((task) => logOf(points(), task).length === 1));
    daemon.kill('SIGTERM');
    await daemon.ended;
    const stderr = daemon.stderr().toString();
    expect(stderr).not.toContain('hook');
    for (const job of [first, ...tasks]) expect(loggedTimes(job)).toEqual(await askTimes(job));
    expect(logOf(points(), first)).toEqual(['one']);
  });

  it('asks as ever when the hooks stop, and finds what they did not tell', async () => {
    const daemon = await watch();
    const told = await submit('true', ['--output=/dev/null']);
    await until(() => statesOf(points(), told).includes('RUNNING>COMPLETED'));
    // A folder in its place: hooks cannot write.
    rmSync(events);
    mkdirSync(events, { mode: 0o700 });
    const missed = await submit('echo missed', ['--output=missed.out']);
    await until(() => statesOf(points(), missed).includes('RUNNING>COMPLETED'));
    const asked = countAsked();
    await until(() => countAsked() >= asked + 3);
    daemon.kill('SIGTERM');
    await daemon.ended;
    const stderr = daemon.stderr().toString();
    expect(stderr).toContain(`Slurm's hooks did not tell of job ${missed}: squeue is asked at the usual interval`);
    expect(loggedTimes(missed)).toEqual(await askTimes(missed));
  });
});
