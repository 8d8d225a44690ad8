import { mkdirSync, mkdtempSync, type promises, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SourceFaults } from '../../guard/source-faults.js';
import { createPathDiscovery } from './path-discovery.js';

const noFaults = new SourceFaults({ faults: 0 }, { error: fail });

const faults = new Map<string, string>();

jest.mock('node:fs/promises', () => {
  const real = jest.requireActual<typeof promises>('node:fs/promises');
  const failing =
    <A extends [unknown, ...unknown[]], R>(call: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      const code = faults.get(String(args[0]));
      return code === undefined ? call(...args) : Promise.reject(Object.assign(new Error(code), { code }));
    };
  const [readdir, stat, lstat] = [real.readdir, real.stat, real.lstat].map((call) => failing(call as never));
  return { ...real, readdir, stat, lstat };
});

const folder = mkdtempSync(join(tmpdir(), 'joblens-unknown-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a folder that cannot be read for a while', () => {
  afterEach(() => faults.clear());
  const [a, b] = [join(folder, "a b'(1)"), join(folder, 'b')];
  let nowMs = 0;
  for (const place of [a, b]) {
    mkdirSync(place);
    writeFileSync(join(place, 'job-1.out'), '');
  }

  describe.each([
    ['a folder', [a, b]],
    ['a pattern', [`${folder}/*/*.out`]],
    ['a pattern in one folder', [join(a, '*.out'), join(b, '*.out')]],
  ])('%s', (_kind, paths) => {
    it.each(['EACCES', 'EPERM', 'EIO', 'ESTALE', 'ENOMEM', 'EMFILE', 'ENFILE', 'ETIMEDOUT', 'EHOSTDOWN'])(
      'keeps its files at %s, and says so once each time; the others go on',
      async (code) => {
        const said: string[] = [];
        const warn = (message: string): void => void said.push(message);
        const discovery = createPathDiscovery({ paths, monotonicMs: () => nowMs, warn, faults: noFaults });
        const poll = async (): Promise<readonly unknown[]> => {
          nowMs += 20_000;
          return discovery.poll();
        };
        const first = await poll();
        expect(first).toHaveLength(2);
        for (let round = 1; round <= 2; round += 1) {
          faults.set(a, code);
          for (let i = 0; i < 3; i += 1) expect(await poll()).toEqual(first);
          expect(said).toHaveLength(round);
          expect(said.at(-1)).toContain(`cannot look into ${a}: `);
          // A new file elsewhere is found meanwhile, and one that is gone there is gone.
          writeFileSync(join(b, 'new.out'), '');
          expect(await poll()).toHaveLength(3);
          rmSync(join(b, 'new.out'));
          expect(await poll()).toHaveLength(2);
          faults.clear();
          const after = await poll();
          // The same jobs, not new ones.
          expect(after).toEqual(first);
          expect(after[0]).toBe(first[0]);
        }
      }
    );

    it.each(['ENOENT', 'ENOTDIR'])('takes %s for an empty one', async (code) => {
      const discovery = createPathDiscovery({
        paths,
        monotonicMs: () => (nowMs += 20_000),
        warn: fail,
        faults: noFaults,
      });
      expect(await discovery.poll()).toHaveLength(2);
      faults.set(a, code);
      const found = (await discovery.poll()).flatMap(({ files }) => files.map(({ path }) => path));
      expect(found).not.toContain(join(a, 'job-1.out'));
      faults.clear();
    });
  });

  it.each(['EACCES', 'EIO', 'ESTALE', 'ENOTCONN'])('keeps a file whose name has signs at %s', async (code) => {
    const signs = join(folder, 'signs (a)');
    mkdirSync(signs, { recursive: true });
    const file = join(signs, '[job]*-1.out');
    for (const path of [file, join(signs, 'j-1.out')]) writeFileSync(path, '');
    const said: string[] = [];
    const discovery = createPathDiscovery({
      ...{ paths: [file], monotonicMs: () => (nowMs += 20_000), faults: noFaults },
      warn: (message) => said.push(message),
    });
    const first = await discovery.poll();
    expect(first.map(({ files }) => files.map(({ path }) => path))).toEqual([[file]]);
    for (let round = 1; round <= 2; round += 1) {
      faults.set(file, code);
      for (let i = 0; i < 3; i += 1) expect(await discovery.poll()).toEqual(first);
      expect(said).toHaveLength(round);
      faults.clear();
      expect((await discovery.poll())[0]).toBe(first[0]);
    }
  });

  it('forgets names of files that are gone', async () => {
    const many = join(folder, 'many');
    mkdirSync(many);
    const discovery = createPathDiscovery({
      paths: [many],
      monotonicMs: () => (nowMs += 20_000),
      warn: fail,
      faults: noFaults,
    });
    const first = join(many, 'first.out');
    writeFileSync(first, '');
    const [job] = await discovery.poll();
    // For a while it is still known, as a rotation may have its name.
    rmSync(first);
    writeFileSync(`${first}.1`, '');
    expect(await discovery.poll()).toEqual([]);
    writeFileSync(first, '');
    expect((await discovery.poll())[0]).toBe(job);
    rmSync(first);
    rmSync(`${first}.1`);
    for (let i = 0; i < 1500; i += 1) {
      writeFileSync(join(many, `x${i}.out`), '');
      if (i % 50 !== 49) continue;
      await discovery.poll();
      for (const name of readdirSync(many)) rmSync(join(many, name));
    }
    await discovery.poll();
    writeFileSync(first, '');
    const [again] = await discovery.poll();
    expect(again).toEqual(job);
    expect(again).not.toBe(job);
  });
});

function fail(message: string): void {
  throw new Error(message);
}
