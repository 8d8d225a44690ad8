import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith } from './components.js';
import { type Pair, startPair } from './conformance/targets.js';
import { querySeries } from './influxdb.js';
import { createInfluxqlClient } from './influxql-client.js';
import { BINARY, type Ended, run } from './joblens-command.js';

const SETTINGS = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', [...SETTINGS, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
const [JOB, BASIC, LEFT, ODD] = ["full-(1).'x'", 'basic', 'unkept', 'secret'];

const UNTIL_KEPT = '[ -z "$UNTIL_KEPT" ] || until [ -e "$UNTIL_KEPT" ]; do sleep 0.05; done';
const manifestOf = (job: string): string =>
  `SELECT "manifest" FROM "job" WHERE "job" = '${job.replaceAll("'", "\\'")}'`;

describeWith(['influxd'], 'a run, kept and set up again', () => {
  let pair: Pair;
  let root: string;
  let repo: string;
  const put = (name: string, text: string | Buffer): void => writeFileSync(join(repo, name), text);
  /** Runs the command in a folder, on both stores one after the other. */
  async function inFolder(folder: string, ...args: readonly string[]): Promise<readonly Ended[]> {
    const ended: Ended[] = [];
    for (const url of [pair.influxdb.url, pair.embedded.url]) {
      const state = { XDG_STATE_HOME: join(root, 'state') };
      ended.push(await run('sh', ['-c', 'cd "$0" && exec "$@"', folder, BINARY, ...args], url, state));
    }
    return ended;
  }
  /** Runs a script that goes on until all is kept, however busy the machine is. */
  async function log(job: string, level: string, ...command: readonly string[]): Promise<readonly Ended[]> {
    const ended: Ended[] = [];
    for (const store of ['influxdb', 'embedded'] as const) {
      const { url } = pair[store];
      const until = join(root, `until ${job} ${store}`);
      const options = ['--mode', 'enabled', '--job', job, '--reproduce', level];
      const args = ['-c', 'cd "$0" && exec "$@"', join(repo, 'src dir'), BINARY, 'run', ...options, '--', ...command];
      const running = run('sh', args, url, { XDG_STATE_HOME: join(root, 'state'), UNTIL_KEPT: until });
      const isKept = async (): Promise<boolean> => (await querySeries(url, manifestOf(job))).length > 0;
      while (!(await isKept())) await new Promise((resolve) => setTimeout(resolve, 100));
      writeFileSync(until, '');
      ended.push(await running);
    }
    return ended;
  }

  beforeAll(async () => {
    pair = await startPair();
    await pair.both((url) => createInfluxqlClient(url).post('CREATE DATABASE "joblens"'));
    root = mkdtempSync(join(tmpdir(), "joblens again 'é"));
    repo = join(root, 'repo');
    mkdirSync(join(repo, 'src dir'), { recursive: true });
    git(repo, 'init', '--quiet');
    put('src dir/show.sh', `#!/bin/sh\n${UNTIL_KEPT}\necho old\n`);
    put('gone', 'x\n');
    git(repo, 'add', '--all');
    git(repo, 'commit', '--quiet', '--message=x');
    rmSync(join(repo, 'gone'));
    put('src dir/show.sh', `#!/bin/sh\n${UNTIL_KEPT}\ncat "../new -1 (é)"; echo "$1" "$OMP_NUM_THREADS"\n`);
    chmodSync(join(repo, 'src dir/show.sh'), 0o755);
    put('new -1 (é)', 'new\n');
    put('binary', Buffer.from([0, 255, 10]));
  });
  afterAll(async () => {
    await pair.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it('has the same files, and its command prints the same', async () => {
    for (const { code, stdout } of await log(JOB, 'full', 'env', 'OMP_NUM_THREADS=3', './show.sh', 'it"s'))
      expect([code, stdout]).toEqual([0, 'new\nit"s 3\n']);
    git(repo, 'add', '--all');
    const tree = git(repo, 'write-tree').trim();
    git(repo, 'reset', '--quiet', '--hard');
    const checked = await inFolder(repo, 'reproduce', JOB, '--check');
    const again = await Promise.all(
      (['influxdb', 'embedded'] as const).map(async (store) => {
        const into = join(root, `again-${store}`);
        const args = ['reproduce', JOB, '--into', into, '--run'];
        const ended = await run('sh', ['-c', 'cd "$0" && exec "$@"', repo, BINARY, ...args], pair[store].url);
        expect(git(join(into, 'code'), 'write-tree').trim()).toBe(tree);
        expect(git(join(into, 'code'), 'diff', '--name-only')).toBe('');
        expect(readFileSync(join(into, 'run.sh'), 'utf8')).toContain('/code/src dir');
        return ended;
      })
    );
    for (const { code, stdout, stderr } of again) {
      expect([code, stdout]).toEqual([0, 'new\nit"s 3\n']);
      expect(stderr).toContain('has the files of the run');
    }
    for (const { code, stdout } of checked) {
      expect(code).toBe(0);
      expect(stdout).toContain('changes\tyes');
      expect(stdout).toContain('in this repository');
    }
  });

  it('says what cannot be had, before and after', async () => {
    put('.env', 'KEY=1\n');
    await log(BASIC, 'basic', './show.sh');
    await log(ODD, 'full', './show.sh', '--password', 'hunter2');
    await inFolder(repo, 'run', '--mode', 'enabled', '--job', LEFT, '--', 'true');
    rmSync(join(repo, '.env'));
    for (const { code, stdout } of await inFolder(repo, 'reproduce', BASIC, '--check')) {
      expect([code, stdout]).toEqual([1, expect.stringContaining('changes\tno\tthey were not kept')]);
    }
    for (const { code, stdout } of await inFolder(repo, 'reproduce', ODD, '--check')) {
      expect(code).toBe(1);
      expect(stdout).toContain('changes\tno\tsecrets in a/.env b/.env');
      expect(stdout).toContain('command\tno\tsecrets in it are masked');
    }
    for (const { code, stderr } of await inFolder(root, 'reproduce', ODD)) {
      expect([code, stderr]).toEqual([1, expect.stringContaining('not in this repository, and no remote was kept')]);
    }
    for (const { code, stderr } of await inFolder(repo, 'reproduce', LEFT)) {
      expect([code, stderr]).toEqual([1, expect.stringContaining('nothing was kept of what job unkept was')]);
    }
    for (const { code, stderr } of await inFolder(repo, 'reproduce', BASIC, '--into', join(repo, 'src dir'))) {
      expect([code, stderr]).toEqual([1, expect.stringContaining('it is not empty')]);
    }
  });
});
