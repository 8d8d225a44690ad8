import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../../../test/components.js';
import { canCreateAccounts, createAccount, type TemporaryAccount } from '../../../../test/slurm-account.js';
import { type JoblensUnderTest, prepareJoblens, type Started, until } from '../../testing/joblens.js';
import { type Cluster, logOf, readPoints, startCluster, statesOf } from './testing/cluster.js';

/** Only root can make other users. */
const describeAsRoot = canCreateAccounts()
  ? describeWith
  : (_components: unknown, name: string, suite: () => void): void => describe.skip(`${name} (needs root)`, suite);

describeAsRoot(['slurm'], 'jobs of a real Slurm that write to one file', () => {
  let joblens: JoblensUnderTest;
  let cluster: Cluster;
  let ann: TemporaryAccount;
  let daemon: Started;
  const out = (): string => join(joblens.folder, 'watched.lp');
  const log = (job: string): string[] => logOf(readPoints(readFileSync(out(), 'utf8')), job);
  const hasEnded = (job: string): boolean =>
    statesOf(readPoints(readFileSync(out(), 'utf8')), job)
      .at(-1)
      ?.endsWith('>COMPLETED') === true;

  beforeAll(async () => {
    joblens = prepareJoblens();
    cluster = await startCluster();
    ann = createAccount();
    writeFileSync(join(ann.home, '.logoptin'), '');
    chownSync(join(ann.home, '.logoptin'), ann.uid, ann.gid);
    writeFileSync(out(), '');
    daemon = joblens.start(['watch', '--slurm', '--slurm-interval', '0.5', '--out', out()], { ...cluster.environment });
  });
  afterAll(async () => {
    daemon.kill('SIGTERM');
    await daemon.ended;
    joblens.remove();
    await cluster.stop();
    ann.remove();
  });

  const submit = (lines: string, args: readonly string[]): Promise<string> =>
    cluster.submit(`#!/bin/bash\n${lines}\n`, args, { as: ann });

  it.each(['truncate', 'append'])('gives jobs in a row what each of them wrote (%s)', async (mode) => {
    const args = [`--open-mode=${mode}`, `--output=${mode}.log`, `--job-name=${mode}`, '--dependency=singleton'];
    // Output cannot be read if its job ended and the file was truncated before squeue reported the job. Within one
    // second, the longest pause separates two jobs.
    const script =
      'sleep 2; for i in 1 2 3 4; do echo "$SLURM_JOB_ID line $i"; done; sleep 1; until [ -e "read-$SLURM_JOB_ID" ]; do sleep 0.1; done';
    const jobs: string[] = [];
    for (let i = 0; i < 3; i += 1) jobs.push(await submit(script, args));
    for (const job of jobs) {
      await until(() => log(job).length >= 4);
      writeFileSync(join(cluster.folder, `read-${job}`), '');
    }
    await until(() => jobs.every((job) => hasEnded(job) && log(job).length >= 4));
    const lines = (job: string): string[] => [1, 2, 3, 4].map((i) => `${job} line ${i}`);
    expect(jobs.map(log)).toEqual(jobs.map(lines));
  });

  it('gives a job that was requeued what both of its attempts appended, and the job in between what it appended', async () => {
    const args = ['--open-mode=append', '--output=requeued.log'];
    const first = await submit(
      'echo "first, attempt ${SLURM_RESTART_COUNT:-0}"; sleep ${SLURM_RESTART_COUNT:-600}',
      args
    );
    const second = await submit('sleep 1.5; echo second; sleep 1', [...args, '--hold']);
    await until(() => log(first).length === 1);
    await cluster.run('scontrol', ['requeuehold', first]);
    await cluster.untilState(first, 'PENDING');
    await cluster.run('scontrol', ['release', second]);
    await until(() => hasEnded(second) && log(second).includes('second'));
    await cluster.run('scontrol', ['release', first]);
    await cluster.startAgain(first);
    await until(() => hasEnded(first) && log(first).includes('first, attempt 1'));
    // Slurm itself writes into the file that it ends the first attempt, within the second in which the next job begins.
    const ownLog = (job: string): string[] => log(job).filter((line) => !line.startsWith('slurmstepd'));
    expect(ownLog(first)).toEqual(['first, attempt 0', 'first, attempt 1']);
    expect(ownLog(second)).toEqual(['second']);
  });

  it('keeps what tasks write at the same time in the log of one, and says so in all', async () => {
    const args = ['--open-mode=append', '--output=together.log', '--array=1-2'];
    const meet = 'touch "began-$SLURM_ARRAY_TASK_ID"; until [ -e began-1 ] && [ -e began-2 ]; do sleep 0.1; done';
    const print = 'for i in 1 2 3 4 5 6; do echo "$SLURM_ARRAY_TASK_ID line $i"; sleep 1; done';
    const array = await submit(`${meet}; ${print}; until [ -e read-both ]; do sleep 0.1; done`, args);
    const tasks = [`${array}_1`, `${array}_2`];
    await until(() => tasks.flatMap(log).length >= 14);
    writeFileSync(join(cluster.folder, 'read-both'), '');
    await until(() => tasks.every(hasEnded) && tasks.flatMap(log).length >= 14);
    const lines = tasks.flatMap(log);
    const written = [1, 2].flatMap((task) => [1, 2, 3, 4, 5, 6].map((i) => `${task} line ${i}`));
    expect(lines.filter((line) => /^\d line/.test(line)).sort()).toEqual(written);
    expect(lines.filter((line) => line.includes('cannot be told apart'))).toHaveLength(2);
  });
});
