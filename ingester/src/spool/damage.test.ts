import type { Spool } from './open-folder.js';
import { adoptLeftovers } from './adopt-leftovers.js';
import { openSpool } from './open-spool.js';
import { ModelDisk } from './testing/model-disk.js';
import { createModelProcess, type ModelProcess, settle } from './testing/place.js';

const DESTINATION = { url: 'http://h', bucket: 'b' };
const LIMITS = { maxPoints: 100, maxBytes: 100_000 };
const TEXTS = ['a 1\n', 'bb 2\n', 'ccc 3\n'];
const ROLES = ['job', 'watch'] as const;
type Role = (typeof ROLES)[number];

/** Leaves the spool of a killed process: each text is in a record of its own, and the first `sent` of them are sent. */
async function leaveSpool(role: Role, sent: number, isSynced = true): Promise<{ disk: ModelDisk; folder: string }> {
  const disk = new ModelDisk();
  const process = createModelProcess(disk, 1, new Set([1]));
  const opened = await openSpool({ ...process, role, destination: DESTINATION, sources: [] });
  if (!opened.ok) throw new Error(opened.error);
  const spool = opened.value;
  for (const [i, text] of TEXTS.entries()) {
    spool.append({ bytes: Buffer.from(text), points: 1, states: [], isUrgent: false });
    await settle();
    if (isSynced) await pass(process, 60);
    if (i + 1 > sent) continue;
    await spool.read(LIMITS);
    await spool.release();
    await pass(process, 5000);
  }
  disk.kill();
  const [name = ''] = await disk.mount().list('/spool');
  return { disk, folder: `/spool/${name}` };
}

async function pass({ clock }: ModelProcess, ms: number): Promise<void> {
  await clock.advance(ms);
  await settle();
}

interface Found {
  readonly text: string;
  readonly hasLost: boolean;
  readonly messages: readonly string[];
  /** The files and folders that were set aside. */
  readonly aside: readonly string[];
  /** Names of the folders that are left. */
  readonly left: readonly string[];
}

/** Reads the spool as the next process does. */
async function drain(disk: ModelDisk): Promise<Found> {
  const process = createModelProcess(disk, 2, new Set([2]));
  const adopted = await adoptLeftovers(process, { destination: DESTINATION, roles: ['job', 'watch'] });
  if (!adopted.ok) throw new Error(adopted.error);
  let { hasLost } = adopted.value;
  let text = '';
  for (const spool of adopted.value.spools) {
    text += await readAll(spool);
    await spool.close();
    hasLost ||= spool.hasLost;
  }
  const names = await process.fs.list('/spool');
  const aside = names.includes('damaged') ? await process.fs.list('/spool/damaged') : [];
  return { text, hasLost, messages: process.messages, aside, left: names.filter((name) => name !== 'damaged') };
}

async function readAll(spool: Spool): Promise<string> {
  let text = '';
  for (let batch = await spool.read(LIMITS); batch !== undefined; batch = await spool.read(LIMITS)) {
    text += batch.bytes.toString();
    await spool.release();
  }
  return text;
}

async function listFiles(disk: ModelDisk, folder: string): Promise<string[]> {
  return (await disk.mount().list(folder)).filter((name) => name !== 'sign-of-life' && !name.endsWith('.new'));
}

async function findSegment(disk: ModelDisk, folder: string): Promise<string> {
  return `${folder}/${(await disk.mount().list(folder)).find((name) => name.endsWith('.segment'))}`;
}

