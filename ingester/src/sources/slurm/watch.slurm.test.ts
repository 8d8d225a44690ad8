import { chmodSync, chownSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Point } from '@joblens/core/point/point';
import { describeWith } from '../../../../test/components.js';
import { type Influxdb, startInfluxdb } from '../../../../test/influxdb.js';
import { canCreateAccounts, createAccount, type TemporaryAccount } from '../../../../test/slurm-account.js';
import { prepareJoblens, type Started, until } from '../../testing/joblens.js';
import {
  type Cluster,
  logOf,
  queryJob,
  queryLines,
  queryStates,
  readPoints,
  startCluster,
  statesOf,
  transitionsOf,
} from './testing/cluster.js';

/** Only root reads other users' files, and only root can make other users. */
const describeAsRoot = canCreateAccounts()
  ? describeWith
  : (_components: unknown, name: string, suite: () => void): void => describe.skip(`${name} (needs root)`, suite);

describeAsRoot(['slurm', 'influxd'], 'joblens watch --slurm', () => {
  const joblens = prepareJoblens();
  let cluster: Cluster;
  let influxdb: Influxdb;
  /** Ann has opted in, Bob has not. */
  let ann: TemporaryAccount;
  let bob: TemporaryAccount;

  beforeAll(async () => {
    [cluster, influxdb] = await Promise.all([startCluster(), startInfluxdb()]);
    [ann, bob] = [createAccount(), createAccount()];
    writeFileSync(join(ann.home, '.logoptin'), '');
    chownSync(join(ann.home, '.logoptin'), ann.uid, ann.gid);
  });
  afterAll(async () => {
    joblens.remove();
    await Promise.all([cluster.stop(), influxdb.stop()]);
    for (const account of [ann, bob]) account.remove();
  });

  const watch = (options: readonly string[]): Started =>
    joblens.start(['watch', '--slurm', '--slurm-interval', '0.5', ...options], { ...cluster.environment });
  const submit = (as: TemporaryAccount, lines: string, args: readonly string[] = []): Promise<string> =>
    cluster.submit(`#!/bin/bash\n${lines}\n`, args, { as });
  const stop = async (daemon: Started): Promise<void> => {
    daemon.kill('SIGTERM');
    await daemon.ended;
  };

  it('alone logs what a joblens run of a step prints, where the site or its heartbeats say that it does', async () => {
    const site = join(cluster.folder, 'joblens.yaml');
    writeFileSync(site, `url: ${influxdb.url}\npage: https://grafana.example/sub\nwatcher: true\n`);
    const daemon = watch(['--url', influxdb.url]);
    const run = `JOBLENS_SITE_FILE=${site} HOME=${ann.home} srun joblens run`;
    const withoutSite = `INFLUX_HOST=${influxdb.url} JOBLENS_SITE_FILE=off HOME=${ann.home} srun joblens run`;
    const job = await submit(
      ann,
      `echo before; until [ -e go ]; do sleep 0.2; done; ${run} -- echo printed; ${run} --watcher no -- echo twice; ${withoutSite} -- echo noticed; echo after`
    );
    await until(async () => (await queryLines(influxdb.url, job)).includes('before'));
    writeFileSync(join(cluster.folder, 'go'), '');
    await until(async () => (await queryLines(influxdb.url, job)).includes('after'));
    await stop(daemon);
    const lines = await queryLines(influxdb.url, job);
    const count = (text: string): number => lines.filter((line) => line === text).length;
    const counts = ['before', 'printed', 'twice', 'noticed', 'after'].map(count);
    expect(counts).toEqual([1, 1, 2, 1, 1]);
    expect(lines.join('\n')).toContain(`; see https://grafana.example/sub/d/joblens-job?var-job=${job}&var-user=`);
    expect(lines.join('\n')).toMatch(
      /joblens watch follows its output, which is logged there alone; --watcher no logs/
    );
  });

  it('follows the jobs of those who opted in, and writes how their states change', async () => {
    const out = join(joblens.folder, 'watched.lp');
    const points = (): Point[] => readPoints(tryRead(out));
    const lastState = (job: string): string => statesOf(points(), job).at(-1)?.split('>')[1] ?? '';
    const secret = join(bob.home, 'secret');
    writeFileSync(secret, 'a secret\n');
    chmodSync(secret, 0o600);
    chownSync(secret, bob.uid, bob.gid);
    writeFileSync(join(cluster.folder, 'again.log'), 'of a job before\n');
    chownSync(join(cluster.folder, 'again.log'), ann.uid, ann.gid);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const daemon = watch(['--out', out]);

    const both = await submit(ann, 'echo out; echo err >&2; sleep 2; printf "no end"; exit 3', [
      ...['--job-name=both', '--output=%x-%j.out', '--error=%x.err'],
    ]);
    const ofBob = await submit(bob, 'echo from bob; sleep 1');
    const array = await submit(ann, 'echo "task $SLURM_ARRAY_TASK_ID"; sleep 1', ['--array=1-2']);
    const again = await submit(ann, 'echo new; sleep 1', ['--output=again.log']);
    const untilRefused = 'until [ -e refused ]; do sleep 0.2; done';
    const link = await submit(ann, `rm link.out; ln -s ${secret} link.out; ${untilRefused}`, ['--output=link.out']);
    const cancelled = await submit(ann, 'echo begun; sleep 600');
    const requeued = await submit(ann, 'echo "attempt ${SLURM_RESTART_COUNT:-0}"; sleep ${SLURM_RESTART_COUNT:-600}');
    const paused = await submit(ann, 'while [ ! -e resumed ]; do sleep 0.2; done');

    await until(() => logOf(points(), requeued).length === 1 && logOf(points(), cancelled).length === 1);
    await cluster.run('scontrol', ['requeue', requeued]);
    // A busy machine may start it later than the jobs before it; and Slurm suspends only what runs.
    await until(() => lastState(paused) === 'RUNNING');
    await cluster.run('scontrol', ['suspend', paused]);
    await cluster.run('scancel', [cancelled]);
    await until(() => lastState(paused) === 'SUSPENDED');
    await cluster.run('scontrol', ['resume', paused]);
    writeFileSync(join(cluster.folder, 'resumed'), '');
    await cluster.startAgain(requeued);
    const followed = [both, `${array}_1`, `${array}_2`, again, cancelled, requeued, paused];
    await until(() => followed.every((job) => /^(COMPLETED|FAILED|CANCELLED)$/.test(lastState(job))));
    await until(() => logOf(points(), both).includes('no end'));
    await until(() => daemon.stderr().includes('link.out: it is a symbolic link'));
    writeFileSync(join(cluster.folder, 'refused'), '');
    await cluster.untilEnded(link);
    await stop(daemon);

    const stored = points();
    expect(logOf(stored, both).sort()).toEqual(['no end', 'out', 'stderr: err']);
    expect(statesOf(stored, both)).toEqual(['>PENDING', 'PENDING>RUNNING', 'RUNNING>FAILED']);
    expect([1, 2].map((task) => logOf(stored, `${array}_${task}`))).toEqual([['task 1'], ['task 2']]);
    expect(logOf(stored, again)).toEqual(['new']);
    expect(statesOf(stored, cancelled)).toEqual(['>PENDING', 'PENDING>RUNNING', 'RUNNING>CANCELLED']);
    const attempts = logOf(stored, requeued).filter((line) => line.startsWith('attempt'));
    expect(attempts).toEqual(['attempt 0', 'attempt 1']);
    expect(statesOf(stored, requeued)).toEqual([
      ...['>PENDING', 'PENDING>RUNNING', 'RUNNING>REQUEUED'],
      ...['REQUEUED>PENDING', 'PENDING>RUNNING', 'RUNNING>COMPLETED'],
    ]);
    expect(statesOf(stored, paused).slice(2, 4)).toEqual(['RUNNING>SUSPENDED', 'SUSPENDED>RUNNING']);
    for (const job of [both, cancelled, paused]) {
      const transitions = transitionsOf(stored, job);
      expect(transitions.map((line) => line.split(' ')[1])).toEqual(statesOf(stored, job));
      expect(transitions[0]).toBe('slurm >PENDING');
      expect(transitions[1]).toMatch(/^slurm PENDING>RUNNING \d+$/);
      expect(transitions[2]).toMatch(/^slurm RUNNING>\w+ \d+$/);
    }
    // Nothing of Bob's: neither of his job, nor of his file behind Ann's link.
    expect(logOf(stored, link)).toEqual([]);
    expect(stored.filter(({ tags }) => tags.get('job') === ofBob)).toEqual([]);
    expect([...new Set(stored.map(({ tags }) => tags.get('user')))]).toEqual([ann.name]);
  });

  it('describes a job as Slurm does, and stores it in a real InfluxDB', async () => {
    const daemon = watch(['--url', influxdb.url, '--spool', mkdtempSync(join(joblens.folder, 'spool-'))]);
    const args = ['--job-name=train', '--ntasks=2'];
    const job = await submit(ann, 'echo line; sleep 1; exit 2', args);
    await until(async () => (await queryJob(influxdb.url, job))['state'] === 'FAILED');
    await stop(daemon);
    expect(await queryLines(influxdb.url, job)).toEqual(['line']);
    const { stdout } = await cluster.run('scontrol', ['show', 'job', '-o', job], {
      environment: { SLURM_TIME_FORMAT: '%s' },
    });
    const timeOf = (name: string): number => Number(new RegExp(` ${name}=(\\d+)`).exec(stdout)?.[1]) * 1000;
    expect(await queryJob(influxdb.url, job)).toMatchObject({
      ...{ name: 'train', state: 'FAILED', exit_code: 2, nodes: 1, queue: 'main', workdir: cluster.folder },
      ...{ submitted: timeOf('SubmitTime'), started: timeOf('StartTime'), ended: timeOf('EndTime') },
    });
  });

  it('stores every line once in a real InfluxDB, though it was killed and jobs ended meanwhile', async () => {
    const spool = mkdtempSync(join(joblens.folder, 'spool-'));
    const options = ['--url', influxdb.url, '--spool', spool];
    const [lines, ending] = [20, 'for i in $(seq 20); do echo "line $i"; sleep 0.2; done'];
    const first = watch(options);
    const job = await submit(ann, ending);
    const short = await submit(ann, 'echo before; sleep 1.5; echo after');
    await until(async () => (await queryLines(influxdb.url, job)).length > 3);
    first.kill('SIGKILL');
    await first.ended;
    await cluster.untilEnded(short);
    const second = watch(options);
    await until(async () => (await queryLines(influxdb.url, job)).length === lines);
    await until(async () => (await queryLines(influxdb.url, short)).length === 2);
    await cluster.untilEnded(job);
    await stop(second);
    const third = watch(options);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await stop(third);
    expect(await queryLines(influxdb.url, job)).toEqual(Array.from({ length: lines }, (_, i) => `line ${i + 1}`));
    expect(await queryLines(influxdb.url, short)).toEqual(['before', 'after']);
    for (const id of [job, short]) {
      expect(await queryStates(influxdb.url, id)).toEqual(['>PENDING', 'PENDING>RUNNING', 'RUNNING>COMPLETED']);
    }
  });

  it('waits for slurmctld, says so once, and goes on', async () => {
    const out = join(joblens.folder, 'outage.lp');
    const daemon = watch(['--out', out]);
    const job = await submit(ann, 'echo one; until [ -e stopped ]; do sleep 0.2; done; echo two');
    const log = (): string[] => logOf(readPoints(tryRead(out)), job);
    await until(() => log().length === 1);
    await cluster.stopController();
    writeFileSync(join(cluster.folder, 'stopped'), '');
    // Known jobs are still followed.
    await until(() => log().length === 2);
    await until(() => daemon.stderr().includes('cannot ask Slurm'));
    await cluster.startController();
    await until(() => statesOf(readPoints(tryRead(out)), job).includes('RUNNING>COMPLETED'));
    await stop(daemon);
    expect(
      daemon
        .stderr()
        .toString()
        .match(/cannot ask Slurm/g)
    ).toHaveLength(1);
  });

  // The last one: it takes the only node down.
  it('says why jobs ended: time limit, cancellation, an exception, a node that is down', async () => {
    const out = join(joblens.folder, 'reasons.lp');
    const daemon = watch(['--out', out]);
    const readReason = (job: string): unknown =>
      readPoints(tryRead(out))
        .filter(({ measurement, tags }) => measurement === 'job' && tags.get('job') === job)
        .flatMap(({ fields }) => fields.get('reason') ?? [])
        .at(-1);
    const traceback = ['Traceback (most recent call last):', '  File "/w/train.py", line 17, in f', 'ValueError: bad'];
    const failing = await submit(ann, `cat >&2 <<'END'\n${traceback.join('\n')}\nEND\nexit 3`);
    const cancelled = await submit(ann, 'echo begun; sleep 300');
    const limited = await submit(ann, 'echo begun; sleep 300', ['--time=1']);
    await cluster.untilState(limited, 'RUNNING');
    // Earlier than its limit says.
    await cluster.run('scontrol', ['update', `JobId=${limited}`, 'EndTime=now+2']);
    await cluster.untilState(cancelled, 'RUNNING');
    await cluster.run('scancel', [cancelled]);
    await until(() => readReason(failing) === 'exit code 3: ValueError: bad (train.py:17)');
    await until(() => readReason(cancelled) === 'cancelled');
    await until(() => readReason(limited) === 'time limit of 1m', 150_000);
    const lost = await submit(ann, 'echo begun; sleep 300', ['--no-requeue']);
    await cluster.untilState(lost, 'RUNNING');
    const { stdout } = await cluster.run('sinfo', ['--noheader', '--format=%n']);
    const node = stdout.trim();
    await cluster.run('scontrol', ['update', `NodeName=${node}`, 'State=DOWN', 'Reason=test']);
    await until(() => readReason(lost) === `node failure of ${node}`);
    await stop(daemon);
  }, 400_000);
});

function tryRead(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
