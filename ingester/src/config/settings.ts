import type { JobDescription, JobSource } from '@joblens/core';
import type { ListenAddress } from '../net/listen.js';
import type { LogFormat, LogLevel } from '../host/report.js';
import type { LogMode } from '../rules/log-config.js';
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

/** What only `watch` needs. */
export interface WatchSettings {
  readonly isSlurm: boolean;
  readonly slurmIntervalMs: number;
  readonly quietTimeoutMs: number;
  /** In front of the ids that files and Slurm give, where several clusters write into one bucket. */
  readonly jobPrefix: string;
  /** Where /health and /metrics answer; undefined: nowhere. */
  readonly health: ListenAddress | undefined;
}

/** What only `serve` needs; where an address is undefined, nothing is received. */
export interface ServeSettings {
  readonly http: ListenAddress | undefined;
  readonly udp: ListenAddress | undefined;
  readonly tcp: ListenAddress | undefined;
  /** Where /health and /metrics answer; undefined: nowhere. */
  readonly health: ListenAddress | undefined;
  /** Integers and booleans are stored as such. */
  readonly keepsTypes: boolean;
  /** What HTTP requests must show; undefined: nothing. '' is a mistake: a variable that was to hold one. */
  readonly token: string | undefined;
  /** Host names by which it is asked for, beside this machine's own. */
  readonly allowedHosts: readonly string[];
}

/** How much output of one job is read in a second. */
export interface ThroughputLimits {
  readonly bytesPerSecond: number;
  readonly linesPerSecond: number;
}

/** Where points wait on disk, and how many. */
export interface SpoolSettings {
  readonly root: string;
  readonly maxBytes: number;
}

/** What the options, the environment and the defaults make together. */
export interface Settings {
  readonly source: JobSource;
  /** Whether a scheduler runs the job, so that it was submitted before it started. */
  readonly isScheduled: boolean;
  /** Whether this process speaks for the whole job: of several tasks the first does. */
  readonly isLeader: boolean;
  /** What the options and the scheduler say of the job. */
  readonly description: JobDescription;
  readonly configPath: string | undefined;
  readonly optIn: OptInSource;
  /** Undefined when nothing says where to write. */
  readonly destination: Destination | undefined;
  /** Tokens and passwords, which are never stored. */
  readonly secrets: readonly string[];
  readonly limits: ThroughputLimits;
  /** Memory for points that wait, where there is no spool. */
  readonly bufferBytes: number;
  readonly spool: SpoolSettings;
  /** When there is no room for more points: go on without logging, or let the job wait. */
  readonly onFull: 'drop' | 'block';
  readonly watch: WatchSettings;
  readonly serve: ServeSettings;
  readonly drainTimeoutMs: number;
  readonly rejectedPath: string;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

/** The options of the command line as they were typed. */
export interface TypedOptions {
  readonly job?: string;
  readonly jobPrefix?: string;
  readonly user?: string;
  readonly name?: string;
  readonly tag?: readonly string[];
  readonly config?: string;
  readonly optin?: string;
  readonly mode?: string;
  readonly quiet?: true;
  readonly out?: string;
  readonly url?: string;
  readonly token?: string;
  readonly org?: string;
  readonly bucket?: string;
  readonly database?: string;
  readonly api?: string;
  readonly limitBytes?: string;
  readonly limitLines?: string;
  readonly buffer?: string;
  readonly spool?: string;
  readonly spoolSize?: string;
  readonly onFull?: string;
  readonly drainTimeout?: string;
  readonly rejected?: string;
  readonly logLevel?: string;
  readonly logFormat?: string;
  readonly slurm?: true;
  readonly slurmInterval?: string;
  readonly quietTimeout?: string;
  readonly health?: string;
  readonly http?: string;
  readonly udp?: string;
  readonly tcp?: string;
  readonly keepTypes?: true;
  readonly allowHost?: readonly string[];
}
