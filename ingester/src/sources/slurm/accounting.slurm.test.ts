import { chownSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../../../test/components.js';
import { type Influxdb, startInfluxdb } from '../../../../test/influxdb.js';
import { canCreateAccounts, createAccount, type TemporaryAccount } from '../../../../test/slurm-account.js';
import { canMakeCgroups } from '../../../../test/slurm-cgroups.js';
import { prepareJoblens, type Started, until } from '../../testing/joblens.js';
import { type Cluster, queryJob, queryStates, startCluster } from './testing/cluster.js';

/** Only root reads other users' files, and only root can make other users. */
const describeAsRoot = canCreateAccounts()
  ? describeWith
  : (_components: unknown, name: string, suite: () => void): void => describe.skip(`${name} (needs root)`, suite);

const MB = 2 ** 20;
/** Holds that much memory for some seconds: what tail got has no line feed, and sleep does not take it. */
const HOLD = (megabytes: number): string => `head -c ${megabytes}M /dev/zero | tail | sleep 4`;
/** Takes the last of its memory slowly, so that Slurm can sample it, until it is killed. */
const GROW = '(head -c 57M /dev/zero; while sleep 0.5 && head -c 1M /dev/zero; do :; done) | tail > /dev/null';
/** As long as it may take on a busy machine. */
const KNOWN_MS = 60_000;
const about = (megabytes: number): unknown => expect.closeTo(megabytes * MB, -7.5);
const TWO_ATTEMPTS = [
  ...['>PENDING', 'PENDING>RUNNING', 'RUNNING>REQUEUED'],
  ...['REQUEUED>PENDING', 'PENDING>RUNNING', 'RUNNING>COMPLETED'],
];
const WAIT = 'echo begun; sleep 300';

/** Whether toMatchObject passes: what the job used comes before the reason that tells of it. */
function isMatch(found: object, known: object): boolean {
  try {
    expect(found).toMatchObject(known);
    return true;
  } catch {
    return false;
  }
}

describeAsRoot(['slurm', 'slurmAccounting', 'influxd'], "joblens watch --slurm with Slurm's accounting", () => {
  const hasCgroups = canMakeCgroups();
  const joblens = prepareJoblens();
  let cluster: Cluster;
  let influxdb: Influxdb;
  /** Ann has opted in; Bob may cancel everyone's jobs. */
  let ann: TemporaryAccount;
  let bob: TemporaryAccount;
  let daemon: Started;
  /** Slurm looks for time limits twice a minute, so it begins before all others. */
  let limited: string;
  const spool = mkdtempSync(join(joblens.folder, 'spool-'));

  const watch = (): Started => {
    const options = ['--url', influxdb.url, '--spool', spool, '--slurm-interval', '0.5'];
    return joblens.start(['watch', '--slurm', ...options], { ...cluster.environment });
  };
  const stop = async (): Promise<void> => {
    daemon.kill('SIGTERM');
    await daemon.ended;
  };
  const submit = (lines: string, args: readonly string[] = []): Promise<string> =>
    cluster.submit(`#!/bin/bash\n${lines}\n`, args, { as: ann });
  const cancel = (job: string): Promise<unknown> => cluster.run('scancel', [job], { as: bob });
  /** Waits until this is known of the job. */
  const untilKnown = async (job: string, known: Record<string, unknown>): Promise<void> => {
    let found: Record<string, unknown> = {};
    const isKnown = async (): Promise<boolean> => {
      found = await queryJob(influxdb.url, job);
      return isMatch(found, known);
    };
    await until(isKnown, KNOWN_MS).catch(() => undefined);
    expect(found).toMatchObject(known);
  };
  const report = async (job: string): Promise<string> => {
    const variables = { INFLUX_HOST: influxdb.url, INFLUX_BUCKET: 'joblens' };
    return (await joblens.run(['report', 'job', job], '', variables)).stdout.toString();
  };

  beforeAll(async () => {
    // A job that has ended stays with squeue for 10 to 20 s.
    const options = { hasAccounting: true, hasCgroups, minJobAgeSeconds: 10 };
    [cluster, influxdb] = await Promise.all([startCluster(options), startInfluxdb()]);
    [ann, bob] = [createAccount(), createAccount()];
    writeFileSync(join(ann.home, '.logoptin'), '');
    chownSync(join(ann.home, '.logoptin'), ann.uid, ann.gid);
    const add = (...words: string[]): Promise<unknown> => cluster.run('sacctmgr', ['--immediate', 'add', ...words]);
    await add('account', 'physics');
    await add('user', ann.name, 'Account=physics');
    await add('user', bob.name, 'Account=physics', 'AdminLevel=Operator');
    limited = await submit(WAIT, ['--time=1']);
    await cluster.untilState(limited, 'RUNNING');
    // Earlier than its limit says.
    await cluster.run('scontrol', ['update', `JobId=${limited}`, 'EndTime=now+2']);
  });
  beforeEach(() => {
    daemon = watch();
  });
  afterEach(stop);
  afterAll(async () => {
    joblens.remove();
    await Promise.all([cluster.stop(), influxdb.stop()]);
    for (const account of [ann, bob]) account.remove();
  });

  it('says of jobs that it saw end why they did, and what they used', async () => {
    const tasks = await submit(`srun sh -c '${HOLD(40)}'`, ['--ntasks=4', '--mem-per-cpu=64M']);
    const beside = await submit(`for i in 1 2 3; do srun --exact -n1 --mem=64M sh -c '${HOLD(40)}' & done; wait`, [
      ...['--ntasks=3', '--mem-per-cpu=64M'],
    ]);
    const crashed = await submit('kill -SEGV $$');
    const array = await submit('exit $SLURM_ARRAY_TASK_ID', ['--array=0,3']);
    const cancelled = await submit(WAIT);
    // Its processes outlive the requeue by KillWait.
    const requeued = await submit('[ -n "$SLURM_RESTART_COUNT" ] && exit; trap "" TERM; while :; do sleep 0.2; done');
    const grown = hasCgroups ? await submit(GROW, ['--mem=64M']) : undefined;
    for (const job of [cancelled, requeued]) await cluster.untilState(job, 'RUNNING');
    await cancel(cancelled);
    await until(async () => (await queryStates(influxdb.url, requeued)).length > 1);
    await cluster.run('scontrol', ['requeue', requeued]);
    await untilKnown(cancelled, { state: 'CANCELLED', reason: `cancelled by ${bob.name}` });
    await untilKnown(crashed, { state: 'FAILED', exit_code: 139, reason: 'killed by SIGSEGV' });
    await untilKnown(`${array}_0`, { state: 'COMPLETED', exit_code: 0 });
    await untilKnown(`${array}_3`, { state: 'FAILED', exit_code: 3, reason: 'exit code 3' });
    if (grown !== undefined) {
      const reason: unknown = expect.stringMatching(/^killed for memory \([\d.]+ of 64 MB\)$/);
      await untilKnown(grown, { state: 'OUT_OF_MEMORY', used_memory_bytes: about(63), reason });
      expect((await queryJob(influxdb.url, grown))['exit_code']).toBeNull();
      expect(await report(grown)).toMatch(/OUT_OF_MEMORY\n(.*\n)*Memory +64 MB +6\d(\.\d)? MB at most/);
    }
    await untilKnown(tasks, { state: 'COMPLETED', account: 'physics', used_memory_bytes: about(170) });
    await cluster.startAgain(requeued);
    await untilKnown(requeued, { state: 'COMPLETED' });
    expect(await queryStates(influxdb.url, requeued)).toEqual(TWO_ATTEMPTS);
    await untilKnown(beside, { state: 'COMPLETED', used_memory_bytes: about(140) });
  }, 400_000);

  it('completes jobs that ended, or came and went, while it was away', async () => {
    const seen = {
      killed: await submit(WAIT),
      failing: await submit('sleep 2; exit 7'),
      holding: await submit(HOLD(80)),
    };
    for (const job of Object.values(seen)) await until(async () => (await queryStates(influxdb.url, job)).length > 1);
    await stop();
    const unseen = {
      killed: await submit(WAIT, ['--time=90']),
      array: await submit(HOLD(80), ['--array=2', '--mem=128M', '--cpus-per-task=2']),
      requeued: await submit('sleep ${SLURM_RESTART_COUNT:-300}'),
      grown: hasCgroups ? await submit(GROW, ['--mem=64M']) : undefined,
    };
    for (const job of [unseen.killed, unseen.requeued]) await cluster.untilState(job, 'RUNNING');
    // Accounting learns of a start a little later, and never of one that is over by then.
    const ask = ['--noheader', '--allocations', '--format=State', '--jobs', unseen.requeued];
    await until(async () => (await cluster.run('sacct', ask)).stdout.includes('RUNNING'));
    await cluster.run('scontrol', ['requeue', unseen.requeued]);
    for (const job of [seen.killed, unseen.killed]) await cancel(job);
    await cluster.startAgain(unseen.requeued);
    // squeue forgets them.
    await until(async () => [...(await cluster.states()).keys()].every((job) => job === limited));
    daemon = watch();
    const byBob = `cancelled by ${bob.name}`;
    await untilKnown(seen.killed, { state: 'CANCELLED', reason: byBob });
    await untilKnown(seen.failing, { state: 'FAILED', exit_code: 7, reason: 'exit code 7' });
    await untilKnown(unseen.killed, { state: 'CANCELLED', reason: byBob, time_limit_s: 5400, account: 'physics' });
    await untilKnown(seen.holding, { state: 'COMPLETED', used_memory_bytes: about(85) });
    await untilKnown(`${unseen.array}_2`, {
      ...{ state: 'COMPLETED', used_memory_bytes: about(85) },
      ...{ requested_cpus: 2, requested_memory_bytes: 128 * MB },
    });
    await untilKnown(unseen.requeued, { state: 'COMPLETED' });
    expect(await queryStates(influxdb.url, unseen.requeued)).toEqual(TWO_ATTEMPTS);
    if (unseen.grown !== undefined) await untilKnown(unseen.grown, { state: 'OUT_OF_MEMORY' });
    const text = await report(`${unseen.array}_2`);
    expect(text).toMatch(/Memory +128 MB +8\d(\.\d)? MB at most/);
  }, 400_000);

  // The last one: it takes the only node down.
  it('tells of a time limit and of a node that failed', async () => {
    await untilKnown(limited, { state: 'TIMEOUT', reason: 'time limit of 1m', time_limit_s: 60 });
    expect(await report(limited)).toMatch(/TIMEOUT\nReason +time limit of 1m\n/);
    const lost = await submit(WAIT, ['--no-requeue']);
    await cluster.untilState(lost, 'RUNNING');
    const { stdout } = await cluster.run('sinfo', ['--noheader', '--format=%n']);
    const node = stdout.trim();
    await cluster.run('scontrol', ['update', `NodeName=${node}`, 'State=DOWN', 'Reason=test']);
    await untilKnown(lost, { state: 'NODE_FAIL', reason: `node failure of ${node}` });
  });
});
