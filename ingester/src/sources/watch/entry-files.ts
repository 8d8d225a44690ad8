import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import type { Clock } from '../../clock/clock.js';
import type { DiscoveredJob, JobOwner } from '../file-discovery.js';
import type { FileStatus, FileSystem } from './files/file-system.js';
import { RefusedFileError } from './files/refused-file-error.js';
import type { FindOwner, Owner } from './jobs/owner.js';
import type { WatchedJob, WatchedJobs } from './jobs/watched-jobs.js';
import type { WatchedEntry } from './watched-entries.js';
import { WatchedFile, type WatchedFileOptions } from './watched-file.js';

const DEFAULT_QUIET_TIMEOUT_MS = 600_000;

export interface EntryFilesOptions extends Pick<WatchedFileOptions, 'idleMs' | 'pollBytes' | 'longestWaitMs'> {
  readonly jobs: WatchedJobs;
  readonly findOwner: FindOwner;
  readonly fileSystem: FileSystem;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly quietTimeoutMs?: number | undefined;
}

/** Opens the jobs of entries, and makes what follows their files. */
export class EntryFiles {
  readonly #options: EntryFilesOptions;

  constructor(options: EntryFilesOptions) {
    this.#options = options;
  }

  /** Opens the job of an entry; where nobody says whose it is, that of the file's owner. */
  async openJob({ job }: WatchedEntry, status: FileStatus): Promise<WatchedJob> {
    const { jobs, findOwner } = this.#options;
    if (job.owner === undefined) {
      const bornNs = status.birthNs === 0n ? status.mtimeNs : status.birthNs;
      return jobs.open(job, await findOwner(status.uid), Number(bornNs / NS_PER_MS));
    }
    if (status.uid !== job.owner.uid) {
      throw new RefusedFileError(`it belongs to user id ${status.uid}, the job to ${job.owner.uid}`);
    }
    return this.openOwned(job, job.owner);
  }

  async openOwned(job: DiscoveredJob, owner: JobOwner): Promise<WatchedJob> {
    return this.#options.jobs.open(job, await this.#findJobOwner(owner));
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

  async #findJobOwner({ uid, name, homeFolder }: JobOwner): Promise<Owner> {
    return { uid, name, homeFolder: homeFolder ?? (await this.#options.findOwner(uid)).homeFolder };
  }
}
