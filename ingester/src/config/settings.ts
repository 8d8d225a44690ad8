import type { JobDescription } from '@joblens/core/schema/job-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import type { TransitionOrigin } from '@joblens/core/schema/transition-point';
import type { LogMode } from '../rules/options/log-modes.js';
import type { InfluxConnection } from '../sinks/influxdb/connection.js';
import type { SharedValues } from './shared-options.js';

/** Where points go. */
export type Destination =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'stdout' }
  | { readonly kind: 'influxdb'; readonly connection: InfluxConnection };

/** How the user opts in: by a mode on the command line, or by a file. */
export type OptInSource =
  | { readonly kind: 'mode'; readonly mode: LogMode }
  | { readonly kind: 'file'; readonly path: string; readonly isExplicit: boolean };

/** How much output of one job is read per second, and how many tables it may have. */
export interface ThroughputLimits {
  readonly bytesPerSecond: number;
  readonly linesPerSecond: number;
  readonly maxTables?: number;
}

/** Where points wait on disk, and how many. */
export interface SpoolSettings {
  readonly root: string;
  readonly maxBytes: number;
}

/** The settings of any subcommand. Options override the environment, which overrides the defaults. */
export interface Settings {
  /** The shared options themselves. All other fields are made of them. */
  readonly options: SharedValues;
  readonly source: JobSource;
  /** Whether a scheduler runs the job, so that it was submitted before it started. */
  readonly isScheduled: boolean;
  /** Whether a scheduler may tell of the same changes of state. */
  readonly transitionOrigin: Exclude<TransitionOrigin, 'slurm'>;
  /** Whether this process speaks for the whole job: the only task, or the first of several. */
  readonly isLeader: boolean;
  /** The description of the job in the options and from the scheduler. */
  readonly description: JobDescription;
  readonly optIn: OptInSource;
  /** Undefined when nothing says where to write. */
  readonly destination: Destination | undefined;
  /** The job's output in a pipe is in a file that the site's `watch` follows; undefined: nobody has said so or not. */
  readonly isWatched: boolean | undefined;
  /** The file with the site's settings, if there is one, and what is wrong with it. */
  readonly site?: { readonly path: string; readonly faults: readonly string[] };
  /** Tokens and passwords; they are never stored. */
  readonly secrets: readonly string[];
  readonly limits: ThroughputLimits;
  readonly spool: SpoolSettings;
  readonly rejectedPath: string;
}
