import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { FileClaims, type FileNow } from '../writers/file-claims.js';
import { identifyFile } from '../writers/identify-file.js';
import type { OtherLoggers } from '../writers/other-loggers.js';
import type { EntryFiles, EntryFilesOptions } from './entry-files.js';
import type { FileStatus } from './files/file-system.js';
import type { WatchedJob } from './jobs/watched-jobs.js';
import type { WatchedEntry } from './watched-entries.js';
import type { WatchedFile } from './watched-file.js';

type Decision = Awaited<ReturnType<FileClaims['decide']>>;

export interface EntryLoggersOptions extends Pick<EntryFilesOptions, 'jobs' | 'findOwner' | 'fileSystem' | 'clock'> {
  /** Others that may log the same files; undefined: nobody is asked. */
  readonly others?: OtherLoggers | undefined;
}

/** Whether the file of an entry is logged here, or by another joblens. */
export class EntryLoggers {
  readonly #options: EntryLoggersOptions;
  readonly #files: EntryFiles;
  readonly #claims: FileClaims | undefined;

  constructor(options: EntryLoggersOptions, files: EntryFiles) {
    this.#options = options;
    this.#files = files;
    const { others, clock } = options;
    this.#claims = others && new FileClaims({ others, clock });
  }

  /** Waits for nobody any more. */
  hurry(): void {
    this.#claims?.hurry();
  }

  /** Goes on with a file from before a restart, unless another has taken it over meanwhile. */
  restore(entry: WatchedEntry): void {
    this.#claims?.restore(entry.claimed);
  }

  /** Decides about a file that is not followed yet. */
  async decide(entry: WatchedEntry, status: FileStatus): Promise<Decision> {
    const { jobs, findOwner } = this.#options;
    // The part of each job in a shared file is known only to who reads it.
    if (this.#claims === undefined || entry.isShared) return 'ours';
    const { path, job, claimed, opened } = entry;
    const [file, owner] = [await identifyFile(path, status), job.owner ?? (await findOwner(status.uid))];
    const noteEnd = (): Promise<string> => this.#noteEnd(entry, status);
    const now: FileNow = { file, source: jobs.sourceOf(job, owner), path, changedMs: toChangedMs(status), noteEnd };
    return this.#claims.decide(claimed, now, opened?.pipeline);
  }

  /** Says that the file is followed here. Returns whether others may say so of it at the same time. */
  async isToBeConfirmed(entry: WatchedEntry, { pipeline }: WatchedJob, status: FileStatus): Promise<boolean> {
    if (this.#claims === undefined || pipeline === undefined || entry.isShared) return false;
    entry.isUndecided = this.#claims.claim(entry.claimed, await identifyFile(entry.path, status), pipeline);
    return entry.isUndecided;
  }

  /** Whether a followed file is still to be logged here. */
  async keep({ path, claimed, opened }: WatchedEntry, file: WatchedFile): Promise<Decision> {
    const followed = {
      identity: file.follower.identities.at(-1) ?? '',
      hasGrown: (sinceMs: number): boolean => file.changedMs > sinceMs,
    };
    if (opened?.pipeline === undefined || this.#claims?.isToKeep(claimed, followed) !== true) return 'ours';
    const status = await this.#options.fileSystem.lookUp(path);
    if (status?.isRegular !== true) return 'ours';
    const { source, pipeline } = opened;
    const noteEnd = (): Promise<string> => Promise.resolve(file.checkpoint());
    const identified = await identifyFile(path, status);
    const now: FileNow = { file: identified, source, path, changedMs: toChangedMs(status), noteEnd };
    return this.#claims.keep(claimed, now, followed, pipeline);
  }

  /** The place where the file ends now. */
  async #noteEnd(entry: WatchedEntry, { uid }: FileStatus): Promise<string> {
    const file = this.#files.createFile(entry, undefined, { uid, changedMs: this.#options.clock.nowMs() });
    await file.follower.skip();
    const checkpoint = file.checkpoint();
    await file.close();
    return checkpoint;
  }
}

function toChangedMs({ mtimeNs }: FileStatus): number {
  return Number(mtimeNs / NS_PER_MS);
}