describe.each(ROLES)('a damaged spool of a %s', (role) => {
  it.each([
    ['of which nothing was sent', 0, true],
    ['of which nothing was said to be durable', 0, false],
    ['of which some is sent', 1, true],
  ])('is never silent: each bit and byte of one %s', async (_, sent, isSynced) => {
    const { disk: intact, folder } = await leaveSpool(role, sent, isSynced);
    const whole = (await drain(intact.clone())).text;
    expect(whole).toBe(TEXTS.slice(sent).join(''));
    const silent: string[] = [];
    let reported = 0;
    for (const name of await listFiles(intact, folder)) {
      const path = `${folder}/${name}`;
      const bytes = intact.read(path);
      for (const [offset, byte] of bytes.entries()) {
        const values = [...Array.from({ length: 8 }, (__, bit) => byte ^ (1 << bit)), 0, 0xff, 0x0a];
        for (const value of new Set(values.filter((each) => each !== byte))) {
          const disk = intact.clone();
          disk.overwrite(path, offset, value);
          const damaged = Buffer.from(disk.read(path));
          const { text, hasLost, messages } = await drain(disk);
          const isHarmless = text.endsWith(whole) && !hasLost;
          const isReported = hasLost && messages.length > 0 && disk.holds(damaged);
          if (!isHarmless && !isReported) silent.push(`${name} ${offset}: ${byte} to ${value}: ${messages.join(' ')}`);
          if (isReported) reported += 1;
        }
      }
    }
    expect(silent.slice(0, 5)).toEqual([]);
    expect(reported).toBeGreaterThan(100);
  });

  it('loses one record, says so, and keeps the file with its bytes when all else is sent', async () => {
    const { disk, folder } = await leaveSpool(role, 0);
    const path = await findSegment(disk, folder);
    const offset = disk.read(path).indexOf('bb 2');
    disk.overwrite(path, offset, 0x78);
    const bytes = Buffer.from(disk.read(path));
    const { text, messages, aside, left } = await drain(disk);
    expect(text).toBe('a 1\nccc 3\n');
    expect(messages).toEqual([
      expect.stringMatching(
        /^1 records of the spool \S+ are damaged: their points are lost; .* kept in \/spool\/damaged\/\S+ when the rest of/
      ),
    ]);
    // That of a watch stays as long as its states do.
    if (role === 'watch') return;
    expect([aside.length, left]).toEqual([1, []]);
    expect(messages[0]).toContain(aside[0]);
    expect(disk.read(`/spool/damaged/${aside[0]}`)).toEqual(bytes);
  });
});

describe('a torn spool', () => {
  it.each(ROLES)('of a %s raises no alarm, wherever its last write was cut off', async (role) => {
    const { disk: intact, folder } = await leaveSpool(role, 0, false);
    const path = await findSegment(intact, folder);
    const { length } = intact.read(path);
    for (let cut = 0; cut <= length; cut += 1) {
      const disk = intact.clone();
      const file = await disk.mount().open(path);
      file.truncate(cut);
      const { text, hasLost, messages, aside } = await drain(disk);
      expect(TEXTS.join('').startsWith(text)).toBe(true);
      expect({ cut, hasLost, messages, aside }).toEqual({ cut, hasLost: false, messages: [], aside: [] });
    }
  });

  it('raises none for sectors that were never written, and gives what is whole around them', async () => {
    const disk = new ModelDisk();
    const process = createModelProcess(disk, 1, new Set([1]));
    const opened = await openSpool({ ...process, role: 'job', destination: DESTINATION, sources: [] });
    if (!opened.ok) throw new Error(opened.error);
    const texts = ['a', 'b', 'c'].map((letter) => `${letter.repeat(1200)}\n`);
    for (const text of texts) opened.value.append({ bytes: Buffer.from(text), points: 1, states: [], isUrgent: false });
    await settle();
    disk.kill();
    const [folder = ''] = await disk.mount().list('/spool');
    const path = await findSegment(disk, `/spool/${folder}`);
    for (let offset = 1536; offset < 2048; offset += 1) disk.overwrite(path, offset, 0);
    const { text, hasLost, messages } = await drain(disk);
    expect([text === `${texts[0]}${texts[2]}`, hasLost, messages]).toEqual([true, false, []]);
  });
});
