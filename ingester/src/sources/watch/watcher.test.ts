import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { geteuid } from 'node:process';
import { createSystemClock } from '../../clock/clock.js';
import type { Settings } from '../../config/settings.js';
import { Counters } from '../../pipeline/counters.js';
import type { PointQueue, QueueRecord } from '../../pipeline/point-queue.js';
import { StateRegistry } from '../../pipeline/state-registry.js';
import type { Reporter } from '../../report.js';
import { readLog, storePoints } from '../../testing/stored-points.js';
import type { DiscoveredJob, JobWriter } from './file-discovery.js';
import { createFileSystem } from './file-system.js';
import type { Owner } from './owner.js';
import { WatchedJobs } from './watched-jobs.js';
import { Watcher } from './watcher.js';

const root = mkdtempSync(join(tmpdir(), 'watcher-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
jest.setTimeout(60_000);

const ann: Owner = { uid: userInfo().uid, name: 'ann', homeFolder: join(root, 'ann') };

/** A watcher whose clock stands, whose jobs are given by the test, and whose queue can be cut off as by a kill. */
class Watched {
  readonly folder = mkdtempSync(join(root, 'w-'));
  readonly said: string[] = [];
  jobs: DiscoveredJob[] = [];
  nowMs = Date.now();
  records: QueueRecord[] = [];
  #watcher: Watcher;

  constructor(readonly optInPath = join(root, 'optin')) {
    this.#watcher = this.#start();
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  append(text: string, name = 'job.out'): void {
    appendFileSync(this.at(name), text);
  }

  /** Lists the jobs as they are now, and reads all that is there. */
  async poll(): Promise<void> {
    this.jobs = [...this.jobs];
    await this.#watcher.scan();
    for (let i = 0; i < 3; i += 1) {
      this.nowMs += 11_000;
      this.#watcher.startDueTurns();
      await this.#watcher.idle();
    }
  }

  /** What is stored after all that is pending was queued. */
  log(job: string): string[] {
    this.#commit();
    return readLog(storePoints(this.#text()).filter(({ tags }) => tags.get('job') === job));
  }

  get text(): string {
    this.#commit();
    return this.#text();
  }

  /** The process is killed: what was not queued is lost, and another goes on with what was. */
  kill(): void {
    void this.#watcher.close(true);
    this.#watcher = this.#start();
  }

  commit(): void {
    this.#commit();
  }

  /** A line that is not complete is written when some time has gone by. */
  async show(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 400));
  }

  close(): Promise<void> {
    return this.#watcher.close(false);
  }

  #registry = new StateRegistry();

  #commit(): void {
    for (const source of this.#registry) source.commit();
  }

  #text(): string {
    return Buffer.concat(this.records.map(({ bytes }) => bytes)).toString();
  }

  #start(): Watcher {
    const restored = new Map<string, string[]>();
    for (const { states } of this.records) {
      for (const { key, kind, value } of states) {
        if (kind === 'gone') restored.delete(key);
        else restored.set(key, kind === 'whole' ? [value] : [...(restored.get(key) ?? []), value]);
      }
    }
    const say = (message: string): void => void this.said.push(message);
    const report: Reporter = { error: say, warn: say, info: () => undefined, debug: () => undefined };
    // After a kill the old pipelines may still write: into a list of their own.
    const records = [...this.records];
    this.records = records;
    const queue: PointQueue = {
      ...{ waitingPoints: 0, waitingBytes: 0, fill: 0 },
      append: (record) => records.push(record) > 0,
      read: () => Promise.resolve(undefined),
      readAhead: () => Promise.resolve(undefined),
      release: () => Promise.resolve(),
      untilWaiting: () => Promise.resolve(),
      untilFill: () => Promise.resolve(),
      untilDurable: () => Promise.resolve(true),
      close: () => Promise.resolve(),
    };
    this.#registry = new StateRegistry();
    const clock = { ...createSystemClock(), nowMs: () => this.nowMs };
    const settings = {
      limits: { bytesPerSecond: 1e12, linesPerSecond: 1e12 },
      optIn: { kind: 'file', path: this.optInPath, isExplicit: true },
      description: {},
      configPath: undefined,
    } as unknown as Settings;
    const findOwner = (): Promise<Owner> => Promise.resolve(ann);
    const host = { clock } as ConstructorParameters<typeof WatchedJobs>[0]['host'];
    const output = {
      ...{ queue, states: this.#registry, counters: new Counters(), isLocal: false },
      sender: { isMoving: true },
    };
    const jobs = new WatchedJobs({ settings, host, report, output, restored, findOwner });
    return new Watcher({
      ...{ jobs, findOwner, clock, report, fileSystem: createFileSystem(), random: () => 0 },
      discovery: { poll: () => Promise.resolve(this.jobs) },
      createHints: () => ({ add: () => undefined, close: () => undefined }),
    });
  }
}

function createWatched(optIn = ''): Watched {
  const path = join(mkdtempSync(join(root, 'o-')), 'optin');
  writeFileSync(path, optIn);
  return new Watched(path);
}

const ofFile = (watched: Watched, rest: Partial<DiscoveredJob> = {}): DiscoveredJob => ({
  ...{ id: '1', files: [{ path: watched.at('job.out'), stream: 'stdout' }], ...rest },
});

describe('Watcher', () => {
  it('gives the job of a scheduler its writer before it has a file, and ends it when it is told so', async () => {
    const watched = createWatched();
    const writers: JobWriter[] = [];
    const job = ofFile(watched, { owner: ann, onPipeline: (writer) => void writers.push(writer) });
    watched.jobs = [job];
    await watched.poll();
    expect(writers).toHaveLength(1);
    writers[0]?.addEvent({ topic: 'state', toState: 'RUNNING', data: {} });
    watched.append('first\nlast');
    await watched.poll();
    await watched.show();
    expect(watched.log('1')).toEqual(['first', 'last']);
    watched.jobs = [{ ...job, isEnded: true }];
    await watched.poll();
    writers[0]?.addEvent({ topic: 'state', fromState: 'RUNNING', toState: 'COMPLETED', data: {} });
    await watched.poll();
    await watched.poll();
    expect(watched.records.at(-1)?.states).toEqual([expect.objectContaining({ kind: 'gone' })]);
    expect(watched.text).toContain('COMPLETED');
    expect(writers).toHaveLength(1);
    await watched.close();
  });

  it('ends a job that is seen for the first time when it has ended already', async () => {
    const watched = createWatched();
    watched.append('all of it');
    watched.jobs = [ofFile(watched, { owner: ann, isEnded: true })];
    for (let i = 0; i < 3; i += 1) await watched.poll();
    expect(watched.log('1')).toEqual(['all of it']);
    expect(watched.records.at(-1)?.states).toEqual([expect.objectContaining({ kind: 'gone' })]);
    await watched.close();
  });

  const itAsRoot = geteuid?.() === 0 ? it : it.skip;
  itAsRoot("refuses a file that is not the job owner's, and says so once", async () => {
    const watched = createWatched();
    watched.append('stolen\n');
    chownSync(watched.at('job.out'), 12_345, 12_345);
    watched.jobs = [ofFile(watched, { owner: ann })];
    await watched.poll();
    await watched.poll();
    expect(watched.log('1')).toEqual([]);
    expect(watched.said).toEqual([
      `not following ${watched.at('job.out')}: it belongs to user id 12345, the job to ${ann.uid}`,
    ]);
    await watched.close();
  });

  it.each([
    ['nobody opted in', undefined],
    ['the opt-in is not valid', 'mode: some\n'],
  ])('decides once, also over a restart, when %s', async (_, optIn) => {
    const watched = createWatched(optIn ?? '');
    if (optIn === undefined) rmSync(watched.optInPath);
    watched.jobs = [ofFile(watched)];
    watched.append('secret\n');
    await watched.poll();
    const said = watched.said.length;
    writeFileSync(watched.optInPath, '');
    watched.append('secret\n');
    await watched.poll();
    watched.kill();
    await watched.poll();
    expect(watched.text).not.toContain('secret');
    expect(watched.said).toHaveLength(said);
    await watched.close();
  });

  it('goes on after a kill where it was: open file, quiet file, rotated file, opt-in', async () => {
    const watched = createWatched();
    watched.jobs = [ofFile(watched)];
    watched.append('one\n');
    await watched.poll();
    watched.commit();
    rmSync(watched.optInPath);
    watched.append('two\nthree\n');
    await watched.poll();
    watched.kill();
    await watched.poll();
    watched.commit();
    expect(watched.log('1')).toEqual(['one', 'two', 'three']);
    // Quiet for more than ten minutes, then killed: only the checkpoint is left.
    watched.nowMs += 700_000;
    await watched.poll();
    watched.commit();
    watched.kill();
    await watched.poll();
    watched.append('four\n');
    renameSync(watched.at('job.out'), watched.at('job.out.1'));
    watched.append('five\n');
    await watched.poll();
    expect(watched.log('1')).toEqual(['one', 'two', 'three', 'four', 'five']);
    await watched.close();
  });

  it('completes the last line after a quiet time, and begins a new one when content is replaced', async () => {
    const watched = createWatched();
    watched.jobs = [ofFile(watched)];
    watched.append('10%');
    await watched.poll();
    watched.nowMs += 700_000;
    await watched.poll();
    watched.append(' more');
    await watched.poll();
    truncateSync(watched.at('job.out'));
    watched.append('anew, and this is longer');
    await watched.poll();
    await watched.show();
    expect(watched.log('1')).toEqual(['10%', ' more', 'anew, and this is longer']);
    await watched.close();
  });

  it('does not follow a file twice under two names', async () => {
    const watched = createWatched();
    watched.jobs = [ofFile(watched)];
    watched.append('first\n');
    await watched.poll();
    renameSync(watched.at('job.out'), watched.at('kept.out'));
    watched.jobs = [ofFile(watched), { id: '2', files: [{ path: watched.at('kept.out'), stream: 'stdout' }] }];
    watched.append('second\n', 'kept.out');
    await watched.poll();
    expect(watched.log('1')).toEqual(['first', 'second']);
    expect(watched.log('2')).toEqual([]);
    expect(existsSync(watched.at('job.out'))).toBe(false);
    await watched.close();
  });

  it('lets a big file not keep others waiting, and many files be read', async () => {
    const watched = createWatched();
    const big = Array.from({ length: 60_000 }, (_, i) => `${'x'.repeat(100)} ${i}\n`);
    watched.append(big.join(''), 'big.out');
    const names = Array.from({ length: 400 }, (_, i) => `small-${i}.out`);
    for (const name of names) watched.append(`I am ${name}\n`, name);
    watched.jobs = ['big.out', ...names].map((name) => ({
      ...{ id: name, files: [{ path: watched.at(name), stream: 'stdout' }] },
    }));
    await watched.poll();
    expect(watched.log('small-399.out')).toEqual(['I am small-399.out']);
    const text = watched.text;
    // The last of the small files came before the big one was read to its end.
    expect(text.lastIndexOf('I am small')).toBeLessThan(text.lastIndexOf('job=big.out'));
    await watched.close();
  });
});
