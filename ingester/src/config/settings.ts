import type { JobDescription, JobSource } from '@joblens/core';
import type { LogFormat, LogLevel } from '../host/report.js';
import type { LogMode } from '../rules/log-modes.js';
import type { InfluxConnection } from '../sinks/influxdb/connection.js';

/** Where points go. */
export type Destination =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'stdout' }
  | { readonly kind: 'influxdb'; readonly connection: InfluxConnection };

/** How the user opts in: by a mode on the command line, or by a file. */
export type OptInSource =
  | { readonly kind: 'mode'; readonly mode: LogMode }
  | { readonly kind: 'file'; readonly path: string; readonly isExplicit: boolean };

/** How much output of one job is read per second. */
export interface ThroughputLimits {
  readonly bytesPerSecond: number;
  readonly linesPerSecond: number;
}

/** Where points wait on disk, and how many. */
export interface SpoolSettings {
  readonly root: string;
  readonly maxBytes: number;
}

/** The settings of any subcommand. Options override the environment, which overrides the defaults. */
export interface Settings {
  readonly source: JobSource;
  /** The job and user on the command line, which override those of files and the scheduler. */
  readonly typed: { readonly job: string | undefined; readonly user: string | undefined };
  /** Put in front of every job id except a typed one, where several clusters write into one bucket. */
  readonly jobPrefix: string;
  /** Whether a scheduler runs the job, so that it was submitted before it started. */
  readonly isScheduled: boolean;
  /** Whether this process speaks for the whole job: the only task, or the first of several. */
  readonly isLeader: boolean;
  /** The description of the job in the options and from the scheduler. */
  readonly description: JobDescription;
  readonly configPath: string | undefined;
  readonly optIn: OptInSource;
  /** A user who has not opted in gets no message: somebody else wrapped the job. */
  readonly isQuiet: boolean;
  /** Undefined when nothing says where to write. */
  readonly destination: Destination | undefined;
  /** Tokens and passwords; they are never stored. */
  readonly secrets: readonly string[];
  readonly limits: ThroughputLimits;
  /** Memory for points that wait, where there is no spool. */
  readonly bufferBytes: number;
  readonly spool: SpoolSettings;
  /** When there is no room for more points: drop and count them, or let the job wait. */
  readonly onFull: 'drop' | 'block';
  readonly drainTimeoutMs: number;
  readonly rejectedPath: string;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}
