import { type EntryBook, isInLine, type WatchedEntry } from './watched-entries.js';
import type { FileShare, WatchedFile } from './watched-file.js';
import type { PathPositions } from './jobs/path-positions.js';

/** The job cannot have written content that is this much older than itself, however clocks differ. */
const OLD_MS = 10_000;

/**
 * Where a job begins in a file: behind earlier jobs, at the end, or at the start. `later`: nothing in it is the job's
 * yet.
 */
type FileStart = 'later' | { readonly checkpoint?: string; readonly isAtEnd?: boolean };

/** The order in which jobs write to the file of a path, as far as a scheduler knows when they run. */
export class WritingOrder {
  readonly #entries: EntryBook;
  readonly #positions: PathPositions;

  constructor(entries: EntryBook, positions: PathPositions) {
    this.#entries = entries;
    this.#positions = positions;
  }

  /** Whether another job writes now, or all output of this job so far was read. */
  mustStandBy(entry: WatchedEntry): boolean {
    const { job, path } = entry;
    const known = this.#positions.get(path);
    const sinceMs = job.writing?.sinceMs ?? 0;
    if (known !== undefined && (known.sinceMs > sinceMs || (known.job === job.id && known.sinceMs === sinceMs))) {
      entry.readSinceMs = sinceMs;
    }
    return !isInLine(entry) || this.#entries.readerAt(path) !== undefined || this.#entries.isBehindOther(entry);
  }

  /** The running job that gets the output while another running job writes too. */
  findRival({ job, path, file }: WatchedEntry): WatchedEntry | undefined {
    const reader = this.#entries.readerAt(path);
    if (reader === undefined || file !== undefined) return undefined;
    const areBothWriting = [job, reader.job].every(
      ({ writing }) => writing !== undefined && writing.untilMs === undefined
    );
    return areBothWriting ? reader : undefined;
  }

  /** Whether the job has ended and its output is still to be separated from the output of the job before. */
  mustWait(entry: WatchedEntry): boolean {
    const reader = this.#entries.readerAt(entry.path);
    if (reader === undefined || !isInLine(entry)) return false;
    return reader.job.writing === undefined || reader.job.writing.untilMs !== undefined;
  }

  /** The start of the job's part of the file. */
  findStart({ job, path }: WatchedEntry, uid: number, changedMs: number): FileStart {
    const { writing } = job;
    if (writing === undefined) return {};
    const known = this.#positions.get(path);
    if (known?.uid === uid) return { checkpoint: known.checkpoint };
    if (changedMs >= writing.sinceMs) return {};
    // Content from just before the job began may be its own, as clocks differ, or may soon be truncated by it.
    return changedMs < writing.sinceMs - OLD_MS ? { isAtEnd: true } : 'later';
  }

  /** The jobs that write to the file that is read for this entry. */
  findShare(entry: WatchedEntry): FileShare | undefined {
    const { job, isShared, unlistedMs } = entry;
    // No more will be known about the job.
    if (job.owner === undefined || unlistedMs !== undefined) return undefined;
    const next = this.#entries.nextAfter(entry)?.job.writing;
    const isNextFirst = next !== undefined && next.sinceMs < (job.writing?.sinceMs ?? 0);
    // The job was requeued and has begun again. Another job's output in between comes first.
    if (!isNextFirst) entry.shareSinceMs = job.writing?.sinceMs;
    const writing = entry.shareSinceMs === job.writing?.sinceMs ? job.writing : undefined;
    return { writing, next, isShared, isEnded: job.isEnded === true };
  }

  /** Notes the place up to which the file was given to its job: content before it is not the next job's. */
  keepPosition(path: string, file: WatchedFile, job = '', sinceMs = 0): void {
    this.#positions.set(path, { job, sinceMs, uid: file.uid, checkpoint: file.checkpoint() });
  }
}
