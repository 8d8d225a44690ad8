import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  closeSync,
  openSync,
  writeSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { geteuid } from 'node:process';
import { describeWith } from '../../../../../test/components.js';
import { FileFollower, type FollowState } from './file-follower.js';
import { createFileSystem, type FileStatus, type FileSystem } from './file-system.js';
import { RefusedFileError } from './refused-file-error.js';

const root = mkdtempSync(join(tmpdir(), 'follower-'));
const started: FileFollower[] = [];
afterEach(async () => {
  for (const follower of started.splice(0)) await follower.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
const uid = userInfo().uid;

/** A follower of `job.out` in a folder of its own. Its output is one text, with `|` where new content begins. */
class Followed {
  readonly folder = mkdtempSync(join(root, 'f-'));
  readonly path = join(this.folder, 'job.out');
  text = '';
  nowMs = 1_000_000;
  steppedMs = 0;
  idleMs = 60_000;
  fileSystem: FileSystem;
  follower: FileFollower;

  constructor(fileSystem: FileSystem = createFileSystem()) {
    this.fileSystem = fileSystem;
    this.follower = this.#create();
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  append(text: string, name = 'job.out'): void {
    appendFileSync(this.at(name), text);
  }

  /** Polls until there is nothing more for now. */
  async poll(): Promise<FollowState> {
    let state = await this.follower.poll();
    while (state === 'more') state = await this.follower.poll();
    return state;
  }

  async read(): Promise<string> {
    await this.poll();
    return this.text;
  }

  /** Twice without a change: the file is settled, and given back when it may not stay open. */
  async settle(): Promise<void> {
    this.idleMs = -1;
    for (let i = 0; i < 4; i += 1) await this.poll();
    this.idleMs = 60_000;
  }

  /** `unread`: this many of the last bytes come again. */
  restart(unread = 0): void {
    const checkpoint = this.follower.snapshot()(unread);
    void this.follower.close();
    this.follower = this.#create(checkpoint);
  }

  #create(checkpoint?: string): FileFollower {
    const follower = new FileFollower({
      path: this.path,
      uid,
      fileSystem: this.fileSystem,
      clock: { nowMs: () => this.nowMs + this.steppedMs, monotonicMs: () => this.nowMs },
      idleMs: () => this.idleMs,
      checkpoint,
      sink: {
        write: (bytes) => {
          this.text += Buffer.from(bytes).toString('latin1');
          return Promise.resolve();
        },
        restart: () => void (this.text += '|'),
      },
    });
    started.push(follower);
    return follower;
  }
}

/** File times have the grain of the kernel's tick: content that is replaced within one cannot be told by time. */
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 12));

async function rotate(file: Followed): Promise<void> {
  await tick();
  for (const n of [3, 2, 1]) {
    try {
      renameSync(file.at(`job.out.${n}`), file.at(`job.out.${n + 1}`));
    } catch {
      // There are not that many yet.
    }
  }
  renameSync(file.path, file.at('job.out.1'));
}

async function copyTruncate(file: Followed): Promise<void> {
  await tick();
  copyFileSync(file.path, file.at('job.out.1'));
  truncateSync(file.path);
}

const BIG = Array.from({ length: 40_000 }, (_, i) => `line ${i}\n`).join('');

interface Scenario {
  readonly does: string;
  readonly play: (file: Followed) => Promise<void> | void;
  readonly gives: string;
}

