import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { geteuid } from 'node:process';
import { CommandFile, sweepCommandFiles } from './command-file.js';
import { openUserFolder } from './user-folder.js';

const root = mkdtempSync(join(tmpdir(), 'joblens-peers-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const uid = geteuid?.() ?? 0;

class FileUnderTest extends CommandFile {
  takeOptions(): unknown[] {
    return this.take().map(({ options }) => options);
  }
}

/** Processes of one host; each is alive from its start until it is killed or leaves. */
class HostUnderTest {
  readonly folder = mkdtempSync(join(root, 'host-'));
  readonly alive = new Set<number>();
  readonly faults: string[] = [];
  nowMs = 1_000_000;
  readonly isAlive = (pid: number): boolean => this.alive.has(pid);

  start(pid: number, name = 'job'): FileUnderTest {
    this.alive.add(pid);
    return new FileUnderTest({
      ...{ folder: this.folder, name, member: [pid, '1'], isAlive: this.isAlive, startedMs: this.nowMs },
      monotonicMs: () => this.nowMs,
      onFault: (message) => this.faults.push(message),
    });
  }

  end(pid: number, file: CommandFile): void {
    file.leave();
    this.alive.delete(pid);
  }
}

describe('CommandFile', () => {
  it('tells all others what one has obeyed, in order, once, and not itself', () => {
    const host = new HostUnderTest();
    const [a, b, c] = [host.start(1), host.start(2), host.start(3)];
    expect([a.hasPeers, b.hasPeers, c.hasPeers]).toEqual([true, true, true]);
    a.publish({ mode: 'disabled' });
    b.publish({ mode: 'metadata', nonfinite: 'log' });
    expect(a.takeOptions()).toEqual([{ mode: 'metadata', nonfinite: 'log' }]);
    expect(c.takeOptions()).toEqual([{ mode: 'disabled' }, { mode: 'metadata', nonfinite: 'log' }]);
    expect([...c.takeOptions(), ...a.takeOptions()]).toEqual([]);
  });

  it('is of one job', () => {
    const host = new HostUnderTest();
    const [a, b] = [host.start(1), host.start(2, 'other')];
    a.publish({ mode: 'disabled' });
    expect([b.hasPeers, b.takeOptions()]).toEqual([false, []]);
  });

  it('tells who comes later what was obeyed before', () => {
    const host = new HostUnderTest();
    host.start(1).publish({ mode: 'disabled' });
    host.nowMs += 60_000;
    expect(host.start(2).takeOptions()).toEqual([{ mode: 'disabled' }]);
  });

  it('tells it also when the other was there at the same time, but has ended before it was ready', () => {
    const host = new HostUnderTest();
    const a = host.start(1);
    a.publish({ mode: 'disabled' });
    const startedMs = host.nowMs;
    host.nowMs += 500;
    host.end(1, a);
    const late = new FileUnderTest({
      ...{ folder: host.folder, name: 'job', member: [2, '1'], isAlive: host.isAlive, startedMs },
      ...{ monotonicMs: () => host.nowMs, onFault: () => undefined },
    });
    expect(late.takeOptions()).toEqual([{ mode: 'disabled' }]);
  });

  it.each([
    ['was killed', false],
    ['has ended', true],
  ])('says nothing of a job of the same name whose process %s', (_how, hasEnded) => {
    const host = new HostUnderTest();
    const a = host.start(1);
    a.publish({ mode: 'disabled' });
    if (hasEnded) host.end(1, a);
    host.alive.delete(1);
    host.nowMs += 1000;
    const b = host.start(2);
    expect([b.hasPeers, b.takeOptions()]).toEqual([false, []]);
    b.publish({ mode: 'metadata' });
    expect(host.start(3).takeOptions()).toEqual([{ mode: 'metadata' }]);
  });

  it('forgets peers that were killed', () => {
    const host = new HostUnderTest();
    const [a] = [host.start(1), host.start(2)];
    expect(a.hasPeers).toBe(true);
    host.alive.delete(2);
    host.nowMs += 10_000;
    expect(a.hasPeers).toBe(false);
  });

  it('leaves nothing behind when the last process goes, and what a kill leaves is removed later', () => {
    const host = new HostUnderTest();
    const [a, b] = [host.start(1), host.start(2)];
    a.publish({ mode: 'disabled' });
    host.nowMs += 60_000;
    host.end(1, a);
    host.end(2, b);
    expect(readdirSync(host.folder)).toEqual([]);
    host.start(3).publish({ mode: 'disabled' });
    host.alive.delete(3);
    const sweep = (): void =>
      sweepCommandFiles({ folder: host.folder, isAlive: host.isAlive, nowMs: () => host.nowMs });
    sweep();
    expect(readdirSync(host.folder)).toEqual(['job']);
    utimesSync(join(host.folder, 'job'), 1, 1);
    sweep();
    expect(readdirSync(host.folder)).toEqual([]);
  });

  it('goes on when somebody cleans up', () => {
    const host = new HostUnderTest();
    const [a, b] = [host.start(1), host.start(2)];
    a.publish({ mode: 'disabled' });
    expect(b.takeOptions()).toEqual([{ mode: 'disabled' }]);
    unlinkSync(join(host.folder, 'job'));
    expect([a.takeOptions(), b.takeOptions()]).toEqual([[], [{ mode: 'disabled' }]]);
    b.publish({ mode: 'enabled' });
    expect(a.takeOptions().at(-1)).toEqual({ mode: 'enabled' });
  });

  it('stays small, however many commands are obeyed, alone and among others', () => {
    const host = new HostUnderTest();
    const modes = ['disabled', 'metadata', 'enabled'] as const;
    const files = [host.start(1)];
    const size = (): number => statSync(join(host.folder, 'job')).size;
    for (let i = 0; i < 3000; i += 1) files[0]?.publish({ mode: modes[i % 3] ?? 'enabled' });
    expect(size()).toBeLessThan(80_000);
    files.push(host.start(2), host.start(3));
    expect(files[1]?.takeOptions().at(-1)).toEqual({ mode: 'enabled' });
    const last = files.map(() => '');
    for (let i = 0; i < 4000; i += 1) {
      host.nowMs += 1;
      const mode = modes[(i * 7) % 3] ?? 'enabled';
      files[i % 2]?.publish({ mode });
      last[i % 2] = mode;
      if (i % 5 > 0) continue;
      for (const [j, file] of files.entries()) {
        const taken = file.takeOptions().at(-1) as { mode: string } | undefined;
        last[j] = taken?.mode ?? last[j] ?? '';
      }
      expect(last[2]).toBe(mode);
      expect(last[1 - (i % 2)]).toBe(mode);
    }
    expect(size()).toBeLessThan(80_000);
    expect(host.faults).toEqual([]);
    expect(readdirSync(host.folder)).toEqual(['job']);
    for (const [i, file] of files.entries()) host.end(i + 1, file);
  });

  it('reads on behind a line that is cut off', () => {
    const host = new HostUnderTest();
    writeFileSync(join(host.folder, 'job'), '\n{"by":[7,"1"],"atMs":1,"wha');
    const [a, b] = [host.start(1), host.start(2)];
    a.publish({ mode: 'disabled' });
    expect(b.takeOptions()).toEqual([{ mode: 'disabled' }]);
  });
});

describe('openUserFolder', () => {
  const asRoot = uid === 0 ? it : it.skip;

  it('is one for all, and for nobody else', () => {
    const parent = mkdtempSync(join(root, 'p-'));
    expect(openUserFolder(['/none', parent], uid)).toBe(join(parent, `joblens-${uid}`));
    expect(openUserFolder([parent], uid)).toBe(join(parent, `joblens-${uid}`));
    chmodSync(join(parent, `joblens-${uid}`), 0o770);
    const other = openUserFolder([parent], uid) ?? '';
    expect(other).not.toBe(join(parent, `joblens-${uid}`));
    expect(openUserFolder([parent], uid)).toBe(other);
  });

  asRoot('is not to be taken by another user, nor led elsewhere', () => {
    const parent = mkdtempSync(join(root, 'p-'));
    const name = join(parent, `joblens-${uid}`);
    mkdirSync(name, { mode: 0o700 });
    chownSync(name, 12_345, 12_345);
    mkdirSync(`${name}-0`, { mode: 0o700 });
    chownSync(`${name}-0`, 12_345, 12_345);
    symlinkSync(root, `${name}-1`);
    const first = openUserFolder([parent], uid) ?? '';
    expect(existsSync(first)).toBe(true);
    expect([name, `${name}-0`, `${name}-1`]).not.toContain(first);
    expect(openUserFolder([parent], uid)).toBe(first);
  });
});
