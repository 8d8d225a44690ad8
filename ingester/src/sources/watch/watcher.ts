import { dirname } from 'node:path';
import type { Clock } from '../../clock/clock.js';
import type { Reporter } from '../../report.js';
import type { DiscoveredJob, FileDiscovery } from './file-discovery.js';
import { readCheckpoint } from './follow-checkpoint.js';
import { RefusedFileError } from './refused-file-error.js';
import { formatIdentity } from './file-identity.js';
import type { FileStatus, FileSystem } from './file-system.js';
import { countOpenFiles, readErrorCode } from './file-system.js';
import type { FolderHints } from './folder-hints.js';
import type { FindOwner } from './owner.js';
import { createEntry, EntryBook, type WatchedEntry } from './watched-entries.js';
import { WatchedFile } from './watched-file.js';
import type { WatchedJob, WatchedJobs } from './watched-jobs.js';

/** How often it is looked which files are due. */
const TICK_MS = 100;
const SCAN_MS = 1000;
/** So many files are read at once, each so much: bounds the memory that waiting bytes take. */
const MAX_TURNS = 32;
const TURN_BYTES = 2 ** 20;
const TURN_BYTES_OF_MANY = 2 ** 16;
const RETRY_MS = 2000;
/** How long to wait for a file that is not there yet. */
const MISSING_MS = 1000;
/** How long to wait for a name that is not likely to become a file to follow. */
const ALIAS_MS = 10_000;
const SOONEST_MS = 100;
const IDLE_MS = 30_000;
const MANY_TURNS = 8;
/** Above this a file is closed as soon as it was read. */
const MANY_OPEN_FILES = 2000;
/** A folder that cannot be reached for a while must not make its files new ones. */
const UNLISTED_MS = 3_600_000;
export const DEFAULT_QUIET_TIMEOUT_MS = 600_000;

export interface WatcherOptions {
  readonly discovery: FileDiscovery;
  readonly jobs: WatchedJobs;
  readonly findOwner: FindOwner;
  readonly fileSystem: FileSystem;
  readonly clock: Pick<Clock, 'nowMs' | 'sleep'>;
  readonly random: () => number;
  readonly report: Reporter;
  readonly quietTimeoutMs?: number;
  /** Tells of changes; see FolderHints. */
  readonly createHints: (onHint: (path: string) => void) => Pick<FolderHints, 'add' | 'close'>;
}

