import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import type { Clock } from '../../clock/clock.js';
import { isSystemError } from '../../host/describe-fault.js';
import { describeFileError } from '../../host/file-error.js';
import { showPath } from '../../host/path-bytes.js';
import type { Reporter } from '../../host/report.js';
import type { FileDiscovery, JobOwner } from '../file-discovery.js';
import type { SourceFaults } from '../guard/source-faults.js';
import { formatIdentity } from './files/file-identity.js';
import type { FileStatus, FileSystem } from './files/file-system.js';
import { CLAIM_MS, FileClaims } from '../writers/file-claims.js';
import { identifyFile } from '../writers/identify-file.js';
import type { OtherLoggers } from '../writers/other-loggers.js';
import type { FindOwner, Owner } from './jobs/owner.js';
import { refuseIrregular, RefusedFileError } from './files/refused-file-error.js';
import { isJudged, refuseNoText } from './judge-file.js';
import { UndecidedJobError } from './jobs/undecided-job-error.js';
import type { EntryBook, WatchedEntry } from './watched-entries.js';
import { WatchedFile, type WatchedFileOptions } from './watched-file.js';
import type { WatchedJob, WatchedJobs } from './jobs/watched-jobs.js';
import { WritingOrder } from './writing-order.js';

const RETRY_MS = 2000;
/** How soon a missing file is tried again. */
const MISSING_MS = 1000;
/** How soon a name is tried again that is unlikely to become a file to follow. */
const ALIAS_MS = 10_000;
const SOONEST_MS = 100;
/** How soon a file is looked at again that another joblens logs. */
const STAND_BY_MS = 30_000;
/** How soon it is asked again who logs a file. */
const UNDECIDED_MS = 250;
const DEFAULT_QUIET_TIMEOUT_MS = 600_000;
/** A file with more faults in a row is not followed any more. */
const MAX_FAULTS = 10;

export interface EntryPollerOptions extends Pick<WatchedFileOptions, 'idleMs' | 'pollBytes' | 'longestWaitMs'> {
  readonly entries: EntryBook;
  readonly discovery: FileDiscovery;
  readonly jobs: WatchedJobs;
  readonly findOwner: FindOwner;
  readonly fileSystem: FileSystem;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly random: () => number;
  readonly report: Reporter;
  readonly faults: SourceFaults;
  readonly quietTimeoutMs?: number | undefined;
  /** Others that may log the same files; undefined: nobody is asked. */
  readonly others?: OtherLoggers | undefined;
}

/** Follows the file of one entry: opens it for its job, reads new bytes, and hands it over to the next job. */
export class EntryPoller {
  readonly #options: EntryPollerOptions;
  readonly #entries: EntryBook;
  readonly #order: WritingOrder;
  readonly #claims: FileClaims | undefined;

  constructor(options: EntryPollerOptions) {
    this.#options = options;
    this.#entries = options.entries;
    this.#order = new WritingOrder(options.entries, options.jobs.positions);
    const { others, clock } = options;
    this.#claims = others && new FileClaims({ others, clock });
  }

  /** Waits for nobody any more: each file is polled once more, and then the process ends. */
  hurry(): void {
    this.#claims?.hurry();
  }

  /** Reads new bytes. Returns how long to wait until the next poll. Never rejects. */
  async poll(entry: WatchedEntry): Promise<number> {
    const { faults } = this.#options;
    try {
      const waitMs = await this.#poll(entry);
      entry.faults = 0;
      return waitMs;
    } catch (error) {
      entry.faults += 1;
      faults.note(entry.path, error);
      if (entry.faults <= MAX_FAULTS) return RETRY_MS;
      await faults.containAll(entry.path, () => this.#finish(entry));
      entry.isDone = true;
      return ALIAS_MS;
    }
  }

  async #poll(entry: WatchedEntry): Promise<number> {
    let waitMs = RETRY_MS;
    const hadFile = entry.file !== undefined;
    try {
      waitMs = await this.#pollEntry(entry);
      entry.said = '';
    } catch (error) {
      if (isFault(error)) throw error;
      // It is said once of its owner.
      if (!(error instanceof UndecidedJobError)) this.#sayOnce(entry, error);
      if (error instanceof RefusedFileError && entry.job.isEnded === true) await this.#finish(entry);
    }
    if (entry.file !== undefined) this.#entries.setIdentities(entry, entry.file.follower.identities);
    // A file that has come from another job meanwhile is read at once.
    return !hadFile && entry.file !== undefined ? Math.min(waitMs, SOONEST_MS) : waitMs;
  }

