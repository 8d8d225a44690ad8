import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import type { Clock } from '../../clock/clock.js';
import { isSystemError } from '../../host/describe-fault.js';
import type { Reporter } from '../../host/report.js';
import type { FileDiscovery } from '../file-discovery.js';
import type { SourceFaults } from '../guard/source-faults.js';
import { CLAIM_MS } from '../writers/file-claims.js';
import type { EntryFiles } from './entry-files.js';
import type { EntryLoggers } from './entry-loggers.js';
import { EntryNotices } from './entry-notices.js';
import { formatIdentity } from './files/file-identity.js';
import type { FileStatus, FileSystem } from './files/file-system.js';
import { refuseIrregular, RefusedFileError } from './files/refused-file-error.js';
import type { PathPositions } from './jobs/path-positions.js';
import { UndecidedJobError } from './jobs/undecided-job-error.js';
import type { WatchedJob } from './jobs/watched-jobs.js';
import { isJudged, refuseNoText } from './judge-file.js';
import type { EntryBook, WatchedEntry } from './watched-entries.js';
import type { WatchedFile } from './watched-file.js';
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
/** A file with more faults in a row is not followed any more. */
const MAX_FAULTS = 10;

export interface EntryPollerOptions {
  readonly entries: EntryBook;
  readonly discovery: FileDiscovery;
  readonly files: EntryFiles;
  readonly loggers: EntryLoggers;
  readonly positions: PathPositions;
  readonly fileSystem: FileSystem;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly random: () => number;
  readonly report: Reporter;
  readonly faults: SourceFaults;
}

/** Follows the file of one entry: opens it for its job, reads new bytes, and hands it over to the next job. */
export class EntryPoller {
  readonly #options: EntryPollerOptions;
  readonly #entries: EntryBook;
  readonly #files: EntryFiles;
  readonly #loggers: EntryLoggers;
  readonly #order: WritingOrder;
  readonly #notices: EntryNotices;

  constructor(options: EntryPollerOptions) {
    const { entries, files, report } = options;
    this.#options = options;
    this.#entries = entries;
    this.#files = files;
    this.#loggers = options.loggers;
    this.#order = new WritingOrder(entries, options.positions);
    this.#notices = new EntryNotices({ entries, files, order: this.#order, report });
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
      if (!(error instanceof UndecidedJobError)) this.#notices.sayOnce(entry, error);
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
    const decided = await this.#loggers.keep(entry, file);
    if (decided === 'ours') return this.#read(entry, file);
    if (decided === 'theirs') await this.#drop(entry, file);
    return decided === 'theirs' ? STAND_BY_MS : UNDECIDED_MS;
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
      await this.#notices.sayShared(entry, status);
      return entry.file === undefined ? MISSING_MS : SOONEST_MS;
    }
    await refuseNoText(this.#options.fileSystem, entry, status);
    const decided = await this.#loggers.decide(entry, status);
    entry.isUndecided = decided === 'unknown';
    if (decided === 'ours') return this.#beginOurs(entry, status);
    return decided === 'theirs' ? STAND_BY_MS : UNDECIDED_MS;
  }

  async #beginOurs(entry: WatchedEntry, status: FileStatus): Promise<number> {
    const opened = await this.#files.openJob(entry, status);
    entry.opened = opened;
    // The next job must not get this job's output, even if none of that is logged.
    if (opened.pipeline === undefined && !entry.isShared) return Infinity;
    if (await this.#loggers.isToBeConfirmed(entry, opened, status)) return CLAIM_MS;
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
      if (error instanceof RefusedFileError) await this.#drop(entry, file);
      throw error;
    }
  }

  /** Reads the file of an entry no further. */
  async #drop(entry: WatchedEntry, file: WatchedFile): Promise<void> {
    await file.close();
    entry.file = undefined;
    this.#entries.setIdentities(entry, []);
  }

  async #beginFile(entry: WatchedEntry, { pipeline }: WatchedJob, status: FileStatus): Promise<number> {
    const { uid, mtimeNs } = status;
    const changedMs = Math.min(this.#options.clock.nowMs(), Number(mtimeNs / NS_PER_MS));
    const start = this.#order.findStart(entry, uid, changedMs);
    if (start === 'later') return MISSING_MS;
    const file = this.#files.createFile(entry, pipeline, {
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

  /** Hands the file over to the next job, which has begun to write to it. */
  async #handOver(entry: WatchedEntry, file: WatchedFile): Promise<number> {
    const next = this.#entries.nextAfter(entry);
    if (next?.job.owner === undefined) return SOONEST_MS;
    const opened = next.opened ?? (await this.#files.openOwned(next.job, next.job.owner));
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
    if (!entry.wasSeen && file === undefined) await this.#notices.sayMissed(entry);
    for (const other of this.#entries.at(entry.path)) if (other !== entry) this.#wake(other);
  }

  #wake(entry: WatchedEntry): void {
    this.#entries.hurry(entry, Math.min(entry.nextMs, this.#options.clock.monotonicMs()));
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