/** After 'first\n' was read and the file is `open`, `closed`, or the follower was `restarted` from its checkpoint. */
const scenarios: readonly Scenario[] = [
  { does: 'nothing', play: () => undefined, gives: '' },
  { does: 'append', play: (file) => file.append('second\n'), gives: 'second\n' },
  { does: 'a line in parts', play: (file) => file.append('sec'), gives: 'sec' },
  { does: 'append much', play: (file) => file.append(BIG), gives: BIG },
  { does: 'truncate', play: (file) => truncateSync(file.path), gives: '|' },
  { does: 'truncate and write less', play: (file) => writeFileSync(file.path, 'ab\n'), gives: '|ab\n' },
  { does: 'truncate and write as much', play: (file) => writeFileSync(file.path, 'FIRST\n'), gives: '|FIRST\n' },
  { does: 'truncate and write more', play: (file) => writeFileSync(file.path, 'other\nxyz\n'), gives: '|other\nxyz\n' },
  {
    does: 'copy and truncate',
    async play(file) {
      file.append('second\n');
      await copyTruncate(file);
      file.append('third, longer than before\n');
    },
    gives: 'second\nthird, longer than before\n',
  },
  {
    does: 'copy and truncate twice',
    async play(file) {
      file.append('second\n');
      await copyTruncate(file);
      file.append('third\n');
      await tick();
      renameSync(file.at('job.out.1'), file.at('job.out.2'));
      await copyTruncate(file);
      file.append('fourth, longer than before\n');
    },
    gives: 'second\nthird\nfourth, longer than before\n',
  },
  {
    does: 'rename',
    async play(file) {
      file.append('second\n');
      await rotate(file);
    },
    gives: 'second\n',
  },
  {
    does: 'rotate',
    async play(file) {
      file.append('second\n');
      await rotate(file);
      file.append('third\n');
    },
    gives: 'second\nthird\n',
  },
  {
    does: 'rotate with a date',
    async play(file) {
      file.append('second\n');
      await tick();
      renameSync(file.path, file.at('job.out-20261121'));
      file.append('third\n');
      await tick();
      renameSync(file.path, file.at('job.out-20261122'));
      file.append('fourth\n');
    },
    gives: 'second\nthird\nfourth\n',
  },
  {
    does: 'rotate three times, with an old rotation that was never followed',
    async play(file) {
      for (const text of ['second\n', 'third\n', 'fourth\n']) {
        file.append(text);
        await rotate(file);
      }
      file.append('fifth\n');
    },
    gives: 'second\nthird\nfourth\nfifth\n',
  },
  {
    does: 'rotate into an empty file, the rest written to the old one',
    async play(file) {
      await rotate(file);
      file.append('', 'job.out');
      await file.poll();
      file.append('second\n', 'job.out.1');
      file.append('third\n');
    },
    gives: 'second\nthird\n',
  },
  {
    does: 'delete and make anew, larger, with the same inode where the file system gives it again',
    play(file) {
      unlinkSync(file.path);
      file.append('quite another content\n');
    },
    gives: 'quite another content\n',
  },
];

/** The machine's files, but for what is said of them. */
function forgeStatus(forge: (path: string, status: FileStatus) => FileStatus): FileSystem {
  const real = createFileSystem();
  return {
    ...real,
    lookUp: async (path) => {
      const status = await real.lookUp(path);
      return status && forge(path, status);
    },
    open: async (path) => {
      const handle = await real.open(path);
      return { ...handle, status: async () => forge(path, await handle.status()) };
    },
  };
}

describe('a follower that is to give bytes again after a restart', () => {
  it.each([
    ['few', 5],
    ['more than are known by their hash', 400],
    ['all', 2000],
  ])('gives %s of them again, once, and goes on', async (_what, unread) => {
    const file = new Followed();
    const first = Array.from({ length: 400 }, (_, i) => `${i % 10000}\n`.padStart(5)).join('');
    file.append(first);
    expect(await file.read()).toBe(first);
    file.restart(unread);
    file.append('next\n');
    const again = first.slice(-unread);
    expect(await file.read()).toBe(`${first}${again}next\n`);
    file.restart();
    file.append('last\n');
    expect(await file.read()).toBe(`${first}${again}next\nlast\n`);
  });

  it('gives them again from a file that was rotated away', async () => {
    const file = new Followed();
    file.append('one two ');
    await file.poll();
    await rotate(file);
    file.append('three');
    expect(await file.read()).toBe('one two three');
    file.restart(9);
    expect(await file.read()).toBe('one two threetwo three');
  });
});

describe('a sparse file', () => {
  it('is passed over where it is blank, and what stands in it and behind it is given', async () => {
    const file = new Followed();
    file.append('first\n');
    truncateSync(file.path, 2 ** 29);
    file.append('last\n');
    expect(await file.read()).toBe('first\n');
    file.nowMs += 6000;
    await file.poll();
    // The one blank piece with text in it is given; the others are not.
    expect(file.text.replaceAll('\0', '')).toBe('first\nlast\n');
    expect(file.text.length).toBeLessThan(2 ** 20);
  });
});

describeWith(['perl'], 'a sparse file of a terabyte', () => {
  it('is not read where it has holes', async () => {
    const file = new Followed();
    file.append('first\n');
    truncateSync(file.path, 2 ** 39);
    file.append('middle\n');
    truncateSync(file.path, 2 ** 40);
    file.append('last\n');
    expect(await file.read()).toBe('first\n');
    for (let i = 0; i < 20; i += 1) {
      file.nowMs += 2000;
      await file.follower.poll();
    }
    expect(file.text.replaceAll('\0', '')).toBe('first\nmiddle\nlast\n');
    expect(file.text.length).toBeLessThan(2 ** 21);
    const { text } = file;
    file.restart();
    expect(await file.read()).toBe(text);
  });
});