  async #pollEntry(entry: WatchedEntry): Promise<number> {
    if (entry.isDone) return ALIAS_MS;
    const waitMs = entry.file === undefined ? await this.#begin(entry) : 0;
    const { file } = entry;
    if (file !== undefined) await this.#judgeGrown(entry, file);
    if (file === undefined) {
      if (this.#isOver(entry)) await this.#finish(entry);
      return waitMs;
    }
    const kept = await this.#keep(entry, file);
    return kept === 'ours' ? this.#read(entry, file) : kept === 'theirs' ? STAND_BY_MS : UNDECIDED_MS;
  }

  async #read(entry: WatchedEntry, file: WatchedFile): Promise<number> {
    const state = await file.poll(this.#order.findShare(entry));
    if (state === 'more') return 0;
    if (file.isOver) return this.#handOver(entry, file);
    if (state === 'gone') entry.file = undefined;
    const isRead = state !== 'grown' && !file.follower.hasHole && !file.isHolding;
    if (entry.job.isEnded === true && isRead) await this.#finish(entry);
    return Math.max(1, file.waitMs(this.#options.random()));
  }

  /** Whether nothing more is to come of an entry without a file. */
  #isOver(entry: WatchedEntry): boolean {
    return entry.job.isEnded === true && !entry.isUndecided && !this.#order.mustWait(entry);
  }

  /** Finds the owner and job of the file, and decides whether it is followed. */
  async #begin(entry: WatchedEntry): Promise<number> {
    const { discovery } = this.#options;
    const status = await this.#options.fileSystem.lookUp(entry.path);
    if (status === undefined) {
      entry.claimed.sinceMs = this.#options.clock.monotonicMs();
      return entry.unlistedMs === undefined ? MISSING_MS : ALIAS_MS;
    }
    entry.wasSeen = true;
    if (isFoundFolder(entry, status)) return ALIAS_MS;
    if (!status.isRegular) throw refuseIrregular(status);
    const holder = this.#entries.holderOf(formatIdentity(status));
    // A followed file got this name later, e.g. by rotation.
    if (holder !== undefined && holder.path !== entry.path) return ALIAS_MS;
    if (entry.job.owner !== undefined && discovery.knowsWriting === true && this.#order.mustStandBy(entry)) {
      await this.#sayShared(entry, status);
      return entry.file === undefined ? MISSING_MS : SOONEST_MS;
    }
    await refuseNoText(this.#options.fileSystem, entry, status);
    const decided = await this.#decide(entry, status);
    entry.isUndecided = decided === 'unknown';
    if (decided === 'ours') return this.#beginOurs(entry, status);
    return decided === 'theirs' ? STAND_BY_MS : UNDECIDED_MS;
  }

  async #beginOurs(entry: WatchedEntry, status: FileStatus): Promise<number> {
    const opened = await this.#openJob(entry, status);
    entry.opened = opened;
    // The next job must not get this job's output, even if none of that is logged.
    if (opened.pipeline === undefined && !entry.isShared) return Infinity;
    if (await this.#isToBeConfirmed(entry, opened, status)) return CLAIM_MS;
    return this.#beginFile(entry, opened, status);
  }

  /** Goes on to judge a file that was short. */
  async #judgeGrown(entry: WatchedEntry, file: WatchedFile): Promise<void> {
    if (isJudged(entry)) return;
    const status = await this.#options.fileSystem.lookUp(entry.path);
    if (status?.isRegular !== true) return;
    try {
      await refuseNoText(this.#options.fileSystem, entry, status);
    } catch (error) {
      if (error instanceof RefusedFileError) {
        await file.close();
        entry.file = undefined;
        this.#entries.setIdentities(entry, []);
      }
      throw error;
    }
  }

  async #beginFile(entry: WatchedEntry, { pipeline }: WatchedJob, status: FileStatus): Promise<number> {
    const { uid, mtimeNs } = status;
    const changedMs = Math.min(this.#options.clock.nowMs(), Number(mtimeNs / NS_PER_MS));
    const start = this.#order.findStart(entry, uid, changedMs);
    if (start === 'later') return MISSING_MS;
    const file = this.createFile(entry, pipeline, {
      ...{ uid, changedMs },
      checkpoint: entry.claimed.standBy?.checkpoint ?? start.checkpoint,
    });
    if (start.isAtEnd === true) {
      await file.follower.skip();
      this.#order.keepPosition(entry.path, file);
    }
    // Meanwhile another job's turn may have ended, and this entry may have its file.
    if (entry.file === undefined && (entry.job.owner === undefined || !this.#entries.readerAt(entry.path))) {
      entry.file = file;
      entry.shareSinceMs = entry.job.writing?.sinceMs;
      this.#entries.setIdentities(entry, [formatIdentity(status)]);
    }
    return 0;
  }

  /** Whether the file is logged here, or by another joblens. */
  async #decide(entry: WatchedEntry, status: FileStatus): Promise<'ours' | 'theirs' | 'unknown'> {
    const { jobs, findOwner } = this.#options;
    // The part of each job in a shared file is known only to who reads it.
    if (this.#claims === undefined || entry.isShared) return 'ours';
    const { path, job, claimed, opened } = entry;
    const [file, owner] = [await identifyFile(path, status), job.owner ?? (await findOwner(status.uid))];
    const changedMs = Number(status.mtimeNs / NS_PER_MS);
    const noteEnd = (): Promise<string> => this.#noteEnd(entry, status);
    const now = { file, source: jobs.sourceOf(job, owner), path, changedMs, noteEnd };
    return this.#claims.decide(claimed, now, opened?.pipeline);
  }

  /** Says that the file is followed here. Returns whether others may say so of it at the same time. */
  async #isToBeConfirmed(entry: WatchedEntry, { pipeline }: WatchedJob, status: FileStatus): Promise<boolean> {
    if (this.#claims === undefined || pipeline === undefined || entry.isShared) return false;
    entry.isUndecided = this.#claims.claim(entry.claimed, await identifyFile(entry.path, status), pipeline);
    return entry.isUndecided;
  }

  /** Whether a followed file is still to be logged here. If not, it is read no further. */
  async #keep(entry: WatchedEntry, file: WatchedFile): Promise<'ours' | 'theirs' | 'unknown'> {
    const { path, claimed, opened } = entry;
    const followed = {
      identity: file.follower.identities.at(-1) ?? '',
      hasGrown: (sinceMs: number): boolean => file.changedMs > sinceMs,
    };
    if (opened?.pipeline === undefined || this.#claims?.isToKeep(claimed, followed) !== true) return 'ours';
    const status = await this.#options.fileSystem.lookUp(path);
    if (status?.isRegular !== true) return 'ours';
    const { source, pipeline } = opened;
    const changedMs = Number(status.mtimeNs / NS_PER_MS);
    const noteEnd = (): Promise<string> => Promise.resolve(file.checkpoint());
    const now = { file: await identifyFile(path, status), source, path, changedMs, noteEnd };
    const decided = await this.#claims.keep(claimed, now, followed, pipeline);
    if (decided === 'theirs') {
      await file.close();
      entry.file = undefined;
      this.#entries.setIdentities(entry, []);
    }
    return decided;
  }

  /** The place where the file ends now. */
  async #noteEnd(entry: WatchedEntry, { uid }: FileStatus): Promise<string> {
    const file = this.createFile(entry, undefined, { uid, changedMs: this.#options.clock.nowMs() });
    await file.follower.skip();
    const checkpoint = file.checkpoint();
    await file.close();
    return checkpoint;
  }

  /** Hands the file over to the next job, which has begun to write to it. */
  async #handOver(entry: WatchedEntry, file: WatchedFile): Promise<number> {
    const next = this.#entries.nextAfter(entry);
    if (next?.job.owner === undefined) return SOONEST_MS;
    const opened = next.opened ?? (await this.#options.jobs.open(next.job, await this.findJobOwner(next.job.owner)));
    next.opened = opened;
    file.end();
    // In the spool, the job's output must come before the place where it ends.
    entry.opened?.pipeline?.commit();
    this.#order.keepPosition(entry.path, file, entry.job.id, entry.shareSinceMs);
    entry.readSinceMs = entry.shareSinceMs;
    entry.file = undefined;
    this.#entries.setIdentities(entry, []);
    if (next.job.owner.uid === file.uid) {
      file.moveTo({ pipeline: opened.pipeline, stream: next.stream, isMerged: next.isMerged });
      next.file = file;
      next.shareSinceMs = next.job.writing?.sinceMs;
      this.#entries.setIdentities(next, file.follower.identities);
    } else {
      file.forget();
      await file.close();
    }
    this.#entries.hurry(next, this.#options.clock.monotonicMs());
    if (entry.job.isEnded === true) entry.isDone = true;
    return SOONEST_MS;
  }

  /** Finishes an entry whose job has ended and whose file is read to the end. */
  async #finish(entry: WatchedEntry): Promise<void> {
    const { file, job, opened } = entry;
    await file?.giveRest();
    await file?.close();
    if (file !== undefined && job.writing !== undefined) {
      opened?.pipeline?.commit();
      this.#order.keepPosition(entry.path, file, job.id, job.writing.sinceMs);
    }
    entry.isDone = true;
    if (!entry.wasSeen && file === undefined) await this.#sayMissed(entry);
    for (const other of this.#entries.at(entry.path)) if (other !== entry) this.#wake(other);
  }

  /**
   * Reports a missing file: Slurm creates it at the start of a job, so it must have another name than is known here.
   */
  async #sayMissed(entry: WatchedEntry): Promise<void> {
    const { job, stream } = entry;
    const paths = this.#entries.listMissed(entry);
    if (job.owner === undefined || paths.length === 0) return;
    const { pipeline } = await this.#options.jobs.open(job, await this.findJobOwner(job.owner));
    if (pipeline === undefined) return;
    const what = `the ${stream} of this job was not found: there was no ${paths.join(' and no ')}`;
    pipeline.addNotice(
      stream,
      `${what}; a file is not found when it is removed, by %N where a node's name is not its host name, and by bytes that are no UTF-8`
    );
    this.#options.report.warn(`job ${job.id}: there was no ${paths.join(' and no ')}; its ${stream} is not logged`);
  }

  #wake(entry: WatchedEntry): void {
    this.#entries.hurry(entry, Math.min(entry.nextMs, this.#options.clock.monotonicMs()));
  }

  /** Tells each log concerned, once, that the output of several jobs cannot be told apart. */
  async #sayShared(entry: WatchedEntry, status: FileStatus): Promise<void> {
    const rival = this.#order.findRival(entry);
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
      return jobs.open(job, await findOwner(status.uid), Number(bornNs / NS_PER_MS));
    }
    if (status.uid !== job.owner.uid) {
      throw new RefusedFileError(`it belongs to user id ${status.uid}, the job to ${job.owner.uid}`);
    }
    return jobs.open(job, await this.findJobOwner(job.owner));
  }

  /** Goes on with a file from before a restart, unless another has taken it over meanwhile. */
  restore(entry: WatchedEntry): void {
    this.#claims?.restore(entry.claimed);
  }

  createFile(
    { path, stream, isMerged }: Pick<WatchedEntry, 'path' | 'stream' | 'isMerged'>,
    pipeline: WatchedJob['pipeline'],
    rest: Pick<WatchedFileOptions, 'uid' | 'changedMs'> & Partial<Pick<WatchedFileOptions, 'restored' | 'checkpoint'>>
  ): WatchedFile {
    const { clock, fileSystem, idleMs, pollBytes, longestWaitMs, ...options } = this.#options;
    const { quietTimeoutMs = DEFAULT_QUIET_TIMEOUT_MS } = options;
    return new WatchedFile({
      ...{ path, stream, isMerged, pipeline, fileSystem, idleMs, pollBytes, longestWaitMs },
      ...{ quietTimeoutMs, clock, ...rest },
    });
  }

  async findJobOwner({ uid, name, homeFolder }: JobOwner): Promise<Owner> {
    return { uid, name, homeFolder: homeFolder ?? (await this.#options.findOwner(uid)).homeFolder };
  }

  #sayOnce(entry: WatchedEntry, error: unknown): void {
    const isRefused = error instanceof RefusedFileError;
    const message = isRefused
      ? `not following ${showPath(entry.path)}: ${error.message}`
      : `cannot read ${showPath(entry.path)}: ${describeFileError(error)}; it is tried again`;
    if (message !== entry.said) this.#options.report.warn(message);
    entry.said = message;
  }
}

/** Whether a path that the user gave is a folder: its files are found in it. */
function isFoundFolder({ job }: WatchedEntry, { isFolder }: FileStatus): boolean {
  return isFolder === true && job.owner === undefined;
}

/** Whether it is this program that errs, and not the system or the file. */
function isFault(error: unknown): boolean {
  return !isSystemError(error) && !(error instanceof UndecidedJobError) && !(error instanceof RefusedFileError);
}
