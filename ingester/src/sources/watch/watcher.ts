import { dirname } from 'node:path';
import type { Clock } from '../../clock/clock.js';
import type { Reporter } from '../../host/report.js';
import type { DiscoveredJob, FileDiscovery, JobOwner } from '../file-discovery.js';
import { readCheckpoint } from './follow-checkpoint.js';
import { RefusedFileError } from './refused-file-error.js';
import { formatIdentity } from './file-identity.js';
import type { FileStatus, FileSystem } from './file-system.js';
import { countOpenFiles, readErrorCode } from './file-system.js';
import type { FolderHints } from './folder-hints.js';
import type { FindOwner, Owner } from './owner.js';
import { createEntry, EntryBook, type WatchedEntry } from './watched-entries.js';
import { WatchedFile } from './watched-file.js';
import type { WatchedJob, WatchedJobs } from './watched-jobs.js';
import { WritingTurns } from './writing-turns.js';

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
const DEFAULT_QUIET_TIMEOUT_MS = 600_000;

interface WatcherOptions {
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
  readonly #running = new Set<Promise<void>>();
  readonly #turns: WritingTurns;
  #lastJobs: readonly DiscoveredJob[] = [];
  #discoveryError = '';
  #isStopped = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#fileSystem = countOpenFiles(options.fileSystem);
    this.#turns = new WritingTurns(this.#entries, options.jobs.positions);
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
    await this.#forgetFinished();
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
    while (this.#running.size > 0 || this.#due.length > 0) {
      this.#startTurns();
      await Promise.all(this.#running);
    }
  }

