import { type PointRow, type PointRowRules, readPointRow } from '@joblens/core/metadata/point-row';
import { DAY_MS } from '@joblens/core/numbers/time-units';
import type { Point } from '@joblens/core/point/point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { LatelySaid } from '../host/lately-said.js';
import type { StateChange } from '../queue/point-queue.js';
import type { StateRegistry } from '../queue/state-registry.js';
import type { PointWriter } from '../rules/writing/point-writer.js';
import { RowJob, type RowJobOptions } from './row-job.js';
import { formatRowJobKey, readRowJobStates } from './row-job-state.js';

/** A job without rows for this long is let go. */
const IDLE_MS = DAY_MS;
/** The most tables of all jobs that are held … */
const MAX_TABLES_OF_ALL = 20_000;
/** … and the most jobs that are known, those that were let go too. */
const MAX_JOBS = 20_000;

interface RowJobsOptions extends Omit<RowJobOptions, 'onFull'> {
  readonly rules: PointRowRules;
  readonly states: Pick<StateRegistry, 'add' | 'delete'>;
  /** The states from before a restart. */
  readonly restored: ReadonlyMap<string, readonly string[]>;
  /** One line for the user. */
  readonly warn: (message: string) => void;
  readonly maxTablesOfAll?: number;
  readonly maxJobs?: number;
}

/** All jobs whose rows are points of other programs. */
export class RowJobs {
  readonly #options: RowJobsOptions;
  readonly #ofJobs: RowJobOptions;
  /** By their keys, the one that was used last at the end. */
  readonly #jobs = new Map<string, RowJob>();
  readonly #dirty = new Set<RowJob>();
  readonly #changed = new Set<RowJob>();
  #gone: string[] = [];
  #tables = 0;
  readonly #said: LatelySaid;
  #written = 0;

  constructor(options: RowJobsOptions) {
    this.#options = options;
    this.#said = new LatelySaid(() => options.clock.monotonicMs());
    this.#ofJobs = {
      ...{ ...options, points: this.#count(options.points) },
      onFull: (source, message) => this.#sayFull(source, message),
    };
    for (const state of readRowJobStates(options.restored)) {
      const job = new RowJob(state.source, this.#ofJobs, state);
      this.#hold(job);
      if (job.isDirty) this.#dirty.add(job);
    }
  }

  /** Whether `writeDue` may have something to write. */
  get isDirty(): boolean {
    return this.#dirty.size > 0;
  }

  /** The number of jobs that are known. */
  get size(): number {
    return this.#jobs.size;
  }

  /** Whether the point is a row of a job. */
  read(point: Point): PointRow | undefined {
    return readPointRow(point, this.#options.rules);
  }

  addRow(row: PointRow, timeNs: bigint): void {
    const job = this.#find(row.source);
    const before = job.tableCount;
    job.addRow(row, timeNs);
    this.#tables += job.tableCount - before;
    this.#changed.add(job);
    if (job.isDirty) this.#dirty.add(job);
    this.#makeRoom(job);
  }

  /** Writes the changed summaries that are due, or all of them if `isEnd`. */
  writeDue(isEnd: boolean): void {
    for (const job of this.#dirty) {
      const before = this.#written;
      job.writeDue(isEnd);
      if (this.#written > before) this.#changed.add(job);
      if (!job.isDirty) this.#dirty.delete(job);
    }
    const idleMs = this.#options.clock.monotonicMs() - IDLE_MS;
    for (const job of this.#jobs.values()) {
      if (job.usedMs > idleMs) break;
      if (job.tableCount > 0) this.#letGo(job);
    }
  }

  /**
   * What has changed since the last call: it belongs to the points that were written since. `whole`: the whole states
   * of the jobs that have changed.
   */
  takeStates(part: 'whole' | 'change' = 'change'): StateChange[] {
    const states: StateChange[] = this.#gone.map((key) => ({ key, kind: 'gone', value: '' }));
    this.#gone = [];
    for (const job of this.#changed) {
      const kind = job.isKnown ? part : 'whole';
      states.push({ key: job.key, kind, value: job.takeState(kind) });
      job.isKnown = true;
    }
    this.#changed.clear();
    return states;
  }

  /** The job, as the one that was used last. */
  #find(source: JobSource): RowJob {
    const key = formatRowJobKey(source);
    const known = this.#jobs.get(key);
    if (known !== undefined) {
      this.#jobs.delete(key);
      this.#jobs.set(key, known);
      return known;
    }
    const job = new RowJob(source, this.#ofJobs);
    this.#hold(job);
    return job;
  }

  #hold(job: RowJob): void {
    this.#jobs.set(job.key, job);
    this.#tables += job.tableCount;
    this.#options.states.add(job);
  }

  #makeRoom(current: RowJob): void {
    const { maxTablesOfAll = MAX_TABLES_OF_ALL, maxJobs = MAX_JOBS } = this.#options;
    const [oldest] = this.#jobs.values();
    if (this.#jobs.size > maxJobs && oldest !== undefined) this.#forget(oldest);
    if (this.#tables <= maxTablesOfAll) return;
    for (const job of this.#jobs.values()) {
      // That one has a limit of its own.
      if (this.#tables <= maxTablesOfAll || job === current) return;
      if (job.tableCount > 0) this.#letGo(job);
    }
  }

  #letGo(job: RowJob): void {
    this.#tables -= job.tableCount;
    job.letGo();
    this.#dirty.delete(job);
    this.#changed.add(job);
  }

  #forget(job: RowJob): void {
    if (job.tableCount > 0) this.#letGo(job);
    this.#jobs.delete(job.key);
    this.#changed.delete(job);
    this.#gone.push(job.key);
    this.#options.states.delete(job);
  }

  #count(points: PointWriter): PointWriter {
    return {
      addPoint: (point) => this.#pass(1, () => points.addPoint(point)),
      addText: (text, count) => this.#pass(count, () => points.addText(text, count)),
      addBytes: (bytes, count) => this.#pass(count, () => points.addBytes(bytes, count)),
    };
  }

  #pass(points: number, write: () => void): void {
    this.#written += points;
    write();
  }

  #sayFull({ job, user }: JobSource, message: string): void {
    if (this.#said.isNews(formatRowJobKey({ job, user }))) this.#options.warn(`job ${job} of ${user}: ${message}`);
  }
}
