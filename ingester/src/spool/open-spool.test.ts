import type { QueueRecord } from '../queue/point-queue.js';
import type { Spool } from './open-folder.js';
import { openSpool, type SpoolOptions } from './open-spool.js';
import { adoptLeftovers } from './adopt-leftovers.js';
import { listSpools } from './list-spools.js';
import { ModelDisk } from './testing/model-disk.js';
import { createModelProcess, type ModelProcess, settle } from './testing/place.js';

const DESTINATION = { url: 'http://127.0.0.1:8086', bucket: 'logs' };
const LIMITS = { maxPoints: 100, maxBytes: 100_000 };
const never = new AbortController().signal;

function createRecord(text: string, change: Partial<QueueRecord> = {}): QueueRecord {
  return { bytes: Buffer.from(`${text}\n`), points: 1, states: [], isUrgent: false, ...change };
}

async function open(process: ModelProcess, options: Partial<SpoolOptions> = {}): Promise<Spool> {
  const opened = await openSpool({ ...process, role: 'job', destination: DESTINATION, sources: [], ...options });
  if (!opened.ok) throw new Error(opened.error);
  return opened.value;
}

async function adopt(process: ModelProcess, roles: readonly ('job' | 'watch')[] = ['job']): Promise<Spool[]> {
  const adopted = await adoptLeftovers(process, { destination: DESTINATION, roles });
  if (!adopted.ok) throw new Error(adopted.error);
  return [...adopted.value.spools];
}

/** Moves the clock until all appended records are durable. */
async function sync({ clock }: ModelProcess): Promise<void> {
  await settle();
  await clock.advance(60);
  await settle();
}

async function readText(spool: Spool): Promise<string | undefined> {
  return (await spool.read(LIMITS))?.bytes.toString();
}

