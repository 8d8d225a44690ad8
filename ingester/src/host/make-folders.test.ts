import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolders } from './make-folders.js';

const folder = mkdtempSync(join(tmpdir(), 'joblens-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('makeFolders', () => {
  it('makes a folder and those above it, for this user only; once more is no error', async () => {
    const path = join(folder, 'a', 'b', 'c');
    await makeFolders(path);
    await makeFolders(`${path}/`);
    expect([path, join(folder, 'a')].map((made) => statSync(made).mode & 0o777)).toEqual([0o700, 0o700]);
  });

  it('is not disturbed by another process that makes the same', async () => {
    const paths = Array.from({ length: 20 }, (_, i) => join(folder, 'same', 'x', 'y', String(i % 3)));
    await Promise.all(paths.map(makeFolders));
    expect(paths.every((path) => statSync(path).isDirectory())).toBe(true);
  });

  it('is not disturbed when the folder above comes just after it was missed', async () => {
    for (let i = 0; i < 100; i += 1) {
      const paths = Array.from({ length: 8 }, (_, n) => join(folder, `late-${i}`, 'x', String(n)));
      const making = paths.map(async (path, n) => {
        for (let turns = 0; turns < n; turns += 1) await new Promise((resolve) => setImmediate(resolve));
        await makeFolders(path);
      });
      await Promise.all(making);
    }
  });

  it.each([
    ['where no folder can be made, although it is missing', '/proc/none', 'ENOENT'],
    ['below such a folder', '/proc/none/joblens/spool', 'ENOENT'],
    ['over a file', join(folder, 'file'), 'EEXIST'],
    ['in a file', join(folder, 'file', 'x'), 'ENOTDIR'],
    ['behind a link to nothing', join(folder, 'link', 'x'), 'EEXIST'],
  ])('ends at once with the error of the system %s', async (_name, path, code) => {
    writeFileSync(join(folder, 'file'), '');
    rmSync(join(folder, 'link'), { force: true });
    symlinkSync(join(folder, 'missing'), join(folder, 'link'));
    await expect(makeFolders(path)).rejects.toMatchObject({ code });
  });
});
