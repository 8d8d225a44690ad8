import {
  appendFileSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/random-cases.js';
import { createSystemClock } from '../../../clock/clock.js';
import { FileFollower } from './file-follower.js';
import { createFileSystem, type FileSystem } from './file-system.js';

const root = mkdtempSync(join(tmpdir(), 'follower-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
jest.setTimeout(3_600_000);

const runs = randomCases(60);
/** File times have the grain of the kernel's tick: what is removed must differ in time from what is left. */
const TICK_MS = 10;

type Step =
  | { readonly do: 'append'; readonly length: number }
  | { readonly do: 'rotate' | 'copyTruncate' | 'truncate' | 'rewrite' | 'recreate' }
  /** `settle`: until the file is given back. `crash`: all since the last `commit` is forgotten. */
  | { readonly do: 'poll' | 'settle' | 'commit' | 'crash' | 'restart' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      length: fc.oneof({ weight: 5, arbitrary: fc.nat(40) }, { weight: 1, arbitrary: fc.nat(600_000) }),
    }),
  },
  { weight: 6, arbitrary: fc.constant({ do: 'poll' } as const) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...(['rotate', 'copyTruncate', 'truncate', 'rewrite', 'recreate'] as const).map((each) => ({ do: each }))
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(...(['settle', 'commit', 'crash', 'restart'] as const).map((each) => ({ do: each }))),
  }
);

/**
 * A writer and a follower of its file. What has to come is known: all that was written, apart from what was removed
 * before it was read.
 */
class Play {
  readonly #folder = mkdtempSync(join(root, 'p-'));
  readonly #path = join(this.#folder, 'job.out');
  #expected = '';
  /** Where in `#expected` the content begins that the file holds now. */
  #contentFrom = 0;
  #delivered = '';
  #committed = { delivered: '', checkpoint: undefined as string | undefined };
  #idleMs = 1000;
  #count = 0;
  #follower = this.#create(undefined);

  async do(what: Step): Promise<void> {
    switch (what.do) {
      case 'append': {
        this.#append(what.length);
        return;
      }
      case 'poll':
        return this.#poll();
      case 'settle':
        return this.#settle();
      case 'commit': {
        this.#commit();
        return;
      }
      case 'crash':
      case 'restart':
        return this.#restart(what.do === 'crash');
      default:
        return this.#replace(what.do);
    }
  }

  /** A file that comes and goes between two polls is known only by its earlier state. */
  async begin(): Promise<void> {
    this.#append(5);
    await this.#poll();
    this.#commit();
  }