describe('FileFollower', () => {
  describe.each(['open', 'closed', 'restarted'] as const)('with the file %s', (how) => {
    it.each(scenarios)('$does', async ({ play, gives, does }) => {
      const file = new Followed();
      writeFileSync(file.at('job.out.1'), 'never followed\n');
      await tick();
      file.append('first\n');
      expect(await file.read()).toBe('first\n');
      if (how === 'closed') await file.settle();
      if (how === 'restarted') file.restart();
      await play(file);
      await file.poll();
      const isReused = does.startsWith('delete') && file.text.includes('|');
      expect(file.text.replace(isReused ? '|' : '', '')).toBe(`first\n${gives}`);
      // Nothing comes twice, not even after a restart from here.
      const { text } = file;
      await file.poll();
      file.restart();
      await file.poll();
      file.nowMs += 3_600_000;
      await file.poll();
      expect(file.text).toBe(text);
    });
  });

  it('reads the rest of a deleted file through its handle, forgets it after a while, and takes a new one', async () => {
    const file = new Followed();
    file.append('first\n');
    await file.poll();
    file.append('second\n');
    unlinkSync(file.path);
    expect(await file.read()).toBe('first\nsecond\n');
    expect(await file.poll()).toBe('missing');
    file.nowMs += 31_000;
    expect(await file.poll()).toBe('gone');
    file.append('third\n');
    expect(await file.read()).toBe('first\nsecond\nthird\n');
  });

  it('goes on with a file that was only renamed, for as long as it grows', async () => {
    const file = new Followed();
    file.append('first\n');
    await file.poll();
    renameSync(file.path, file.at('job.out.kept'));
    for (const text of ['second\n', 'third\n']) {
      await file.settle();
      file.nowMs += 60_000;
      file.restart();
      file.append(text, 'job.out.kept');
      await file.poll();
    }
    expect(file.text).toBe('first\nsecond\nthird\n');
  });

  it('sees other content behind the same first KiB', async () => {
    const file = new Followed();
    const header = `${'='.repeat(2000)}\n`;
    file.append(`${header}one run\n`);
    await file.poll();
    writeFileSync(file.path, `${header}next one, longer\n`);
    expect(await file.read()).toBe(`${header}one run\n|${header}next one, longer\n`);
  });

  it('reads what is written to the old file after the new one has begun', async () => {
    const file = new Followed();
    file.append('a1\n');
    await file.poll();
    await rotate(file);
    file.append('b1\n');
    await file.poll();
    file.append('a2\n', 'job.out.1');
    file.restart();
    file.append('b2\n');
    expect(await file.read()).toBe('a1\nb1\na2\nb2\n');
  });

  it('waits for a hole to be filled, and takes NUL bytes that stay', async () => {
    const file = new Followed();
    file.append('first\n\0\0\0\0\0');
    expect(await file.read()).toBe('first\n');
    expect(file.follower.hasHole).toBe(true);
    file.append('!\n');
    expect(await file.read()).toBe('first\n');
    const fd = openSync(file.path, 'r+');
    writeSync(fd, 'hole.', 6);
    closeSync(fd);
    expect(await file.read()).toBe('first\nhole.!\n');
    expect(file.follower.hasHole).toBe(false);
    file.append('x\0y\0');
    expect(await file.read()).toBe('first\nhole.!\nx');
    file.nowMs += 4000;
    file.append('z\0\n');
    expect(await file.read()).toBe('first\nhole.!\nx');
    file.nowMs += 1000;
    expect(await file.read()).toBe('first\nhole.!\nx\0y\0z');
    file.nowMs += 5000;
    expect(await file.read()).toBe('first\nhole.!\nx\0y\0z\0\n');
  });

  it('takes many old NUL bytes at once', async () => {
    const file = new Followed();
    const text = 'a\0'.repeat(500_000);
    file.append(text);
    await file.poll();
    file.nowMs += 5000;
    expect((await file.read()).length).toBe(text.length);
  });

  it.each([
    [
      'a link',
      'it is a symbolic link; name the file that it leads to',
      (file: Followed) => symlinkSync('/etc/passwd', file.path),
    ],
    ['a FIFO', 'it is not a regular file', (file: Followed) => void execFileSync('mkfifo', [file.path])],
    ['a folder', 'it is not a regular file', (file: Followed) => void execFileSync('mkdir', [file.path])],
  ])('refuses %s, also when it comes later', async (_, reason, make) => {
    const file = new Followed();
    make(file);
    await expect(file.poll()).rejects.toThrow(new RefusedFileError(reason));
    rmSync(file.path, { recursive: true });
    file.append('first\n');
    await file.poll();
    file.append('second\n');
    renameSync(file.path, file.at('job.out.1'));
    make(file);
    await expect(file.poll()).rejects.toThrow(RefusedFileError);
    expect(file.text).toBe('first\nsecond\n');
  });

  const itAsRoot = geteuid?.() === 0 ? it : it.skip;
  itAsRoot("refuses another user's file, also when it comes later", async () => {
    const file = new Followed();
    file.append('first\n');
    await file.poll();
    renameSync(file.path, file.at('job.out.1'));
    file.append('stolen\n');
    chownSync(file.path, 12_345, 12_345);
    await expect(file.poll()).rejects.toThrow(/belongs to user id 12345, the job to 0/);
    chownSync(file.path, 0, 0);
    expect(await file.read()).toBe('first\nstolen\n');
  });

  it('tries again what it could not open', async () => {
    let isDenied = true;
    const real = createFileSystem();
    const open: FileSystem['open'] = (path) =>
      isDenied ? Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES' })) : real.open(path);
    const file = new Followed({ ...real, open });
    file.append('first\n');
    chmodSync(file.path, 0o600);
    await expect(file.poll()).rejects.toThrow('EACCES');
    isDenied = false;
    expect(await file.read()).toBe('first\n');
  });

  it('opens a file anew whose handle has become stale', async () => {
    let isStale = false;
    const real = createFileSystem();
    const open: FileSystem['open'] = async (path) => {
      const handle = await real.open(path);
      const read: typeof handle.read = (buffer, position) =>
        isStale ? Promise.reject(new Error('ESTALE')) : handle.read(buffer, position);
      return { ...handle, read };
    };
    const file = new Followed({ ...real, open });
    file.append('first\n');
    await file.poll();
    file.append('second\n');
    isStale = true;
    await expect(file.poll()).rejects.toThrow('ESTALE');
    isStale = false;
    expect(await file.read()).toBe('first\nsecond\n');
  });

  it('reads on where the size says less or more than there is', async () => {
    let lie = 0;
    const real = createFileSystem();
    const bend = (status: FileStatus): FileStatus => ({ ...status, size: status.size + lie });
    const file = new Followed({
      ...real,
      lookUp: async (path) => {
        const status = await real.lookUp(path);
        return status && bend(status);
      },
      open: async (path) => {
        const handle = await real.open(path);
        return { ...handle, status: async () => bend(await handle.status()) };
      },
    });
    lie = -3;
    file.append('first\n');
    expect(await file.read()).toBe('first\n');
    lie = 100;
    for (let i = 0; i < 3; i += 1) await file.poll();
    lie = 0;
    file.append('second\n');
    expect(await file.read()).toBe('first\nsecond\n');
  });

  it('sees by the content alone that a deleted file came again with its inode', async () => {
    const file = new Followed(forgeStatus((_, status) => ({ ...status, ino: 7n, birthNs: 0n })));
    file.append('first\n');
    await file.settle();
    unlinkSync(file.path);
    file.append('another, longer\n');
    expect(await file.read()).toBe('first\n|another, longer\n');
  });

  it('sees by the birth alone that an empty file came again with its inode, after another that was rotated away', async () => {
    const file = new Followed(
      forgeStatus((path, status) => (basename(path) === 'job.out' ? { ...status, ino: 7n } : status))
    );
    file.append('');
    expect(await file.read()).toBe('');
    file.restart();
    await new Promise((resolve) => setTimeout(resolve, 20));
    unlinkSync(file.path);
    file.append('between\n');
    renameSync(file.path, file.at('job.out.1'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    file.append('last\n');
    expect(await file.read()).toBe('|between\nlast\n');
  });

  it('sees by the time of its change that a skipped file was written anew with the same content', async () => {
    const file = new Followed();
    file.append('a warning\n');
    await file.follower.skip();
    expect(await file.read()).toBe('');
    await tick();
    writeFileSync(file.path, 'a warning\n');
    expect(await file.read()).toBe('|a warning\n');
    // Once it was read, its time alone says nothing: some file systems tell of a change late.
    await tick();
    utimesSync(file.path, new Date(), new Date());
    expect(await file.read()).toBe('|a warning\n');
    file.append('an error\n');
    expect(await file.read()).toBe('|a warning\nan error\n');
  });

  it('reads a file that grows while it is read', async () => {
    const file = new Followed();
    let written = '';
    for (let i = 0; i < 200; i += 1) {
      const text = `line ${i} ${'x'.repeat((i * 37) % 3000)}\n`;
      written += text;
      const polling = file.poll();
      file.append(text);
      await polling;
    }
    expect((await file.read()) === written).toBe(true);
    expect(readFileSync(file.path, 'latin1') === written).toBe(true);
  });
});