describe('openSpool', () => {
  it('goes on with what a dead serve has left, and lets several live', async () => {
    const [disk, alive] = [new ModelDisk(), new Set([1, 2, 3])];
    const state = { key: 'k', kind: 'whole', value: '"kept"' } as const;
    const [first, second] = [createModelProcess(disk, 1, alive), createModelProcess(disk, 2, alive)];
    const spool = await open(first, { role: 'serve' });
    spool.append(createRecord('a', { states: [state] }));
    await sync(first);
    const other = await open(second, { role: 'serve' });
    expect([...other.states]).toEqual([]);
    alive.delete(1);
    expect(await adopt(second)).toEqual([]);
    const next = await open(createModelProcess(disk, 3, alive), { role: 'serve' });
    expect([...next.states]).toEqual([['k', ['"kept"']]]);
    expect(await readText(next)).toBe('a\n');
  });

  it('gives points out only when they are durable, and again until they are released', async () => {
    const disk = new ModelDisk();
    const process = createModelProcess(disk, 1, new Set([1]));
    const spool = await open(process);
    disk.isSyncSlow = true;
    spool.append(createRecord('a'));
    const reading = readText(spool);
    await sync(process);
    const waited = await Promise.race([reading, settle().then(() => 'waiting')]);
    disk.endSlowSyncs();
    expect([waited, await reading, await readText(spool)]).toEqual(['waiting', 'a\n', 'a\n']);
    expect([spool.waitingPoints, spool.waitingBytes]).toEqual([1, 2]);
    await spool.release();
    expect([spool.waitingPoints, spool.waitingBytes, spool.fill]).toEqual([0, 0, 0]);
    expect(await readText(spool)).toBeUndefined();
  });

  it('makes durable at once what somebody waits for, and says when that is so', async () => {
    const disk = new ModelDisk();
    const process = createModelProcess(disk, 1, new Set([1]));
    const spool = await open(process);
    expect(await spool.untilDurable()).toBe(true);
    const said: string[] = [];
    const wait = async (name: string): Promise<void> => {
      spool.append(createRecord(name));
      void spool.untilDurable().then((isDurable) => said.push(`${name} ${isDurable}`));
      await settle();
    };
    await wait('a');
    expect(said).toEqual(['a true']);
    disk.isSyncSlow = true;
    await wait('b');
    await wait('c');
    expect(said).toEqual(['a true']);
    disk.endSlowSyncs();
    await settle();
    expect(said).toEqual(['a true', 'b true', 'c true']);
    disk.syncFailure = 'EIO';
    await wait('d');
    expect(said).toEqual(['a true', 'b true', 'c true', 'd false']);
  });

  it('reads whole records up to the limits', async () => {
    const process = createModelProcess(new ModelDisk(), 1, new Set([1]));
    const spool = await open(process);
    for (const text of ['a', 'b', 'c', 'd']) spool.append(createRecord(text, { points: 2 }));
    await sync(process);
    const read: (string | undefined)[] = [];
    for (const limits of [
      { maxPoints: 5, maxBytes: 100 },
      { maxPoints: 1, maxBytes: 100 },
      { maxPoints: 9, maxBytes: 1 },
    ]) {
      read.push((await spool.read(limits))?.bytes.toString());
      await spool.release();
    }
    expect(read).toEqual(['a\nb\n', 'c\n', 'd\n']);
  });

  it('reads ahead what comes after the points that were read, when there is more', async () => {
    const process = createModelProcess(new ModelDisk(), 1, new Set([1]));
    const spool = await open(process);
    const limits = { maxPoints: 1, maxBytes: 100 };
    for (const text of ['a', 'b']) spool.append(createRecord(text));
    await sync(process);
    expect(await spool.readAhead(limits)).toBeUndefined();
    await spool.read(limits);
    const ahead = await spool.readAhead(limits);
    expect([ahead?.bytes.toString(), await readText(spool)]).toEqual(['b\n', 'a\n']);
    await spool.release();
    expect(await spool.read(limits)).toBe(ahead);
    expect(await spool.readAhead(limits)).toBeUndefined();
    await spool.release();
    expect([spool.waitingPoints, spool.fill]).toEqual([0, 0]);
  });

  it('removes its folder when it is closed empty, and leaves it when points wait', async () => {
    const disk = new ModelDisk();
    const process = createModelProcess(disk, 1, new Set([1, 2]));
    const [empty, full] = [await open(process), await open(process)];
    full.append(createRecord('a'));
    await empty.close();
    await full.close();
    const again = await open(process);
    again.append(createRecord('b'));
    await again.close();
    const [summary, ...more] = await listSpools(process);
    expect(more).toMatchObject([{ isAlive: false, waitingPoints: 1 }]);
    expect(summary).toMatchObject({ isAlive: false, waitingPoints: 1, waitingBytes: 2, damagedRecords: 0 });
    expect(summary?.destination).toBe('{"bucket":"logs","url":"http://127.0.0.1:8086"}');
  });

  it('says no when it is full, keeps a reserve for what is urgent, and takes more when there is room', async () => {
    const process = createModelProcess(new ModelDisk(), 1, new Set([1]));
    const spool = await open(process, { maxBytes: 64 << 10 });
    let taken = 0;
    while (spool.append(createRecord('x'.repeat(1000)))) {
      taken += 1;
      await settle(1);
    }
    expect(taken).toBeGreaterThan(50);
    expect(spool.fill).toBe(1);
    expect(spool.append(createRecord('y', { isUrgent: true }))).toBe(true);
    await sync(process);
    const waiting = spool.untilFill(0.5, never);
    while (spool.fill > 0.5) {
      expect(await readText(spool)).toBeDefined();
      await spool.release();
      await settle();
    }
    await waiting;
    expect(spool.append(createRecord('z'))).toBe(true);
  });

  type SetFailure = (disk: ModelDisk, code?: string) => void;
  const diskFailures: [string, SetFailure, string][] = [
    ['a full disk', (disk, code) => (disk.writeFailure = code), 'ENOSPC'],
    ['a disk that does not sync', (disk, code) => (disk.syncFailure = code), 'EIO'],
  ];

  it.each(diskFailures)('lets sources that can wait do so after %s, with two lines', async (_, setFailure, code) => {
    const disk = new ModelDisk();
    const process = createModelProcess(disk, 1, new Set([1]));
    const spool = await open(process, { role: 'watch' });
    await sync(process);
    setFailure(disk, code);
    expect(spool.append(createRecord('a'))).toBe(true);
    await sync(process);
    expect([spool.append(createRecord('b')), spool.fill]).toEqual([false, 1]);
    for (let i = 0; i < 3; i += 1) await process.clock.advance(3000);
    setFailure(disk, undefined);
    await settle();
    await process.clock.advance(3000);
    await settle();
    expect(spool.append(createRecord('c'))).toBe(true);
    await sync(process);
    expect(await readText(spool)).toBe('a\nc\n');
    expect(process.messages).toEqual([
      expect.stringMatching(`failed \\(${code}\\): nothing more is logged`),
      expect.stringMatching('works again'),
    ]);
  });

  it.each(diskFailures)(
    'takes points without %s, gives them out, and goes on when it is well',
    async (_, setFailure, code) => {
      const disk = new ModelDisk();
      const process = createModelProcess(disk, 1, new Set([1, 2]));
      const spool = await open(process);
      spool.append(createRecord('a'));
      await sync(process);
      setFailure(disk, code);
      for (const text of ['b', 'c']) {
        expect(spool.append(createRecord(text))).toBe(true);
        await sync(process);
      }
      expect([spool.relief, spool.diskFailure]).toEqual(['sending', code]);
      expect(await readText(spool)).toBe('a\nb\nc\n');
      await spool.release();
      spool.append(createRecord('d'));
      const isSafe = spool.untilDurable();
      expect(await readText(spool)).toBe('d\n');
      await spool.release();
      expect([await isSafe, spool.waitingPoints, spool.fill]).toEqual([true, 0, 0]);
      spool.append(createRecord('e'));
      setFailure(disk, undefined);
      for (let i = 0; i < 2; i += 1) await process.clock.advance(3000);
      await sync(process);
      spool.append(createRecord('f'));
      await sync(process);
      expect([spool.relief, spool.diskFailure]).toEqual([undefined, undefined]);
      expect(process.messages).toEqual([
        expect.stringMatching(`failed \\(${code}\\): points wait in memory alone`),
        expect.stringMatching('works again'),
      ]);
      disk.cutPower(() => 0.9);
      const next = createModelProcess(disk, 2, new Set([2]));
      const [left] = await adopt(next);
      expect(left && (await readText(left))).toBe('e\nf\n');
      expect(next.messages).toEqual([]);
    }
  );

  it('drops nothing of the memory that it may use for a disk that takes nothing, and no more', async () => {
    const disk = new ModelDisk();
    const process = createModelProcess(disk, 1, new Set([1]));
    const spool = await open(process);
    disk.writeFailure = 'ENOSPC';
    const text = 'x'.repeat(1 << 20);
    let taken = 0;
    while (spool.append(createRecord(text))) {
      taken += 1;
      await settle(1);
    }
    expect([taken, spool.fill]).toEqual([32, 1]);
    await readText(spool);
    await spool.release();
    expect(spool.append(createRecord(text))).toBe(true);
  });

  it('has room again when a record that is larger than all of it was sent', async () => {
    const process = createModelProcess(new ModelDisk(), 1, new Set([1]));
    const spool = await open(process, { maxBytes: 1000 });
    expect(spool.append(createRecord('x'.repeat(5000)))).toBe(true);
    await sync(process);
    expect([spool.fill, spool.append(createRecord('more'))]).toEqual([1, false]);
    await readText(spool);
    await spool.release();
    await settle();
    expect(spool.fill).toBe(0);
    expect(spool.append(createRecord('more'))).toBe(true);
    await sync(process);
    expect(await readText(spool)).toBe('more\n');
  });

  it('notices that its folder was removed, makes it anew, and says what is lost', async () => {
    const disk = new ModelDisk();
    const process = createModelProcess(disk, 1, new Set([1, 2]));
    const spool = await open(process);
    // More than is held in memory for a sender that keeps up.
    for (let i = 0; i < 3; i += 1) {
      spool.append(createRecord('x'.repeat(900_000)));
      await sync(process);
    }
    disk.removeTree('/spool');
    spool.append(createRecord('after'));
    await sync(process);
    await sync(process);
    expect(spool.diskFailure).toBeUndefined();
    expect([spool.waitingPoints, spool.hasLost]).toEqual([2, true]);
    expect(process.messages.at(-2)).toMatch(/was removed, .*: 2 points that waited there are lost; it is made anew/);
    disk.removeTree('/spool');
    spool.append(createRecord('last'));
    await spool.close();
    disk.kill();
    const next = createModelProcess(disk, 2, new Set([2]));
    const [left] = await adopt(next);
    const batch = await left?.read({ maxPoints: 10, maxBytes: 1e7 });
    expect(batch?.bytes.toString().replace(/x+/, 'x')).toBe('x\nafter\nlast\n');
    expect(next.messages).toEqual([]);
  });

  it('loses of a damaged durable record only that record, and says so', async () => {
    const disk = new ModelDisk();
    const process = createModelProcess(disk, 1, new Set([1, 2]));
    const spool = await open(process);
    for (const text of ['a'.repeat(50), 'b'.repeat(50), 'c'.repeat(50)]) {
      spool.append(createRecord(text));
      await sync(process);
    }
    disk.kill();
    const next = createModelProcess(disk, 2, new Set([2]));
    const [folder = ''] = await next.fs.list('/spool');
    const segment = (await next.fs.list(`/spool/${folder}`)).find((name) => name.endsWith('.segment'));
    // A byte in the header of the second record: the first one takes 91.
    disk.damage(`/spool/${folder}/${segment}`, 91 + 20);
    const [left] = await adopt(next);
    expect(left?.waitingPoints).toBe(2);
    expect(left && (await readText(left))).toBe(`${'a'.repeat(50)}\n${'c'.repeat(50)}\n`);
    expect(next.messages).toEqual([expect.stringMatching(/^1 records of the spool .* are damaged/)]);
  });

  it('waits for no damaged record that was passed while reading ahead', async () => {
    const disk = new ModelDisk();
    const process = createModelProcess(disk, 1, new Set([1, 2]));
    const spool = await open(process);
    for (const text of ['a'.repeat(50), 'b'.repeat(50)]) {
      spool.append(createRecord(text));
      await sync(process);
    }
    disk.kill();
    const next = createModelProcess(disk, 2, new Set([2]));
    const [left] = await adopt(next);
    const [folder = ''] = await next.fs.list('/spool');
    const segment = (await next.fs.list(`/spool/${folder}`)).find((name) => name.endsWith('.segment'));
    disk.damage(`/spool/${folder}/${segment}`, 40 + 91 + 50);
    await left?.read({ maxPoints: 1, maxBytes: 1 });
    expect(await left?.readAhead(LIMITS)).toBeUndefined();
    await left?.release();
    expect([left?.waitingPoints, left && (await readText(left))]).toEqual([0, undefined]);
  });

  it.each([
    ['belongs to another user', { uid: 1000, mode: 0o700, kind: 'folder' as const }],
    ['can be written by other users', { uid: 0, mode: 0o770, kind: 'folder' as const }],
    ['is not a folder', { uid: 0, mode: 0o777, kind: 'other' as const }],
  ])('refuses a folder that %s', async (problem, facts) => {
    const process = createModelProcess(new ModelDisk(), 1, new Set([1]));
    const fs = { ...process.fs, stat: () => Promise.resolve({ ...facts, sizeBytes: 0, modifiedMs: 0 }) };
    const opened = await openSpool({ ...process, sources: [], fs, role: 'job', destination: DESTINATION });
    expect(opened).toEqual({ ok: false, error: `the spool folder /spool ${problem}: choose another one with --spool` });
  });
});

