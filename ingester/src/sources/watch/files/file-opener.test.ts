import { appendFileSync, copyFileSync, mkdtempSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { FileFollower } from './file-follower.js';
import { createFileSystem, type FileSystem } from './file-system.js';

const root = mkdtempSync(join(tmpdir(), 'joblens-opener-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** File times have the grain of the kernel's tick. */
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 12));

type Call = 'open' | 'lookUp' | 'listFolder';

/** The machine's files, of which some cannot be reached for a while. */
class Unsteady {
  readonly #real = createFileSystem();
  /** Fails these calls, for these names, with this error. */
  fault: { readonly calls: readonly Call[]; readonly code: string; readonly names: RegExp } | undefined;
  readonly fileSystem: FileSystem = {
    open: (path) => this.#try('open', path, () => this.#real.open(path)),
    lookUp: (path) => this.#try('lookUp', path, () => this.#real.lookUp(path)),
    listFolder: (path) => this.#try('listFolder', path, () => this.#real.listFolder(path)),
    openFiles: 0,
  };

  get openFiles(): number {
    return this.#real.openFiles;
  }

  #try<Answer>(call: Call, path: string, answer: () => Promise<Answer>): Promise<Answer> {
    const { fault } = this;
    if (fault?.calls.includes(call) !== true) return answer();
    if (call !== 'listFolder' && !fault.names.test(basename(path))) return answer();
    return Promise.reject(Object.assign(new Error(fault.code), { code: fault.code }));
  }
}

class Followed {
  readonly path = join(mkdtempSync(join(root, 'f-')), "job (1) 'a'.out");
  readonly unsteady = new Unsteady();
  text = '';
  readonly follower = new FileFollower({
    ...{ path: this.path, uid: userInfo().uid, fileSystem: this.unsteady.fileSystem },
    clock: { nowMs: () => Date.now(), monotonicMs: () => performance.now() },
    ...{ idleMs: () => 60_000, pollBytes: () => 1e6 },
    sink: {
      write: (bytes) => {
        this.text += Buffer.from(bytes).toString();
        return Promise.resolve();
      },
      skip: () => undefined,
      restart: () => undefined,
    },
  });

  append(text: string): void {
    appendFileSync(this.path, text);
  }

  async poll(): Promise<void> {
    for (let state = await this.follower.poll(); state === 'more';) state = await this.follower.poll();
  }
}

const CODES = ['EMFILE', 'ENFILE', 'EIO', 'ESTALE', 'EACCES', 'EPERM'];
const faults = (['open', 'lookUp', 'listFolder'] as const).flatMap((call) =>
  CODES.map((code) => [call, code] as const)
);

describe.each(faults)('where %s gives %s for a while', (call, code) => {
  const isForbidden = ['EACCES', 'EPERM'].includes(code);
  // Who may not list may not open either, as when a ticket has run out.
  const calls = isForbidden && call === 'listFolder' ? ([call, 'open'] as const) : [call];
  // What is forbidden is so for the whole folder, as when a ticket has run out.
  const names = isForbidden ? /./ : /\.\d$/;

  it('reads what was rotated twice, once it can', async () => {
    const followed = new Followed();
    const { path, unsteady, follower } = followed;
    followed.append('one\n');
    await followed.poll();
    await tick();
    renameSync(path, `${path}.2`);
    followed.append('two\n');
    renameSync(path, `${path}.1`);
    followed.append('three\n');
    unsteady.fault = { calls, code, names };
    for (let i = 0; i < 3; i += 1) await expect(followed.poll()).rejects.toThrow(code);
    unsteady.fault = undefined;
    await followed.poll();
    expect(followed.text).toBe('one\ntwo\nthree\n');
    await follower.close();
    expect(unsteady.openFiles).toBe(0);
  });

  it('reads the rest that is in a copy, once it can', async () => {
    const followed = new Followed();
    const { path, unsteady, follower } = followed;
    followed.append('one\n');
    await followed.poll();
    await tick();
    followed.append('two\n');
    copyFileSync(path, `${path}.1`);
    truncateSync(path);
    followed.append('3\n');
    unsteady.fault = { calls, code, names };
    for (let i = 0; i < 3; i += 1)
      await followed.poll().catch((error: unknown) => expect(String(error)).toContain(code));
    unsteady.fault = undefined;
    await followed.poll();
    expect(followed.text).toBe('one\ntwo\n3\n');
    await follower.close();
    expect(unsteady.openFiles).toBe(0);
  });
});

it('goes on where only the rotation may not be read, as that will not change', async () => {
  const followed = new Followed();
  const { path, unsteady, follower } = followed;
  followed.append('one\n');
  await followed.poll();
  await tick();
  renameSync(path, `${path}.2`);
  followed.append('two\n');
  renameSync(path, `${path}.1`);
  followed.append('three\n');
  unsteady.fault = { calls: ['open'], code: 'EACCES', names: /\.1$/ };
  await followed.poll();
  expect(followed.text).toBe('one\nthree\n');
  await follower.close();
  expect(unsteady.openFiles).toBe(0);
});

it('goes on in a folder whose files may be read, but which may not be listed', async () => {
  const followed = new Followed();
  const { path, unsteady, follower } = followed;
  unsteady.fault = { calls: ['listFolder'], code: 'EACCES', names: /./ };
  followed.append('one\n');
  await followed.poll();
  await tick();
  renameSync(path, `${path}.1`);
  followed.append('two\n');
  await followed.poll();
  expect(followed.text).toBe('one\ntwo\n');
  await follower.close();
  expect(unsteady.openFiles).toBe(0);
});

it('does not take a renamed file for lost while its folder may not be listed', async () => {
  const followed = new Followed();
  const { path, unsteady, follower } = followed;
  followed.append('one\n');
  await followed.poll();
  await follower.close();
  renameSync(path, `${path}-kept`);
  unsteady.fault = { calls: ['listFolder'], code: 'EACCES', names: /./ };
  for (let i = 0; i < 3; i += 1) await expect(followed.poll()).rejects.toThrow('EACCES');
  unsteady.fault = undefined;
  appendFileSync(`${path}-kept`, 'two\n');
  await followed.poll();
  expect(followed.text).toBe('one\ntwo\n');
  await follower.close();
});