  /** Reads once more all that is there. Streams end when nobody will go on with them. */
  async close(isResumable: boolean): Promise<void> {
    this.#due = [];
    await Promise.all(this.#running);
    this.#isStopped = true;
    this.#hints.close();
    for (const entry of this.#entries.all()) {
      entry.isWaiting = false;
      this.#due.push(entry);
    }
    await this.idle();
    for (const { file } of this.#entries.all()) {
      if (!isResumable) {
        await file?.giveRest();
        file?.end();
      }
      await file?.follower.close();
    }
    await this.#options.discovery.close?.();
  }

  get openFiles(): number {
    return this.#fileSystem.openFiles;
  }

  #startTurns(): void {
    while (this.#running.size < MAX_TURNS && this.#due.length > 0) {
      for (const entry of this.#due.splice(0, MAX_TURNS - this.#running.size)) {
        const turn = this.#takeTurn(entry).finally(() => {
          this.#running.delete(turn);
          this.#startTurns();
        });
        this.#running.add(turn);
      }
    }
  }

  async #takeTurn(entry: WatchedEntry): Promise<void> {
    const { clock, random } = this.#options;
    let waitMs = RETRY_MS;
    const hadFile = entry.file !== undefined;
    try {
      waitMs = await this.#pollEntry(entry);
      entry.said = '';
    } catch (error) {
      this.#sayOnce(entry, error);
      if (error instanceof RefusedFileError && entry.job.isEnded === true) await this.#finish(entry);
    }
    if (entry.file !== undefined) this.#entries.setIdentities(entry, entry.file.follower.identities);
    // A file that came from another job meanwhile is read at once.
    if (!hadFile && entry.file !== undefined) waitMs = Math.min(waitMs, SOONEST_MS);
    entry.polledMs = clock.nowMs();
    entry.nextMs = entry.polledMs + waitMs * (1 - 0.1 * random());
    // Who has more to read goes behind those who have not had their turn.
    if (waitMs === 0 && !this.#isStopped) this.#due.push(entry);
    else entry.isWaiting = true;
  }

  /** Returns how long to wait for the next time. */
  async #pollEntry(entry: WatchedEntry): Promise<number> {
    if (entry.isDone) return ALIAS_MS;
    const { random } = this.#options;
    const waitMs = entry.file === undefined ? await this.#begin(entry) : 0;
    const { file } = entry;
    if (file === undefined) {
      if (entry.job.isEnded === true && !this.#turns.mustWait(entry)) await this.#finish(entry);
      return waitMs;
    }
    const state = await file.poll(this.#turns.findShare(entry));
    if (state === 'more') return 0;
    if (file.isOver) return this.#handOver(entry, file);
    if (state === 'gone') entry.file = undefined;
    const isRead = state !== 'grown' && !file.follower.hasHole && !file.isHolding;
    if (entry.job.isEnded === true && isRead) await this.#finish(entry);
    return Math.max(1, file.waitMs(random()));
  }

  /** Finds out whose file it is, and whether it is followed at all. */
  async #begin(entry: WatchedEntry): Promise<number> {
    const { discovery } = this.#options;
    const status = await this.#fileSystem.lookUp(entry.path);
    if (status === undefined) return entry.unlistedMs === undefined ? MISSING_MS : ALIAS_MS;
    entry.wasSeen = true;
    if (!status.isRegular) throw new RefusedFileError('it is not a regular file');
    const holder = this.#entries.holderOf(formatIdentity(status));
    // A name that a followed file got later, e.g. by rotation.
    if (holder !== undefined && holder.path !== entry.path) return ALIAS_MS;
    if (entry.job.owner !== undefined && discovery.knowsWriting === true && this.#turns.mustStandBy(entry)) {
      await this.#sayShared(entry, status);
      return entry.file === undefined ? MISSING_MS : SOONEST_MS;
    }
    const opened = await this.#openJob(entry, status);
    entry.opened = opened;
    // Who comes next must not get what was written before, also where nothing of that is logged.
    if (opened.pipeline === undefined && !entry.isShared) return Infinity;
    return this.#beginFile(entry, opened, status);
  }

  async #beginFile(entry: WatchedEntry, { pipeline }: WatchedJob, status: FileStatus): Promise<number> {
    const { uid, mtimeNs } = status;
    const changedMs = Math.min(this.#options.clock.nowMs(), Number(mtimeNs / 1_000_000n));
    const start = this.#turns.findStart(entry, uid, changedMs);
    if (start === 'later') return MISSING_MS;
    const file = this.#createFile(entry, pipeline, { uid, changedMs, checkpoint: start.checkpoint });
    if (start.isAtEnd === true) {
      await file.follower.skip();
      this.#turns.keepPosition(entry.path, file);
    }
    // Another job's turn may have ended meanwhile, and its file have come to this one.
    if (entry.file === undefined && (entry.job.owner === undefined || !this.#entries.readerAt(entry.path))) {
      entry.file = file;
      entry.shareSinceMs = entry.job.writing?.sinceMs;
      this.#entries.setIdentities(entry, [formatIdentity(status)]);
    }
    return 0;
  }

  /** The file goes on to the job that has begun to write to it. */
  async #handOver(entry: WatchedEntry, file: WatchedFile): Promise<number> {
    const next = this.#entries.nextAfter(entry);
    if (next?.job.owner === undefined) return SOONEST_MS;
    const opened = next.opened ?? (await this.#options.jobs.open(next.job, await this.#findJobOwner(next.job.owner)));
    next.opened = opened;
    file.end();
    // In the spool what the job wrote comes before the place where it ends.
    entry.opened?.pipeline?.commit();
    this.#turns.keepPosition(entry.path, file, entry.job.id, entry.shareSinceMs);
    entry.readSinceMs = entry.shareSinceMs;
    entry.file = undefined;
    this.#entries.setIdentities(entry, []);
    if (next.job.owner.uid === file.uid) {
      file.moveTo({ pipeline: opened.pipeline, stream: next.stream });
      next.file = file;
      next.shareSinceMs = next.job.writing?.sinceMs;
      this.#entries.setIdentities(next, file.follower.identities);
    } else {
      file.forget();
      await file.close();
    }
    next.nextMs = this.#options.clock.nowMs();
    if (entry.job.isEnded === true) entry.isDone = true;
    return SOONEST_MS;
  }

  /** The job has ended, and nothing more is read of this file of it. */
  async #finish(entry: WatchedEntry): Promise<void> {
    const { file, job, opened } = entry;
    await file?.giveRest();
    await file?.close();
    if (file !== undefined && job.writing !== undefined) {
      opened?.pipeline?.commit();
      this.#turns.keepPosition(entry.path, file, job.id, job.writing.sinceMs);
    }
    entry.isDone = true;
    if (!entry.wasSeen && file === undefined) await this.#sayMissed(entry);
    for (const other of this.#entries.at(entry.path)) if (other !== entry) this.#wake(other);
  }

  /** Slurm makes the file at the start of a job: where there was none, it has another name than is known here. */
  async #sayMissed(entry: WatchedEntry): Promise<void> {
    const { job, stream } = entry;
    const paths = this.#entries.listMissed(entry);
    if (job.owner === undefined || paths.length === 0) return;
    const { pipeline } = await this.#options.jobs.open(job, await this.#findJobOwner(job.owner));
    if (pipeline === undefined) return;
    const what = `the ${stream} of this job was not found: there was no ${paths.join(' and no ')}`;
    pipeline.addNotice(
      stream,
      `${what}; a file is not found when it is removed, by %N where a node's name is not its host name, and by bytes that are no UTF-8`
    );
    this.#options.report.warn(`job ${job.id}: there was no ${paths.join(' and no ')}; its ${stream} is not logged`);
  }

  #wake(entry: WatchedEntry): void {
    entry.nextMs = Math.min(entry.nextMs, this.#options.clock.nowMs());
  }

  /** Each log that it concerns says once that the output of several jobs cannot be told apart. */
  async #sayShared(entry: WatchedEntry, status: FileStatus): Promise<void> {
    const rival = this.#turns.findRival(entry);
    if (rival === undefined || entry.hasSaidShared) return;
    entry.hasSaidShared = true;
    const { pipeline } = await this.#openJob(entry, status);
    const why = `both write to ${entry.path} at the same time, and what each wrote cannot be told apart`;
    pipeline?.addNotice('stdout', `the output of this job is in the log of job ${rival.job.id}: ${why}`);
    if (rival.hasSaidShared) return;
    rival.hasSaidShared = true;
    rival.opened?.pipeline?.addNotice('stdout', `output of job ${entry.job.id} is in this log too: ${why}`);
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
    pipeline: WatchedJob['pipeline'],
    rest: Pick<ConstructorParameters<typeof WatchedFile>[0], 'uid' | 'changedMs' | 'restored' | 'checkpoint'>
  ): WatchedFile {
    const { clock, quietTimeoutMs } = this.#options;
    return new WatchedFile({
      ...{ path, stream, pipeline, fileSystem: this.#fileSystem, ...rest },
      nowMs: () => clock.nowMs(),
      idleMs: () => (this.openFiles > MANY_OPEN_FILES ? 0 : IDLE_MS),
      turnBytes: () => (this.#running.size > MANY_TURNS ? TURN_BYTES_OF_MANY : TURN_BYTES),
      quietTimeoutMs: quietTimeoutMs ?? DEFAULT_QUIET_TIMEOUT_MS,
    });
  }

  /** Goes on with the files of a job from before a restart. */
  #restore(opened: WatchedJob): void {
    const { pipeline, source } = opened;
    if (pipeline === undefined) return;
    const { jobs, discovery } = this.#options;
    const nowMs = this.#options.clock.nowMs();
    for (const restored of pipeline.restoredStreams) {
      const known = readCheckpoint(restored.checkpoint);
      if (known === undefined) continue;
      const job: DiscoveredJob = { id: source.job, files: [{ path: known.path, stream: restored.name }] };
      const entry = createEntry(job, { path: known.path, stream: restored.name }, nowMs);
      entry.opened = opened;
      entry.unlistedMs = nowMs;
      this.#entries.add(entry);
      // What comes behind the end of its part is another job's.
      entry.isDone = !restored.wasOpen && jobs.positions.get(known.path)?.job === source.job;
      if (entry.isDone) pipeline.forgetRestored(restored);
      if (entry.isDone) continue;
      entry.file = this.#createFile(entry, pipeline, { uid: known.uid, changedMs: nowMs, restored });
      if (discovery.knowsWriting === true) entry.nextMs = Infinity;
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
        const mayBegin = entry.isShared && entry.file === undefined && entry.nextMs === Infinity;
        if ((job.isEnded === true && !entry.isDone) || mayBegin) entry.nextMs = nowMs;
        this.#hints.add(dirname(file.path));
      }
    }
    this.#entries.endListing(nowMs);
    // Files from before a restart have waited for this.
    for (const entry of this.#entries.all()) {
      if (entry.file !== undefined && entry.nextMs === Infinity) entry.nextMs = nowMs;
    }
  }

  /** A job that its source knows well has a log also while it has no file. */
  async #takeOwned(job: DiscoveredJob, owner: NonNullable<DiscoveredJob['owner']>): Promise<void> {
    const opened = await this.#options.jobs.open(job, await this.#findJobOwner(owner));
    const isNew = this.#entries.setOpened(job, opened);
    if (isNew && opened.pipeline !== undefined) job.onPipeline?.(opened.pipeline);
  }

  async #findJobOwner({ uid, name, homeFolder }: JobOwner): Promise<Owner> {
    return { uid, name, homeFolder: homeFolder ?? (await this.#options.findOwner(uid)).homeFolder };
  }

  async #forgetFinished(): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    for (const { file } of this.#entries.takeUnlisted(nowMs - UNLISTED_MS)) {
      file?.forget();
      await file?.close();
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
