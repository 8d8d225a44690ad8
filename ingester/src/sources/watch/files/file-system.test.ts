import type { promises } from 'node:fs';
import { createFileSystem } from './file-system.js';

let code = '';
jest.mock('node:fs/promises', () => ({
  ...jest.requireActual<typeof promises>('node:fs/promises'),
  readdir: () => Promise.reject(Object.assign(new Error(code), { code })),
}));

describe('the names in a folder', () => {
  it.each(['ENOENT', 'ENOTDIR'])('are none when it is gone: %s', async (found) => {
    code = found;
    expect(await createFileSystem().listFolder("/a b'(1)")).toEqual([]);
  });

  it.each(['EACCES', 'EPERM', 'EIO', 'ESTALE', 'EMFILE', 'ENFILE', 'ENOMEM', 'ETIMEDOUT', 'EHOSTDOWN', 'ELOOP'])(
    'are unknown at %s',
    async (found) => {
      code = found;
      await expect(createFileSystem().listFolder("/a b'(1)")).rejects.toThrow(found);
    }
  );
});
