import { statSync, utimesSync } from 'node:fs';
import { identifyFile } from './identify-file.js';
import { createWatched, type Watched } from '../watch/testing/watched.js';

const SLOT_MS = 600_000;

/** A watcher in the middle of a slot, that asks who else logs its jobs. */
function startAsking(): Watched {
  const watched = createWatched();
  watched.nowMs = Math.floor(watched.nowMs / SLOT_MS) * SLOT_MS + SLOT_MS / 2;
  watched.writers = [];
  watched.kill();
  watched.jobs = [{ id: JOB, files: [{ path: watched.at(NAME), stream: 'stdout' }] }];
  return watched;
}

const JOB = "a-b.(1) 'x'";
const NAME = 'job (1).out';

/** The file grows now, by the clock of the test. */
function grow(watched: Watched, text: string): void {
  watched.append(text, NAME);
  utimesSync(watched.at(NAME), watched.nowMs / 1000, watched.nowMs / 1000);
}

async function identify(watched: Watched, name = NAME): Promise<string> {
  return identifyFile(watched.at(name), statSync(watched.at(name), { bigint: true }));
}

/** The other's heartbeat in the slot so many slots before now. */
function beat(watched: Watched, writer: string, slotsAgo = 0, job = JOB): void {
  const atMs = Math.floor(watched.nowMs / SLOT_MS - slotsAgo) * SLOT_MS + 1000;
  const before = watched.writers === 'unasked' ? [] : (watched.writers ?? []);
  watched.writers = [...before, { job, atMs, writer }];
}

/** A claim of a file has come to the store. */
function claim(watched: Watched, text: string, job = JOB): void {
  const before = watched.writers === 'unasked' ? [] : (watched.writers ?? []);
  watched.writers = [...before, { job, atMs: watched.nowMs, writer: `${text} node-(1)` }];
}

/** Lists and reads, so often that whatever is due is done. */
async function pass(watched: Watched, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 31_000) await watched.pass(Math.min(left, 31_000), [...watched.jobs]);
}