/** Follows all files of all jobs that a source knows, each at its own pace. */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #fileSystem: ReturnType<typeof countOpenFiles>;
  readonly #entries = new EntryBook();
  readonly #hints: Pick<FolderHints, 'add' | 'close'>;
  /** Entries whose turn has come, the longest waiting first. */
  #due: WatchedEntry[] = [];
  readonly #turns = new Set<Promise<void>>();
  #lastJobs: readonly DiscoveredJob[] = [];
  #discoveryError = '';
  #isStopped = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#fileSystem = countOpenFiles(options.fileSystem);
    this.#hints = options.createHints((path) => this.#takeHint(path));
    for (const job of options.jobs.restored) this.#restore(job);
  }

  /** Until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let scanning: Promise<void> | undefined;
    let scanMs = -Infinity;
    while (!signal.aborted) {
      if (scanning === undefined && clock.nowMs() - scanMs >= SCAN_MS) {
        scanMs = clock.nowMs();
        scanning = this.scan().finally(() => (scanning = undefined));
      }
      this.startDueTurns();
      await clock.sleep(TICK_MS, signal);
    }
    await scanning;
  }

  /** Asks the source which jobs and files there are. */
  async scan(): Promise<void> {
    let jobs: readonly DiscoveredJob[];
    try {
      jobs = await this.#options.discovery.poll();
      this.#discoveryError = '';
    } catch (error) {
      const found = error instanceof Error ? error.message : String(error);
      if (found !== this.#discoveryError)
        this.#options.report.warn(`cannot look for files: ${found}; it is tried again`);
      this.#discoveryError = found;
      return;
    }
    if (jobs !== this.#lastJobs) {
      this.#lastJobs = jobs;
      await this.#takeListed(jobs);
    }
    this.#forgetFinished();
  }

  /** Begins to read the files whose time has come; the rest of them follow as turns end. */
  startDueTurns(): void {
    const nowMs = this.#options.clock.nowMs();
    for (const entry of this.#entries.all()) {
      if (entry.isWaiting && entry.nextMs <= nowMs) {
        entry.isWaiting = false;
        this.#due.push(entry);
      }
    }
    this.#startTurns();
  }

  /** Until no turn is going on and none is due. */
  async idle(): Promise<void> {
    while (this.#turns.size > 0 || this.#due.length > 0) {
      this.#startTurns();
      await Promise.all(this.#turns);
    }
  }

  /** Reads once more all that is there. Streams end when nobody will go on with them. */
  async close(isResumable: boolean): Promise<void> {
    this.#due = [];
    await Promise.all(this.#turns);
    this.#isStopped = true;
    this.#hints.close();
    for (const entry of this.#entries.all()) {
      entry.isWaiting = false;
      this.#due.push(entry);
    }
    await this.idle();
    for (const { file } of this.#entries.all()) {
      if (!isResumable) file?.end();
      await file?.follower.close();
    }
    await this.#options.discovery.close?.();
  }

  get openFiles(): number {
    return this.#fileSystem.openFiles;
  }

  #startTurns(): void {
    while (this.#turns.size < MAX_TURNS && this.#due.length > 0) {
      for (const entry of this.#due.splice(0, MAX_TURNS - this.#turns.size)) {
        const turn = this.#takeTurn(entry).finally(() => {
          this.#turns.delete(turn);
          this.#startTurns();
        });
        this.#turns.add(turn);
      }
    }
  }

  async #takeTurn(entry: WatchedEntry): Promise<void> {
    const { clock, random } = this.#options;
    let waitMs = RETRY_MS;
    try {
      waitMs = await this.#pollEntry(entry);
      entry.said = '';
    } catch (error) {
      this.#sayOnce(entry, error);
      if (error instanceof RefusedFileError && entry.job.isEnded === true) entry.isDone = true;
    }
    if (entry.file !== undefined) this.#entries.setIdentities(entry, entry.file.follower.identities);
    entry.polledMs = clock.nowMs();
    entry.nextMs = entry.polledMs + waitMs * (1 - 0.1 * random());
    // Who has more to read goes behind those who have not had their turn.
    if (waitMs === 0 && !this.#isStopped) this.#due.push(entry);
    else entry.isWaiting = true;
  }

  /** Returns how long to wait for the next time. */
  async #pollEntry(entry: WatchedEntry): Promise<number> {
    const waitMs = entry.file === undefined ? await this.#begin(entry) : 0;
    const { file } = entry;
    if (file === undefined) {
      if (entry.job.isEnded === true) entry.isDone = true;
      return waitMs;
    }
    const state = await file.poll();
    if (state === 'more') return 0;
    if (state === 'gone') entry.file = undefined;
    if (entry.job.isEnded === true && state !== 'grown' && !file.follower.hasHole) {
      file.end();
      await file.follower.close();
      entry.isDone = true;
    }
    return Math.max(1, file.waitMs(this.#options.random()));
  }

  /** Finds out whose file it is, and whether it is followed at all. */
  async #begin(entry: WatchedEntry): Promise<number> {
    const status = await this.#fileSystem.lookUp(entry.path);
    if (status === undefined) return entry.unlistedMs === undefined ? MISSING_MS : ALIAS_MS;
    if (!status.isRegular) throw new RefusedFileError('it is no regular file');
    const holder = this.#entries.holderOf(formatIdentity(status));
    // A name that a followed file got later, e.g. by rotation.
    if (holder !== undefined && holder.path !== entry.path) return ALIAS_MS;
    const opened = await this.#openJob(entry, status);
    entry.opened = opened;
    if (opened.pipeline === undefined) return Infinity;
    const changedMs = Math.min(this.#options.clock.nowMs(), Number(status.mtimeNs / 1_000_000n));
    entry.file = this.#createFile(entry, opened.pipeline, { uid: status.uid, changedMs });
    this.#entries.setIdentities(entry, [formatIdentity(status)]);
    return 0;
  }

  async #openJob({ job }: WatchedEntry, status: FileStatus): Promise<WatchedJob> {
    const { jobs, findOwner } = this.#options;
    if (job.owner === undefined) {
      const bornNs = status.birthNs === 0n ? status.mtimeNs : status.birthNs;
      return jobs.open(job, await findOwner(status.uid), Number(bornNs / 1_000_000n));
    }
    if (status.uid !== job.owner.uid) {
      throw new RefusedFileError(`it belongs to user id ${status.uid}, the job to ${job.owner.uid}`);
    }
    return jobs.open(job, { ...job.owner, homeFolder: job.owner.homeFolder });
  }

  #createFile(
    { path, stream }: Pick<WatchedEntry, 'path' | 'stream'>,
    pipeline: NonNullable<WatchedJob['pipeline']>,
    rest: Pick<ConstructorParameters<typeof WatchedFile>[0], 'uid' | 'changedMs' | 'restored'>
  ): WatchedFile {
    const { clock, quietTimeoutMs } = this.#options;
    return new WatchedFile({
      ...{ path, stream, pipeline, fileSystem: this.#fileSystem, ...rest },
      nowMs: () => clock.nowMs(),
      idleMs: () => (this.openFiles > MANY_OPEN_FILES ? 0 : IDLE_MS),
      turnBytes: () => (this.#turns.size > MANY_TURNS ? TURN_BYTES_OF_MANY : TURN_BYTES),
      quietTimeoutMs: quietTimeoutMs ?? DEFAULT_QUIET_TIMEOUT_MS,
    });
  }

  /** Goes on with the files of a job from before a restart. */
  #restore(opened: WatchedJob): void {
    const { pipeline, source } = opened;
    if (pipeline === undefined) return;
    const nowMs = this.#options.clock.nowMs();
    for (const restored of pipeline.restoredStreams) {
      const known = readCheckpoint(restored.checkpoint);
      if (known === undefined) continue;
      const job: DiscoveredJob = { id: source.job, files: [{ path: known.path, stream: restored.name }] };
      const entry = createEntry(job, { path: known.path, stream: restored.name }, nowMs);
      entry.opened = opened;
      entry.unlistedMs = nowMs;
      entry.file = this.#createFile(entry, pipeline, { uid: known.uid, changedMs: nowMs, restored });
      this.#entries.add(entry);
      this.#entries.setIdentities(entry, entry.file.follower.identities);
    }
  }

  async #takeListed(jobs: readonly DiscoveredJob[]): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    this.#entries.beginListing();
    for (const job of jobs) {
      if (job.owner !== undefined && !this.#entries.isFinished(job)) await this.#takeOwned(job, job.owner);
      for (const file of job.files) {
        const entry = this.#entries.list(job, file, nowMs);
        if (entry === undefined) continue;
        if (job.isEnded === true && !entry.isDone) entry.nextMs = nowMs;
        this.#hints.add(dirname(file.path));
      }
    }
    this.#entries.endListing(nowMs);
  }

  /** A job that its source knows well has a log also while it has no file. */
  async #takeOwned(job: DiscoveredJob, owner: NonNullable<DiscoveredJob['owner']>): Promise<void> {
    const { jobs, findOwner } = this.#options;
    const homeFolder = owner.homeFolder ?? (await findOwner(owner.uid)).homeFolder;
    const opened = await jobs.open(job, { uid: owner.uid, name: owner.name, homeFolder });
    const isNew = this.#entries.setOpened(job, opened);
    if (isNew && opened.pipeline !== undefined) job.onPipeline?.(opened.pipeline);
  }

  #forgetFinished(): void {
    const nowMs = this.#options.clock.nowMs();
    for (const { file } of this.#entries.takeUnlisted(nowMs - UNLISTED_MS)) {
      file?.forget();
      void file?.follower.close();
    }
    for (const opened of this.#entries.takeFinishedJobs()) this.#options.jobs.close(opened);
  }

  #takeHint(path: string): void {
    for (const entry of this.#entries.at(path)) {
      entry.nextMs = Math.min(entry.nextMs, entry.polledMs + SOONEST_MS);
    }
  }

  #sayOnce(entry: WatchedEntry, error: unknown): void {
    const isRefused = error instanceof RefusedFileError;
    const message = isRefused
      ? `not following ${entry.path}: ${error.message}`
      : `cannot read ${entry.path}: ${readErrorCode(error)}; it is tried again`;
    if (message !== entry.said) this.#options.report.warn(message);
    entry.said = message;
  }
}
