import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Statement } from '@joblens/core/influxql/nodes';
import { printStatement } from '@joblens/core/influxql/print';
import type { Point } from '@joblens/core/point/point';
import { err, ok } from '@joblens/core/result/result';
import { createSystemClock } from '../../../clock/clock.js';
import type { OptInSource, Settings } from '../../../config/settings.js';
import { Counters } from '../../../delivery/counters.js';
import type { PointQueue, QueueRecord } from '../../../queue/point-queue.js';
import { StateRegistry } from '../../../queue/state-registry.js';
import type { Reporter } from '../../../host/report.js';
import type { AskStore } from '../../../read-back/shell/ask-store.js';
import { resolveOptIn } from '../../../session/resolve-opt-in.js';
import { readLog, storePoints } from '../../../testing/stored-points.js';
import type { DiscoveredJob } from '../../file-discovery.js';
import { SourceFaults } from '../../guard/source-faults.js';
import { createFileSystem } from '../files/file-system.js';
import type { FindOwner, Owner } from '../jobs/owner.js';
import { OtherLoggers } from '../../writers/other-loggers.js';
import { WatchedJobs } from '../jobs/watched-jobs.js';
import { Watcher } from '../watcher.js';

const root = mkdtempSync(join(tmpdir(), 'watcher-'));
const started: WatchedJobs[] = [];
afterAll(async () => {
  // Their timers would keep the test runner waiting, those of killed ones too.
  await Promise.all(started.map((jobs) => jobs.suspend()));
  rmSync(root, { recursive: true, force: true });
});

export const ann: Owner = { uid: userInfo().uid, name: 'ann', homeFolder: join(root, 'ann') };

interface Written {
  readonly text: string;
  readonly arrivesMs: number;
}

/** A store that several watchers write to and ask. What each writes takes its time to come. */
export class SharedStore {
  readonly #written: Written[] = [];
  readonly delaysMs = new Map<string, number>();
  isAway = false;

  write(id: string, bytes: Uint8Array, nowMs: number): void {
    const text = Buffer.from(bytes).toString();
    this.#written.push({ text, arrivesMs: nowMs + (this.delaysMs.get(id) ?? 0) });
  }

  points(nowMs = Infinity): Point[] {
    return storePoints(this.#written.filter(({ arrivesMs }) => arrivesMs <= nowMs).map(({ text }) => text));
  }

  answer(statements: readonly Statement[], nowMs: number): Awaited<ReturnType<AskStore>> {
    if (this.isAway) return err('nobody answers');
    const points = this.points(nowMs).filter(({ measurement }) => measurement === 'job_heartbeat');
    return ok(statements.map((statement, i) => ({ statement_id: i, series: [select(points, statement)] })));
  }
}

/** The rows of a statement of FileClaims, by its grid and its first time. */
function select(
  points: readonly Point[],
  statement: Statement
): { name: string; columns: string[]; values: (string | null)[][] } {
  const text = printStatement(statement);
  const grid = /"grid" = '(\w+)'/.exec(text)?.[1];
  const from = Date.parse(/time >= '([^']+)'/.exec(text)?.[1] ?? '');
  const found = points.filter(({ tags, timeNs }) => tags.get('grid') === grid && Number(timeNs / 1_000_000n) >= from);
  const columns = ['job', 'user', 'writer', 'watcher'];
  const values = found
    .reverse()
    .map(({ tags, fields, timeNs }) => [
      new Date(Number(timeNs / 1_000_000n)).toISOString(),
      ...columns.map((name) => tags.get(name) ?? fields.get(name)?.toString() ?? null),
    ]);
  return { name: 'job_heartbeat', columns: ['time', ...columns], values };
}

/** A watcher whose clock only the test moves. The test gives it jobs, and can cut off its queue as a kill does. */
export class Watched {
  readonly folder = mkdtempSync(join(root, 'w-'));
  readonly said: string[] = [];
  /** What a user reads who asks for no more than usual. */
  readonly told: string[] = [];
  jobs: DiscoveredJob[] = [];
  nowMs = Date.now();
  readonly counters = new Counters();
  /** By how much the wall clock was set. */
  steppedMs = 0;
  records: QueueRecord[] = [];
  /** How the next process is started. */
  optIn: OptInSource;
  /** What the store says of who logs the jobs of ann; undefined: it is away. Nobody is asked by default. */
  writers:
    ReadonlyArray<{ readonly job: string; readonly atMs: number; readonly writer: string }> | 'unasked' | undefined =
    'unasked';
  /** A store that others write to, too, in place of `writers`. */
  store: SharedStore | undefined;
  /** Tells it from others at one store. */
  id = 'own';
  /** How often it was asked. */
  asked = 0;
  /** Reads an opt-in in place of the system. */
  resolve: typeof resolveOptIn = resolveOptIn;
  /** What the user database knows. */
  findOwner: FindOwner = () => Promise.resolve(ann);
  #watcher: Watcher;