describe('a watch', () => {
  it.each<[what: string, writer: (file: string) => string, slotsAgo: number, isLogged: boolean]>([
    ['that another watch follows now', (file) => `watch other ${file}`, 0, false],
    ['that another watch has followed of late', (file) => `watch other dead ${file} beef`, 1, false],
    ['whose job run logs', () => 'run', 0, false],
    ['that it has followed itself, before a restart', (file) => `watch own ${file}`, 0, true],
    ['of a job of which another watch follows other files', () => 'watch other 0123456789ab', 0, true],
    ['whose job has a heartbeat of a newer joblens, or of another program', () => 'nobody knows', 0, true],
    ['of a job without a writer', () => '', 0, true],
  ])('of a file %s', async (_what, writer, slotsAgo, isLogged) => {
    const watched = startAsking();
    grow(watched, 'one\n');
    beat(watched, writer(await identify(watched)), slotsAgo);
    await watched.poll();
    expect(watched.log(JOB)).toEqual(isLogged ? ['one'] : []);
    expect(watched.said).toEqual(
      isLogged ? [] : [expect.stringMatching(/^job a-b.* of ann is logged by another joblens/)]
    );
    if (!isLogged) expect(watched.text).toBe('');
    await watched.close();
  });

  it('logs the file of another job than the one that is logged elsewhere', async () => {
    const watched = startAsking();
    grow(watched, 'one\n');
    beat(watched, 'run', 0, 'another');
    await watched.poll();
    expect(watched.log(JOB)).toEqual(['one']);
    await watched.close();
  });

  it('loses nothing where the store is away', async () => {
    const watched = startAsking();
    watched.writers = undefined;
    grow(watched, 'one\n');
    await watched.poll();
    expect([watched.log(JOB), watched.said]).toEqual([['one'], []]);
    await watched.close();
  });

  it('reads a file that it has just claimed, when it is stopped', async () => {
    const watched = startAsking();
    grow(watched, 'one\n');
    await watched.pass(0, [...watched.jobs]);
    expect(watched.log(JOB)).toEqual([]);
    await watched.close();
    expect(watched.log(JOB)).toEqual(['one']);
  });

  it.each([
    ['to run, that has begun at the same time', () => 'run', []],
    ['to a watch that has claimed it later', (file: string) => `watch other ${file}`, []],
    ['to nobody, when another has only other files', () => 'watch other 0123456789ab', ['one']],
  ])('leaves a file that it has claimed %s', async (_what, writer, log) => {
    const watched = startAsking();
    grow(watched, 'one\n');
    await watched.pass(0, [...watched.jobs]);
    await watched.untilWritten(`watcher="claim own ${await identify(watched)} node-own"`);
    beat(watched, writer(await identify(watched)));
    await pass(watched, 60_000);
    expect(watched.log(JOB)).toEqual(log);
    await watched.close();
  });

  it.each([
    ['leaves it to another that follows it by then', (file: string) => `watch other ${file}`, []],
    ['logs it once it has its own', (file: string) => `claim own ${file}`, ['one']],
  ])('waits for a slow store to have its claim of a file, and %s', async (_what, writer, log) => {
    const watched = startAsking();
    grow(watched, 'one\n');
    await watched.pass(0, [...watched.jobs]);
    for (let i = 0; i < 5; i += 1) await watched.pass(2000, [...watched.jobs]);
    expect(watched.log(JOB)).toEqual([]);
    claim(watched, writer(await identify(watched)));
    for (let i = 0; i < 4; i += 1) await watched.pass(2000, [...watched.jobs]);
    expect(watched.log(JOB)).toEqual(log);
    await watched.close();
  });

  it('says in the heartbeats which file it follows, once it does', async () => {
    const watched = startAsking();
    grow(watched, 'one\n');
    await watched.poll();
    await watched.untilWritten(`watcher="watch own ${await identify(watched)}"`);
    await watched.close();
  });

  it('asks once for all jobs, and seldom while it waits', async () => {
    const watched = startAsking();
    grow(watched, 'one\n');
    beat(watched, 'run');
    for (let i = 0; i < 50; i += 1) {
      const path = watched.at(`${i}.out`);
      watched.append('x\n', `${i}.out`);
      watched.jobs.push({ id: `${i}`, files: [{ path, stream: 'stdout' }] });
    }
    await watched.pass(0, [...watched.jobs]);
    expect(watched.asked).toBe(1);
    // Their claims have come to the store.
    for (let i = 0; i < 50; i += 1) claim(watched, `claim own ${await identify(watched, `${i}.out`)}`, `${i}`);
    for (let i = 0; i < 600; i += 1) await watched.pass(100);
    expect(watched.asked).toBeLessThan(5);
    await watched.close();
  });

  it('takes over when the other has stopped: nothing is missing, and what is known to be logged is not logged again', async () => {
    const watched = startAsking();
    grow(watched, 'long ago\n');
    const other = `watch other ${await identify(watched)}`;
    beat(watched, other);
    await pass(watched, 60_000);
    // The other lives on, so all before its next heartbeat is its own …
    watched.nowMs += SLOT_MS;
    grow(watched, 'later\n');
    beat(watched, other);
    await pass(watched, 60_000);
    // … and dies somewhere in this slot.
    grow(watched, 'perhaps\n');
    await pass(watched, SLOT_MS);
    expect(watched.log(JOB)).toEqual([]);
    grow(watched, 'missing\n');
    await pass(watched, 90_000);
    expect(watched.log(JOB)).toEqual([]);
    await pass(watched, 120_000);
    expect(watched.log(JOB)).toEqual(['later', 'perhaps', 'missing']);
    expect(watched.said).toHaveLength(1);
    expect(watched.told.join('\n')).toMatch(/the other joblens has stopped logging job a-b.*: \/.* is logged here/);
    await watched.close();
  });

  it('waits on while the file does not grow: the other has logged all of it', async () => {
    const watched = startAsking();
    grow(watched, 'one\n');
    beat(watched, 'run');
    await pass(watched, 4 * SLOT_MS);
    expect([watched.log(JOB), watched.said.length]).toEqual([[], 1]);
    await watched.close();
  });

  it('waits for the heartbeat of another that was silent for long', async () => {
    const watched = startAsking();
    grow(watched, 'one\n');
    const other = `watch other ${await identify(watched)}`;
    beat(watched, other);
    await pass(watched, 4 * SLOT_MS);
    grow(watched, 'two\n');
    await pass(watched, 40_000);
    beat(watched, other);
    await pass(watched, 300_000);
    expect(watched.log(JOB)).toEqual([]);
    await watched.close();
  });
});
