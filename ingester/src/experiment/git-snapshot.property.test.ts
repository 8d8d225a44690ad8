import { execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { env } from 'node:process';
import { err, ok } from '@joblens/core/result/result';
import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { BoundedPrograms } from './bounded-programs.js';
import { checkOutRun, type GitWithInput } from './check-out-run.js';
import { type GitSnapshot, stripCredentials, takeGitSnapshot } from './git-snapshot.js';
import { createRepository, git, randomRepository } from './testing/random-repository.js';

let root: string;
let other: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "joblens snap-é'"));
  other = join(root, 'other');
  mkdirSync(other);
  git(other, 'init', '--quiet');
  writeFileSync(join(other, 'x'), 'x\n');
  git(other, 'add', 'x');
  git(other, 'commit', '--quiet', '--message=x');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function snap(folder: string, takesPatch = true, maxCpuMs = 60_000): Promise<GitSnapshot | undefined> {
  const { run } = new BoundedPrograms(maxCpuMs);
  // Variables of git that the command has are not for us.
  const environment = { ...env, HOME: root, GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere' };
  const taken = await takeGitSnapshot({ folder, environment, run, scratchFolder: root, takesPatch });
  if (!taken.ok) throw new Error(taken.error);
  return taken.value;
}

const gitIn =
  (folder: string): GitWithInput =>
  (args, input) =>
    new Promise((resolve) => {
      const child = spawn('git', [...args], { cwd: folder });
      const [out, errors]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
      child.on('close', (code) => {
        resolve(code === 0 ? ok(Buffer.concat(out).toString()) : err(Buffer.concat(errors).toString()));
      });
      child.stdin.end(input);
    });

/** Everything in the folder of the repository itself. git renews the times of objects that it would write again. */
function fingerprint(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const time = path.includes('/objects/') ? '' : statSync(path).mtimeMs;
      return `${path} ${time} ${readFileSync(path).toString('base64')}`;
    })
    .join('\n');
}

it(
  'a repository in any state comes back from commit and patch with the same tree, and is not touched',
  async () => {
    await fc.assert(
      fc.asyncProperty(randomRepository, async (repository) => {
        const folder = mkdtempSync(join(root, 'r'));
        createRepository(folder, other, repository);
        const before = fingerprint(join(folder, '.git'));
        const taken = await snap(folder);
        expect(fingerprint(join(folder, '.git'))).toBe(before);
        const { facts, patch, missing } = taken ?? { facts: {}, missing: {} };
        expect(missing).toEqual({});
        expect(facts.dirty).toBe(patch !== undefined);
        const copy = `${folder} copy`;
        git(root, 'clone', '--quiet', '--no-checkout', folder, copy);
        const checked = await checkOutRun(
          gitIn(copy),
          facts.commit,
          patch === undefined ? undefined : Buffer.from(patch)
        );
        expect(checked).toEqual(ok({ tree: facts.tree, failed: [] }));
        // git itself sees the same files, both times.
        expect(git(copy, 'diff', '--name-only', '--ignore-submodules=all')).toBe('');
        git(folder, 'add', '--all');
        expect(git(folder, 'write-tree').trim()).toBe(facts.tree);
        rmSync(folder, { recursive: true });
        rmSync(copy, { recursive: true });
      }),
      { numRuns: randomCases(15) }
    );
    expect(readdirSync(root)).toEqual(['other']);
  },
  120_000 * Math.max(1, randomCases(1))
);

describe('a snapshot', () => {
  it('needs a repository', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'none'));
    expect(await snap(folder)).toBeUndefined();
    rmSync(folder, { recursive: true });
  });

  it('says why there is no tree, and claims none', async () => {
    const folder = mkdtempSync(join(root, 'r'));
    createRepository(folder, other, { committed: [['a', 1]], edits: [], ignores: false, isUnborn: false });
    mkdirSync(join(folder, 'empty'));
    git(join(folder, 'empty'), 'init', '--quiet');
    const taken = await snap(folder);
    expect(taken?.facts).toMatchObject({ commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string, dirty: true });
    expect(taken?.facts).not.toHaveProperty('tree');
    expect(taken?.missing).toEqual({ tree: expect.stringContaining('empty') as string });
    rmSync(folder, { recursive: true });
  });

  it('removes what an earlier one, which was killed, has left behind', async () => {
    const folder = mkdtempSync(join(root, 'r'));
    createRepository(folder, other, { committed: [['a', 1]], edits: [], ignores: false, isUnborn: false });
    const [old, young] = [mkdtempSync(join(root, 'joblens-tree-')), mkdtempSync(join(root, 'joblens-tree-'))];
    writeFileSync(join(old, 'content'), 'x');
    utimesSync(old, 1, 1);
    await snap(folder);
    expect(readdirSync(root).filter((name) => name.startsWith('joblens-tree-'))).toEqual([basename(young)]);
    for (const each of [folder, young]) rmSync(each, { recursive: true });
  });

  it('reads no large new files, and ends with the time that it may take', async () => {
    const folder = mkdtempSync(join(root, 'r'));
    createRepository(folder, other, { committed: [['a', 1]], edits: [], ignores: false, isUnborn: false });
    execFileSync('truncate', ['--size=65M', join(folder, 'large')]);
    expect((await snap(folder))?.missing).toEqual({ tree: 'the changed and new files have more than 64 MiB' });
    // A machine that is busy may be stopped at the first program already.
    const ofNoTime = await snap(folder, true, 0).then(
      (taken) => taken?.missing,
      (error: unknown) => ({ tree: (error as Error).message })
    );
    expect(ofNoTime).toEqual({ tree: 'it takes more than 0 s of a processor' });
    writeFileSync(join(folder, 'large'), Array.from({ length: 300_000 }, (_, i) => `${i}\n`).join(''));
    const { facts, missing } = (await snap(folder)) ?? { facts: {}, missing: {} };
    expect(facts).toHaveProperty('tree');
    expect(missing).toEqual({ patch: 'it has more than 1 MiB' });
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['https://ann:secret@host.example/a/b.git', 'https://host.example/a/b.git'],
    ['https://token@host.example:8443/a?token=secret#secret', 'https://host.example:8443/a'],
    ['https://ann:p@ss/word@host.example/a', undefined],
    ['ssh://git:secret@host.example/a', 'ssh://git@host.example/a'],
    ['git@host.example:a/b.git', 'git@host.example:a/b.git'],
    ['/srv/a b', '/srv/a b'],
  ])('has the remote %p without credentials', (remote, stored) => {
    expect(stripCredentials(remote)).toBe(stored);
  });
});
