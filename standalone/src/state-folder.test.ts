import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from './start-error.js';
import { defaultStatePath, nextDemoNumber, openStateFolder, type StateFolder } from './state-folder.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'joblens-state-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (path: string): Promise<StateFolder> => openStateFolder({ path, randomBytes });

describe('defaultStatePath', () => {
  it.each([
    ['XDG_STATE_HOME', { XDG_STATE_HOME: '/var/state' }, '/var/state/joblens'],
    ['no variable', {}, '/home/ann/.local/state/joblens'],
    ['an empty variable', { XDG_STATE_HOME: '' }, '/home/ann/.local/state/joblens'],
    [
      'a relative path, which the specification has ignored',
      { XDG_STATE_HOME: 'state' },
      '/home/ann/.local/state/joblens',
    ],
  ])('follows %s', (_name, environment, expected) => {
    expect(defaultStatePath(environment, '/home/ann')).toBe(expected);
  });
});

describe('openStateFolder', () => {
  it('makes the folder and a token of 64 hex digits for the owner alone', async () => {
    const state = await open(join(folder, 'a', 'b'));
    expect(state.token).toMatch(/^[0-9a-f]{64}$/);
    expect((await stat(state.path)).mode & 0o777).toBe(0o700);
    expect((await stat(state.tokenPath)).mode & 0o777).toBe(0o600);
  });

  it('keeps the token over a restart, and gives another folder another one', async () => {
    const first = await open(join(folder, 'one'));
    expect((await open(join(folder, 'one'))).token).toBe(first.token);
    expect((await open(join(folder, 'two'))).token).not.toBe(first.token);
  });

  it('agrees on one token when two start at the same time', async () => {
    const [left, right] = await Promise.all([open(folder), open(folder)]);
    expect(left.token).toBe(right.token);
  });

  it('takes files that others could read away from them', async () => {
    const { tokenPath, storePath } = await open(folder);
    const paths = [tokenPath, storePath, `${storePath}.wal`, join(folder, 'demo-number')];
    for (const path of paths) {
      if (path !== tokenPath) await writeFile(path, '');
      await chmod(path, 0o644);
    }
    await open(folder);
    for (const path of paths) expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('leaves nothing but the token', async () => {
    await Promise.all([open(folder), open(folder)]);
    expect(await readdir(folder)).toEqual(['token']);
  });

  it.each([
    ['a token that is none', 'short\n', /64 hex digits; remove the file/],
    ['an empty token', '', /64 hex digits; remove the file/],
  ])('refuses %s', async (_name, content, message) => {
    await writeFile(join(folder, 'token'), content);
    await expect(open(folder)).rejects.toThrow(message);
  });

  it('refuses a token file that points elsewhere', async () => {
    await writeFile(join(folder, 'elsewhere'), 'a'.repeat(64));
    await symlink(join(folder, 'elsewhere'), join(folder, 'token'));
    await expect(open(folder)).rejects.toThrow(/not a regular file/);
  });

  it('says in one line what to do about a folder that cannot be made', async () => {
    await writeFile(join(folder, 'file'), '');
    const failure = await open(join(folder, 'file', 'state')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect((failure as StartError).message).toMatch(/^Cannot use the state folder .*ENOTDIR.*--state DIR\.$/);
  });
});

describe('nextDemoNumber', () => {
  it('counts from 1 over restarts', async () => {
    const state = await open(folder);
    expect([await nextDemoNumber(state), await nextDemoNumber(state)]).toEqual([1, 2]);
    expect(await readFile(join(folder, 'demo-number'), 'utf8')).toBe('2\n');
  });

  it('starts again after a damaged count', async () => {
    const state = await open(folder);
    await writeFile(join(folder, 'demo-number'), 'x');
    expect(await nextDemoNumber(state)).toBe(1);
  });
});
