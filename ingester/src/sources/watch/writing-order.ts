import type { EntryBook, WatchedEntry } from './watched-entries.js';
import { isInLine } from './watched-entries.js';
import type { FileShare, WatchedFile } from './watched-file.js';
import type { PathPositions } from './path-positions.js';

/** Content that is so much older than the job was not written by it, however clocks differ. */
const OLD_MS = 10_000;

/**
 * Where a job begins in a file: behind the jobs before, at its end, at its start; `later` when nothing of it is the
 * job's yet.
 */
type FileStart = 'later' | { readonly checkpoint?: string; readonly isAtEnd?: boolean };

/** The order in which jobs write to the file of a path, as far as a scheduler says when they run. */
export class WritingOrder {
  readonly #entries: EntryBook;
  readonly #positions: PathPositions;

  constructor(entries: EntryBook, positions: PathPositions) {
    this.#entries = entries;
    this.#positions = positions;
  }

  /** Whether another job writes now, or this job's output so far was read. */
  mustStandBy(entry: WatchedEntry): boolean {
    const { job, path } = entry;
    const known = this.#positions.get(path);
    const sinceMs = job.writing?.sinceMs ?? 0;
    if (known !== undefined && (known.sinceMs > sinceMs || (known.job === job.id && known.sinceMs === sinceMs))) {
      entry.readSinceMs = sinceMs;
    }
    return !isInLine(entry) || this.#entries.readerAt(path) !== undefined || this.#entries.isBehindOther(entry);
  }

  /** The job that runs, and gets the output, while another one runs and writes too. */
  findRival({ job, path, file }: WatchedEntry): WatchedEntry | undefined {
    const reader = this.#entries.readerAt(path);
    if (reader === undefined || file !== undefined) return undefined;
    const areBothWriting = [job, reader.job].every(
      ({ writing }) => writing !== undefined && writing.untilMs === undefined
    );
    return areBothWriting ? reader : undefined;
  }

  /** Whether the job has ended, while its output is still to be told from the output of the job before. */
  mustWait(entry: WatchedEntry): boolean {
    const reader = this.#entries.readerAt(entry.path);
    if (reader === undefined || !isInLine(entry)) return false;
    return reader.job.writing === undefined || reader.job.writing.untilMs !== undefined;
  }

  /** Where the job's part of the file begins. */
  findStart({ job, path }: WatchedEntry, uid: number, changedMs: number): FileStart {
    const { writing } = job;
    if (writing === undefined) return {};
    const known = this.#positions.get(path);
    if (known?.uid === uid) return { checkpoint: known.checkpoint };
    if (changedMs >= writing.sinceMs) return {};
    // Content from just before the job began may be its own, where clocks differ, or soon be truncated by it.
    return changedMs < writing.sinceMs - OLD_MS ? { isAtEnd: true } : 'later';
  }

  /** The jobs that write to the file that is read for this entry. */
  findShare(entry: WatchedEntry): FileShare | undefined {
    const { job, isShared, unlistedMs } = entry;
    // Nothing more is going to be known of it.
    if (job.owner === undefined || unlistedMs !== undefined) return undefined;
    const next = this.#entries.nextAfter(entry)?.job.writing;
    const isNextFirst = next !== undefined && next.sinceMs < (job.writing?.sinceMs ?? 0);
    // It was requeued and has begun again: what another job wrote in between comes first.
    if (!isNextFirst) entry.shareSinceMs = job.writing?.sinceMs;
    const writing = entry.shareSinceMs === job.writing?.sinceMs ? job.writing : undefined;
    return { writing, next, isShared, isEnded: job.isEnded === true };
  }

  /** Notes up to where the file was given to its job: that content is not the next job's. */
  keepPosition(path: string, file: WatchedFile, job = '', sinceMs = 0): void {
    this.#positions.set(path, { job, sinceMs, uid: file.uid, checkpoint: file.checkpoint() });
  }
}
