import { renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { createHeartbeatPoint, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { formatPoint } from '@joblens/core/point/line-protocol';
import { createWatched, SharedStore, type Watched } from '../watch/testing/watched.js';
import { identifyFile } from './identify-file.js';

const JOB = "a-b.(1) 'x'";
const NAME = 'job (1).out';
const SLOT_MS = 600_000;
const STEP_MS = 500;
const MINUTE_MS = 60_000;

/** Two or three watches of one file, and a store that all of them ask. One clock moves all. */
class Scene {
  readonly store = new SharedStore();
  readonly watches: Watched[] = [];
  readonly written: string[] = [];
  readonly #file: Watched = createWatched();
  #nowMs = Math.floor(this.#file.nowMs / SLOT_MS) * SLOT_MS + SLOT_MS / 4;

  get path(): string {
    return this.#file.at(NAME);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  print(text = `line ${this.written.length}`): void {
    this.written.push(text);
    this.#file.append(`${text}\n`, NAME);
    utimesSync(this.path, this.#nowMs / 1000, this.#nowMs / 1000);
  }

  start(id: string, delayMs = 0): Watched {
    const watched = createWatched();
    watched.id = id;
    watched.store = this.store;
    watched.writers = [];
    watched.nowMs = this.#nowMs;
    watched.kill();
    watched.jobs = [{ id: JOB, files: [{ path: this.path, stream: 'stdout' }] }];
    this.store.delaysMs.set(id, delayMs);
    this.watches.push(watched);
    return watched;
  }

  /** It is killed for good: what it has sent comes, and it says nothing more. */
  stop(watched: Watched): void {
    this.watches.splice(this.watches.indexOf(watched), 1);
  }

  async pass(ms: number, { isGrowing = false, stepMs = STEP_MS } = {}): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      this.#nowMs += stepMs;
      if (isGrowing && left % 2000 === 0) this.print();
      for (const watched of this.watches) {
        watched.nowMs = this.#nowMs;
        await watched.pass(0, [...watched.jobs]);
        watched.commit();
      }
    }
  }

  /** `run` says that it logs the file. */
  async beatOfRun(delayMs = 0): Promise<void> {
    const file = await identifyFile(this.path, statSync(this.path, { bigint: true }));
    const [grid] = HEARTBEAT_GRIDS;
    const slotMs = Math.floor(this.#nowMs / SLOT_MS) * SLOT_MS;
    const point = createHeartbeatPoint({ job: JOB, user: 'ann' }, grid, slotMs, { writer: `run ${file}` });
    this.store.write('run', Buffer.from(`${formatPoint(point)}\n`), this.#nowMs + delayMs);
  }

  /** How often each line is stored. */
  get counts(): number[] {
    const lines = this.store.points().filter(({ measurement }) => measurement === 'job_log');
    return this.written.map((text) => lines.filter(({ fields }) => fields.get('line') === text).length);
  }

  /** The lines from that one on that are not stored once. */
  listOdd(from: number): string[] {
    return this.counts
      .slice(from)
      .flatMap((count, i) => (count === 1 ? [] : [`${count} times: ${this.written[from + i]}`]));
  }

  async end(): Promise<void> {
    await Promise.all(this.watches.map((watched) => watched.close()));
    rmSync(this.#file.folder, { recursive: true, force: true });
  }
}

const ONCE = (scene: Scene): number[] => scene.written.map(() => 1);
const SAID = /^job a-b.* of ann is logged by another joblens.*joblens watch with another spool on node-/;

describe('two watches of one file', () => {
  const gaps = [0, 1000, 3000, 30_000];
  const delays: ReadonlyArray<readonly [number, number]> = [
    [0, 0],
    [4000, 0],
    [0, 4000],
    [9000, 7000],
  ];
  const all = gaps.flatMap((gapMs) =>
    delays.flatMap(([one, other]) =>
      [true, false].flatMap((isGrowing) =>
        [true, false].map((isFirstLower) => [gapMs, one, other, isGrowing, isFirstLower] as const)
      )
    )
  );

  it.each(all)(
    'store each line once: the second %d ms later, claims take %d and %d ms, growing %s, first id lower %s',
    async (gapMs, firstMs, secondMs, isGrowing, isFirstLower) => {
      const scene = new Scene();
      scene.print();
      const [a, b] = isFirstLower ? ['a', 'b'] : ['b', 'a'];
      const first = scene.start(a, firstMs);
      await scene.pass(gapMs, { isGrowing });
      const second = scene.start(b, secondMs);
      await scene.pass(MINUTE_MS, { isGrowing });
      scene.print('last');
      await scene.pass(20_000);
      expect(scene.counts).toEqual(ONCE(scene));
      const said = [...first.said, ...second.said];
      expect(said).toEqual([expect.stringMatching(SAID)]);
      await scene.end();
    }
  );

  it.each([25, 100, 300])('also where the file was silent for %d minutes before the second begins', async (minutes) => {
    const scene = new Scene();
    scene.print();
    scene.start('b');
    await scene.pass(10_000);
    await scene.pass(minutes * MINUTE_MS, { stepMs: 10_000 });
    const second = scene.start('a');
    await scene.pass(30_000);
    expect([scene.counts, second.said.length]).toEqual([[1], 1]);
    scene.print('grows again');
    await scene.pass(5 * MINUTE_MS, { stepMs: 5000 });
    expect(scene.counts).toEqual([1, 1]);
    await scene.end();
  });

  it.each([1, 2])('go on where the first was killed, also where %d others wait', async (others) => {
    const scene = new Scene();
    scene.print();
    const first = scene.start('c');
    await scene.pass(10_000, { isGrowing: true });
    for (const id of ['d', 'b'].slice(0, others)) scene.start(id);
    await scene.pass(10_000, { isGrowing: true });
    // The first lives on in the next slot, and dies in it.
    await scene.pass(12 * MINUTE_MS, { isGrowing: true, stepMs: 1000 });
    scene.stop(first);
    const before = scene.written.length;
    await scene.pass(25 * MINUTE_MS, { isGrowing: true, stepMs: 2000 });
    expect(scene.counts.filter((count) => count < 1)).toEqual([]);
    // What only one of them can have logged is stored once.
    expect(scene.listOdd(before)).toEqual([]);
    expect(Math.max(...scene.counts)).toBeLessThanOrEqual(2);
    // With its own spool, the first leaves the file to the one that has taken it over.
    scene.watches.push(first);
    first.kill();
    await scene.pass(2 * MINUTE_MS, { isGrowing: true });
    scene.print('last');
    await scene.pass(20_000);
    expect(scene.listOdd(before)).toEqual([]);
    expect(first.said).toEqual([expect.stringMatching(SAID)]);
    await scene.end();
  });

  it('are as they were when the first begins again with its spool', async () => {
    const scene = new Scene();
    scene.print();
    const first = scene.start('b');
    await scene.pass(10_000, { isGrowing: true });
    const second = scene.start('a');
    for (let i = 0; i < 3; i += 1) {
      await scene.pass(20_000, { isGrowing: true });
      first.kill();
    }
    await scene.pass(20_000);
    expect([scene.counts, first.said, second.said.length]).toEqual([ONCE(scene), [], 1]);
    await scene.end();
  });

  it('lose nothing while the store is away, and leave the file to one of them when it is back', async () => {
    const scene = new Scene();
    scene.store.isAway = true;
    scene.print();
    const both = [scene.start('a'), scene.start('b')];
    await scene.pass(20_000, { isGrowing: true });
    scene.store.isAway = false;
    await scene.pass(MINUTE_MS, { isGrowing: true });
    const before = scene.written.length;
    await scene.pass(MINUTE_MS, { isGrowing: true });
    scene.print('last');
    await scene.pass(20_000);
    expect(scene.counts.filter((count) => count < 1)).toEqual([]);
    expect(scene.listOdd(before)).toEqual([]);
    expect(both.map(({ said }) => said.length)).toEqual([0, 1]);
    await scene.end();
  });

  it('are not mixed up by a rotation', async () => {
    const scene = new Scene();
    scene.print();
    scene.start('b');
    await scene.pass(10_000, { isGrowing: true });
    const second = scene.start('a');
    await scene.pass(10_000);
    renameSync(scene.path, `${scene.path}.1`);
    scene.print('in a new file');
    await scene.pass(10 * MINUTE_MS, { isGrowing: true, stepMs: 2000 });
    await scene.pass(20_000);
    expect([scene.counts, second.said.length]).toEqual([ONCE(scene), 1]);
    await scene.end();
  });
});

describe('a watch and a run whose output goes to the file', () => {
  // The watch begins that much before the run asks, and the run says what it logs that much later.
  it.each([0, 500, 1000, 5000, 60_000].flatMap((gapMs) => [0, 1000].map((delayMs) => [gapMs, delayMs] as const)))(
    'do not both log it: the run was there %d ms before, its heartbeat takes %d ms',
    async (gapMs, delayMs) => {
      const scene = new Scene();
      scene.print();
      await scene.beatOfRun(delayMs);
      await scene.pass(gapMs);
      const watched = scene.start('a');
      await scene.pass(MINUTE_MS, { isGrowing: true });
      expect([scene.counts, watched.said]).toEqual([
        scene.written.map(() => 0),
        [expect.stringMatching(/joblens run; /)],
      ]);
      await scene.end();
    }
  );
});
