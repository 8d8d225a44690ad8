import type { Stream } from '@joblens/core/schema/measurements';
import type { JobPipeline } from '../pipeline/job-pipeline.js';

/** Finds jobs whose output goes to files: from the paths on the command line, or from a scheduler. */
export interface FileDiscovery {
  /** It tells when each job writes. Until it has, files from before a restart are not read further. */
  readonly knowsWriting?: boolean;
  /**
   * Lists all known jobs with all of their files, in any order. It is called about once a second, so it may answer from
   * memory. The same list, or the same object for a job, says that nothing of it has changed but `writing.knownMs`. A
   * job that is no longer listed, and was not listed as ended, is followed until its files are quiet. Rejects if
   * nothing can be known now: then the last answer remains valid, and the error is reported once.
   */
  poll(): Promise<readonly DiscoveredJob[]>;
  /** Releases the resources of the source. */
  close?(): Promise<void>;
}

/** One job. Several with the same id and user are one. */
export interface DiscoveredJob {
  /** The tag `job`: unique within one bucket. */
  readonly id: string;
  /** Its name for people. */
  readonly name?: string;
  /** Undefined: the owner of the file. A job with an owner is opened even before any of its files exists. */
  readonly owner?: JobOwner;
  /** Its files, including those that do not exist yet. A file written by both streams is listed once, as stdout. */
  readonly files: readonly DiscoveredFile[];
  /** Its start, ms since the Unix epoch. By default, the time when its first file was created. */
  readonly startedMs?: number;
  /**
   * When it writes to its files. Undefined if that is unknown, and while it does not write, as before a second attempt.
   */
  readonly writing?: WritingTime;
  /** The job has ended: the rest of its files is read, then its streams end. It is listed so at least once. */
  readonly isEnded?: boolean;
  /**
   * Called when the job is opened, before any of its output, and again after a restart, but not if its owner has not
   * opted in. The description and events of the job can be written through `job` until the next poll() after the one
   * that listed the job as ended.
   */
  onPipeline?(job: JobWriter): void;
}

/** The owner of a job; files of other users are refused. */
export interface JobOwner {
  readonly uid: number;
  /** The tag `user`. */
  readonly name: string;
  /** The folder of the opt-in, which is read once. Undefined: the one in the user database. */
  readonly homeFolder?: string | undefined;
}

export interface DiscoveredFile {
  readonly path: string;
  readonly stream: Stream;
  /** It carries stdout and stderr, in the order in which they were printed; its stream is stdout. */
  readonly isMerged?: boolean;
  /** Another job, which may still wait, writes to it too. */
  readonly isShared?: boolean;
}

/**
 * When a job began to write and when it ended (undefined while it writes), ms since the epoch, as known at `knownMs`.
 */
export interface WritingTime {
  readonly sinceMs: number;
  readonly untilMs?: number;
  readonly knownMs: number;
}

/** The additions that a source may make to a job, besides its output. */
export type JobWriter = Pick<JobPipeline, 'describe' | 'describeEnd' | 'changeState' | 'addNotice' | 'addRow'>;
