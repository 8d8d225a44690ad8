import type { Environment } from '../../../host/host.js';
import type { Reporter } from '../../../host/report.js';
import type { ImportedJob } from './imported-job.js';
import type { LeftOut } from './left-out.js';

/** What an importer reads, and where it puts what it finds. */
export interface ImportRequest {
  /** A file, a folder or an address, as the user wrote it. */
  readonly source: string;
  /** What is added to the times of a clock that is no wall clock; undefined: nobody says. */
  readonly offsetNs: bigint | undefined;
  /** The column or key that holds the times of rows; undefined: found by its name. */
  readonly timeKey: string | undefined;
  /** The job that the source is, and others where it tells of several. */
  readonly job: ImportedJob;
  openJob(job: string, user?: string): ImportedJob;
  readonly leftOut: LeftOut;
  readonly report: Reporter;
  readonly environment: Environment;
  /** Takes how much is read; resolves when more may be made. Call it after each piece of the source. */
  advance(readBytes: number, sizeBytes: number): Promise<void>;
  /** Aborted when the user stops the import: reading ends early. */
  readonly signal: AbortSignal;
}

/** Reads a source to its end. Throws an ImportError when it cannot be read at all. */
export type ReadSource = (request: ImportRequest) => Promise<void>;

/** One kind of source. */
export interface Importer {
  readonly kind: string;
  /** Its argument and what it is, for `--help`, in at most 60 characters. */
  readonly help: string;
  /** The code of an importer is loaded when it is used. */
  readonly load: () => Promise<ReadSource>;
}

/** The source cannot be read. The message is one line for the user. */
export class ImportError extends Error {}