describe('watch', () => {
  const states = (value: string): QueueRecord['states'] => [{ key: 'k', kind: 'change', value }];

  it('goes on with the states and points of a dead one, which others may only send', async () => {
    const disk = new ModelDisk();
    const first = createModelProcess(disk, 1, new Set([1]));
    const spool = await open(first, { role: 'watch' });
    spool.append(createRecord('a', { states: [{ key: 'k', kind: 'whole', value: '1' }] }));
    spool.append(createRecord('b', { states: states('2') }));
    await settle();
    disk.kill();
    const drain = createModelProcess(disk, 2, new Set([2]));
    expect(await adopt(drain)).toEqual([]);
    const [left] = await adopt(drain, ['job', 'watch']);
    expect(left && (await readText(left))).toBe('a\nb\n');
    await left?.release();
    await left?.close();
    const next = await open(createModelProcess(disk, 3, new Set([2, 3])), { role: 'watch' });
    expect([...next.states]).toEqual([['k', ['1', '2']]]);
    expect(next.waitingPoints).toBe(0);
  });

  it('takes points although the state alone is larger than the spool may be', async () => {
    const disk = new ModelDisk();
    const large = { key: 'k', kind: 'whole' as const, value: 'x'.repeat(20_000) };
    const first = await open(createModelProcess(disk, 1, new Set([1])), { role: 'watch' });
    first.append(createRecord('a', { states: [large] }));
    await first.close();
    const second = createModelProcess(disk, 2, new Set([2]));
    const spool = await open(second, { role: 'watch', maxBytes: 10_000 });
    await sync(second);
    await readText(spool);
    await spool.release();
    await sync(second);
    expect([spool.append(createRecord('b')), spool.fill < 0.5]).toEqual([true, true]);
  });

  it('is refused while another one lives, which is named', async () => {
    const disk = new ModelDisk();
    await open(createModelProcess(disk, 1, new Set([1])), { role: 'watch' });
    const second = createModelProcess(disk, 2, new Set([1, 2]));
    const opened = await openSpool({ ...second, sources: [], role: 'watch', destination: DESTINATION });
    expect(opened.ok ? '' : opened.error).toMatch(/^another process \(pid 1 on node1\)/);
  });
});