  constructor(
    readonly optInPath = join(root, 'optin'),
    readonly knowsWriting = false
  ) {
    this.optIn = { kind: 'file', path: optInPath, isExplicit: true };
    this.#watcher = this.#start();
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  append(text: string, name = 'job.out'): void {
    appendFileSync(this.at(name), text);
  }

  /** Lets time pass. Lists the jobs if they are given, and reads the due files. */
  async pass(ms: number, jobs?: DiscoveredJob[]): Promise<void> {
    this.nowMs += ms;
    if (jobs !== undefined) this.jobs = jobs;
    await this.#watcher.scan();
    await this.#watcher.pollDue();
  }

  /** Lists the jobs as they are now, and reads all that is there. */
  async poll(): Promise<void> {
    this.jobs = [...this.jobs];
    await this.#watcher.scan();
    for (let i = 0; i < 3; i += 1) {
      this.nowMs += 11_000;
      await this.#watcher.pollDue();
    }
  }

  /** The job's log as stored once all pending points are queued. */
  log(job: string): string[] {
    this.#commit();
    return readLog(storePoints(this.#text()).filter(({ tags }) => tags.get('job') === job));
  }

  get text(): string {
    this.#commit();
    return this.#text();
  }

  /** Kills the process: points that were not queued are lost, and another process continues from those that were. */
  kill(): void {
    void this.#watcher.close(true);
    this.#watcher = this.#start();
  }

  commit(): void {
    this.#commit();
  }

  /** Waits for what is written when some time has gone by, such as a line that is not complete. */
  async untilWritten(text: string): Promise<void> {
    while (!this.text.includes(text)) await new Promise((resolve) => setTimeout(resolve, 50));
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

  #tellWriters: AskStore = (statements) => {
    this.asked += 1;
    if (this.store !== undefined) return Promise.resolve(this.store.answer(statements, this.nowMs + this.steppedMs));
    if (this.writers === undefined || this.writers === 'unasked') return Promise.resolve(err('nobody answers'));
    const values = [...this.writers]
      .reverse()
      .map(({ job, atMs, writer }) => [new Date(atMs).toISOString(), job, 'ann', writer]);
    const columns = ['time', 'job', 'user'];
    const results = ['writer', 'watcher'].map((name, i) => ({
      statement_id: i,
      series: [{ name: 'job_heartbeat', columns: [...columns, name], values }],
    }));
    return Promise.resolve(ok(results));
  };

  #start(): Watcher {
    const restored = new Map<string, string[]>();
    for (const { states } of this.records) {
      for (const { key, kind, value } of states) {
        if (kind === 'gone') restored.delete(key);
        else restored.set(key, kind === 'whole' ? [value] : [...(restored.get(key) ?? []), value]);
      }
    }
    const say = (message: string): void => void this.said.push(message);
    const report: Reporter = {
      error: say,
      warn: say,
      info: (message) => void this.told.push(message),
      debug: () => undefined,
    };
    // After a kill the old pipelines may still write: into a list of their own.
    const records = [...this.records];
    this.records = records;
    const queue = createQueue(records, (bytes) => {
      if (this.records === records) this.store?.write(this.id, bytes, this.nowMs);
    });
    this.#registry = new StateRegistry();
    const clock = {
      ...createSystemClock(),
      nowMs: () => this.nowMs + this.steppedMs,
      monotonicMs: () => this.nowMs,
    };
    const settings = {
      limits: { bytesPerSecond: 1e12, linesPerSecond: 1e12 },
      optIn: this.optIn,
      description: {},
      secrets: [],
      options: {},
    } as unknown as Settings;
    const findOwner: FindOwner = (uid) => this.findOwner(uid);
    const host = { clock } as ConstructorParameters<typeof WatchedJobs>[0]['host'];
    const faults = new SourceFaults(this.counters, report);
    const output = {
      ...{ queue, states: this.#registry, counters: this.counters, isLocal: false },
      sender: { isMoving: true },
    };
    const jobs = new WatchedJobs({
      ...{ settings, host, report, delivery: output, restored, findOwner, faults },
      resolve: (source, uid) => this.resolve(source, uid),
    });
    started.push(jobs);
    const others = new OtherLoggers({
      id: this.id,
      host: `node-${this.id}`,
      ask: (statements) => this.#tellWriters(statements),
      clock,
      report,
      isBeside: false,
    });
    return new Watcher({
      ...(this.writers !== 'unasked' && { others }),
      ...{ jobs, findOwner, clock, report, faults, fileSystem: createFileSystem(), random: () => 0 },
      discovery: { knowsWriting: this.knowsWriting, poll: () => Promise.resolve(this.jobs) },
      createHints: () => ({ keep: () => undefined, close: () => undefined }),
    });
  }
}

function createQueue(records: QueueRecord[], onRecord: (bytes: Uint8Array) => void): PointQueue {
  return {
    ...{ waitingPoints: 0, waitingBytes: 0, fill: 0, relief: undefined, diskFailure: undefined, hasLost: false },
    append: (record) => {
      onRecord(record.bytes);
      return records.push(record) > 0;
    },
    read: () => Promise.resolve(undefined),
    readAhead: () => Promise.resolve(undefined),
    release: () => Promise.resolve(),
    untilWaiting: () => Promise.resolve(),
    untilFill: () => Promise.resolve(),
    untilDurable: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  };
}

export function createWatched(optIn = '', knowsWriting = false): Watched {
  const path = join(mkdtempSync(join(root, 'o-')), 'optin');
  writeFileSync(path, optIn);
  return new Watched(path, knowsWriting);
}
