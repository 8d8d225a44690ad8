import { describeFileError } from '../../host/file-error.js';
import { showPath } from '../../host/path-bytes.js';
import type { Reporter } from '../../host/report.js';
import type { EntryFiles } from './entry-files.js';
import type { FileStatus } from './files/file-system.js';
import { RefusedFileError } from './files/refused-file-error.js';
import type { EntryBook, WatchedEntry } from './watched-entries.js';
import type { WritingOrder } from './writing-order.js';

interface EntryNoticesOptions {
  readonly entries: EntryBook;
  readonly files: EntryFiles;
  readonly order: WritingOrder;
  readonly report: Reporter;
}

/** Says, once each, why the output of an entry is not in the log of its job. */
export class EntryNotices {
  readonly #options: EntryNoticesOptions;

  constructor(options: EntryNoticesOptions) {
    this.#options = options;
  }

  /**
   * Reports a missing file: Slurm creates it at the start of a job, so it must have another name than is known here.
   */
  async sayMissed(entry: WatchedEntry): Promise<void> {
    const { job, stream } = entry;
    const paths = this.#options.entries.listMissed(entry);
    if (job.owner === undefined || paths.length === 0) return;
    const { pipeline } = await this.#options.files.openOwned(job, job.owner);
    if (pipeline === undefined) return;
    const what = `the ${stream} of this job was not found: there was no ${paths.join(' and no ')}`;
    pipeline.addNotice(
      stream,
      `${what}; a file is not found when it is removed, by %N where a node's name is not its host name, and by bytes that are no UTF-8`
    );
    this.#options.report.warn(`job ${job.id}: there was no ${paths.join(' and no ')}; its ${stream} is not logged`);
  }

  /** Tells each log concerned that the output of several jobs cannot be told apart. */
  async sayShared(entry: WatchedEntry, status: FileStatus): Promise<void> {
    const rival = this.#options.order.findRival(entry);
    if (rival === undefined || entry.hasSaidShared) return;
    entry.hasSaidShared = true;
    const { pipeline } = await this.#options.files.openJob(entry, status);
    const why = `both write to ${entry.path} at the same time, and what each wrote cannot be told apart`;
    pipeline?.addNotice('stdout', `the output of this job is in the log of job ${rival.job.id}: ${why}`);
    if (rival.hasSaidShared) return;
    rival.hasSaidShared = true;
    rival.opened?.pipeline?.addNotice('stdout', `output of job ${entry.job.id} is in this log too: ${why}`);
  }

  /** Reports why the file is not followed. */
  sayOnce(entry: WatchedEntry, error: unknown): void {
    const isRefused = error instanceof RefusedFileError;
    const message = isRefused
      ? `not following ${showPath(entry.path)}: ${error.message}`
      : `cannot read ${showPath(entry.path)}: ${describeFileError(error)}; it is tried again`;
    if (message !== entry.said) this.#options.report.warn(message);
    entry.said = message;
  }
}
