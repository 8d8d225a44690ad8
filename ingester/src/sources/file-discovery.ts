import type { Stream } from '@joblens/core';
import type { JobPipeline } from '../pipeline/job-pipeline.js';

/** A source of jobs whose output stands in files: PATH… on the command line, or a scheduler. */
export interface FileDiscovery {
  /** It says when each job writes: files from before a restart are not read on before it has. */
  readonly knowsWriting?: boolean;
  /**
   * All jobs that are known now, with all of their files, in any order; asked about once a second, so an answer from memory is welcome.
   * A job that is listed no more, and was not listed as ended, goes on until its files are quiet. Rejects when nothing can be known now:
   * the last answer then holds, and the error is said once.
   */
  poll(): Promise<readonly DiscoveredJob[]>;
  /** Gives back what the source holds open. */
  close?(): Promise<void>;
}

/** One job. Several with the same id and user are one. */
export interface DiscoveredJob {
  /** The tag `job`: unique within one bucket. */
  readonly id: string;
  /** How people call it. */
  readonly name?: string;
  /** Whose job it is. Undefined: who owns the file. With an owner the job is opened also before any of its files exists. */
  readonly owner?: JobOwner;
  /** Files, also ones that do not exist yet. A file written by both streams is listed once, as stdout. */
  readonly files: readonly DiscoveredFile[];
  /** When it started, ms since the Unix epoch; by default when its first file was made. */
  readonly startedMs?: number;
  /** When it writes to its files. Undefined where nobody knows, and while it does not write, as before a second attempt. */
  readonly writing?: WritingTime;
  /** The job writes no more: what is left of its files is read, then its streams end. Listed so at least once. */
  readonly isEnded?: boolean;
  /**
   * Called when the job was opened, before any of its output, and again after a restart; not when its owner has not opted in. What is
   * known of the job and its events can be written through it until the next poll() after the one that listed the job as ended.
   */
  onPipeline?(job: JobWriter): void;
}

/** A file of any other user is refused. */
export interface JobOwner {
  readonly uid: number;
  /** The tag `user`. */
  readonly name: string;
  /** Where the opt-in is read, once; undefined: what the user database says. */
  readonly homeFolder?: string | undefined;
}

export interface DiscoveredFile {
  readonly path: string;
  readonly stream: Stream;
  /** Another job, which may still wait, writes to it too. */
  readonly isShared?: boolean;
}

/** Since when a job writes, and until when (undefined while it does), in ms since the epoch and whole seconds; true as of `knownMs`. */
export interface WritingTime {
  readonly sinceMs: number;
  readonly untilMs?: number;
  readonly knownMs: number;
}

/** What a source may add to a job beside its output. */
export type JobWriter = Pick<JobPipeline, 'describe' | 'addEvent' | 'addNotice'>;