  async end(): Promise<void> {
    this.#append(5);
    await this.#poll();
    await this.#poll();
    expect(this.#delivered.length).toBe(this.#expected.length);
    expect(this.#delivered === this.#expected).toBe(true);
    await this.#follower.close();
    rmSync(this.#folder, { recursive: true });
  }

  #append(length: number): void {
    this.#count += 1;
    const text = `${this.#count}:${String.fromCharCode(97 + (this.#count % 26)).repeat(length)}\n`;
    appendFileSync(this.#path, text);
    this.#expected += text;
  }

  async #replace(how: 'rotate' | 'copyTruncate' | 'truncate' | 'rewrite' | 'recreate'): Promise<void> {
    if (!existsSync(this.#path)) return;
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    // The rest of a deleted file comes when its handle is open, and else not: tested elsewhere.
    if (how === 'recreate') await this.#poll();
    // Nobody can tell a copy of a content of which nothing was read.
    const isUnread = this.#delivered.length <= this.#contentFrom;
    if (how !== 'rotate' && (how !== 'copyTruncate' || isUnread)) {
      const kept = Math.max(this.#delivered.length, this.#contentFrom);
      this.#expected = this.#expected.slice(0, kept);
      this.#commit();
    }
    this.#contentFrom = this.#expected.length;
    if (how === 'rotate') this.#shift();
    if (how === 'rotate') {
      renameSync(this.#path, `${this.#path}.1`);
      return;
    }
    if (how === 'copyTruncate') {
      this.#shift();
      copyFileSync(this.#path, `${this.#path}.1`);
      // A copy of what was lost for the model is a rotation like any other for the follower.
      if (isUnread) unlinkSync(`${this.#path}.1`);
    }
    if (how === 'recreate') {
      unlinkSync(this.#path);
      return;
    }
    if (how === 'rewrite') writeFileSync(this.#path, '');
    else truncateSync(this.#path);
    if (how === 'rewrite') this.#append(300);
  }

  /** `.1` becomes `.2` and so on. */
  #shift(): void {
    const numbers = readdirSync(this.#folder).map((name) => Number(/\.(\d+)$/.exec(name)?.[1] ?? 0));
    for (const n of numbers.filter((each) => each > 0).sort((a, b) => b - a)) {
      renameSync(`${this.#path}.${n}`, `${this.#path}.${n + 1}`);
    }
  }

  async #poll(): Promise<void> {
    while ((await this.#follower.poll()) === 'more');
    expect(this.#expected.startsWith(this.#delivered)).toBe(true);
  }

  async #settle(): Promise<void> {
    this.#idleMs = -1;
    for (let i = 0; i < 4; i += 1) await this.#poll();
    this.#idleMs = 1000;
  }

  #commit(): void {
    this.#committed = { delivered: this.#delivered, checkpoint: this.#follower.snapshot()(0) };
  }

  async #restart(isCrash: boolean): Promise<void> {
    if (!isCrash) this.#commit();
    await this.#follower.close();
    this.#delivered = this.#committed.delivered;
    this.#follower = this.#create(this.#committed.checkpoint);
  }

  #create(checkpoint: string | undefined): FileFollower {
    return new FileFollower({
      path: this.#path,
      uid: userInfo().uid,
      fileSystem: createFileSystem(),
      clock: createSystemClock(),
      idleMs: () => this.#idleMs,
      checkpoint,
      sink: {
        write: (bytes) => {
          this.#delivered += Buffer.from(bytes).toString('latin1');
          // A kill may come at any time, also between two writes.
          if (this.#delivered.length % 3 === 0) this.#commit();
          return Promise.resolve();
        },
        restart: () => undefined,
      },
    });
  }
}

function changeFile(path: string, what: string): void {
  const isThere = existsSync(path) && !lstatSync(path).isSymbolicLink();
  if (what === 'append' || !isThere) {
    if (!isThere) rmSync(path, { force: true });
    appendFileSync(path, 'some output\n'.repeat(30));
  } else if (what === 'truncate') truncateSync(path);
  else if (what === 'rotate') renameSync(path, `${path}.1`);
  else if (what === 'copyTruncate') {
    copyFileSync(path, `${path}.1`);
    truncateSync(path);
  } else {
    rmSync(path);
    if (what === 'link') symlinkSync('/etc/passwd', path);
  }
}

/** The machine's files, on which one in a number of calls fails; counts the open ones. */
function createFaultyFileSystem(fails: () => boolean): FileSystem {
  const call = async <T>(what: () => Promise<T>): Promise<T> => {
    if (fails()) throw Object.assign(new Error('a fault'), { code: 'EIO' });
    return what();
  };
  const files = createFileSystem();
  return {
    get openFiles() {
      return files.openFiles;
    },
    lookUp: (path) => call(() => files.lookUp(path)),
    listFolder: (path) => files.listFolder(path),
    open: (path) =>
      call(async () => {
        const file = await files.open(path);
        return {
          status: () => call(() => file.status()),
          read: (buffer, position) => call(() => file.read(buffer, position)),
          close: () => file.close(),
        };
      }),
  };
}

describe('FileFollower', () => {
  it('leaves no file open when it is closed, whatever failed and whatever happened to the file', async () => {
    const change = fc.constantFrom('append', 'rotate', 'copyTruncate', 'truncate', 'delete', 'link');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(change, fc.infiniteStream(fc.nat(9))), { maxLength: 12 }),
        fc.nat(3),
        async (steps, rate) => {
          const folder = mkdtempSync(join(root, 'c-'));
          const path = join(folder, 'job.out');
          let chances: Iterator<number> = [][Symbol.iterator]();
          const fileSystem = createFaultyFileSystem(() => (chances.next().value ?? 9) < rate);
          const options = { path, uid: userInfo().uid, fileSystem, clock: createSystemClock(), idleMs: () => 1000 };
          const sink = { write: () => Promise.resolve(), restart: () => undefined };
          const follower = new FileFollower({ ...options, sink });
          for (const [what, rolls] of steps) {
            changeFile(path, what);
            chances = rolls[Symbol.iterator]();
            for (let i = 0; i < 3; i += 1) await follower.poll().catch(() => undefined);
          }
          await follower.close();
          expect(fileSystem.openFiles).toBe(0);
          rmSync(folder, { recursive: true });
        }
      ),
      { numRuns: runs }
    );
  });

  it('delivers each byte once and in order, whatever happens to the file and to itself', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const play = new Play();
        await play.begin();
        for (const each of steps) await play.do(each);
        await play.end();
      }),
      { numRuns: runs }
    );
  });
});