describe('adoptLeftovers', () => {
  it('misses nothing of a process that ends and removes its spool just then', async () => {
    const disk = new ModelDisk();
    const alive = new Set([1, 2]);
    const spool = await open(createModelProcess(disk, 1, alive));
    const process = createModelProcess(disk, 2, alive);
    const list = async (folder: string): Promise<string[]> => {
      const names = await process.fs.list(folder);
      await spool.close();
      alive.delete(1);
      return names;
    };
    expect(await adopt({ ...process, fs: { ...process.fs, list } })).toEqual([]);
    expect(process.messages).toEqual([]);
  });

  it.each([
    ['of a dead process', 1, new Set([2]), DESTINATION, 1],
    ['of a live process', 0, new Set([1, 2]), DESTINATION, 1],
    ['with another destination', 0, new Set([2]), { ...DESTINATION, bucket: 'other' }, 1],
    ['that are empty', 0, new Set([2]), DESTINATION, 0],
  ])('takes spools %s: %p', async (_, expected, alive, destination, records) => {
    const disk = new ModelDisk();
    const process = createModelProcess(disk, 1, new Set([1]));
    const spool = await open(process, { destination });
    for (let i = 0; i < records; i += 1) spool.append(createRecord('a'));
    await settle();
    disk.kill();
    const other = createModelProcess(disk, 2, alive);
    const adopted = await adopt(other);
    expect(adopted).toHaveLength(expected);
    for (const left of adopted) {
      expect(left.append(createRecord('b'))).toBe(false);
      expect(await readText(left)).toBe('a\n');
      await left.release();
      await left.close();
    }
    expect(await listSpools(other)).toHaveLength(expected === 1 || records === 0 ? 0 : 1);
  });

  it('says once of a job that was left open by a kill that it is lost, and of no other', async () => {
    const sinceNs = '1700000000000000000';
    const job = { job: 'j', user: 'u', state: 'RUNNING', sinceNs };
    const found: string[] = [];
    for (const end of ['killed', 'ended', 'closed'] as const) {
      const disk = new ModelDisk();
      const process = createModelProcess(disk, 1, new Set([1]));
      const spool = await open(process);
      spool.noteJob(job);
      spool.append(createRecord('m a=1 1700000001234567890'));
      await sync(process);
      if (end === 'ended') spool.noteJob(undefined);
      await sync(process);
      if (end === 'closed') {
        spool.noteJob(undefined);
        await spool.close();
      }
      disk.kill();
      for (let pid = 2; pid < 4; pid += 1) {
        const next = createModelProcess(disk, pid, new Set([pid]));
        const adopted = await adoptLeftovers(next, {
          ...{ destination: DESTINATION, roles: ['job'] },
          describeLost: (open, lastSignNs) => ({ bytes: Buffer.from(`${open.job} lost ${lastSignNs}\n`), points: 1 }),
        });
        if (!adopted.ok) throw new Error(adopted.error);
        for (const left of adopted.value.spools) found.push(`${end} ${await readText(left)}`);
        disk.kill();
      }
    }
    const point = 'm a=1 1700000001234567890\n';
    const lost = `killed ${point}j lost 1700000001234567890\n`;
    expect(found).toEqual([lost, lost, `ended ${point}`, `ended ${point}`, `closed ${point}`, `closed ${point}`]);
  });
});
