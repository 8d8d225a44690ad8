import { basename } from 'node:path';
import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import type { Clock } from '../../../clock/clock.js';
import type { Checkpoint } from '../../../pipeline/job-stream.js';
import type { FollowCheckpoint } from './follow-checkpoint.js';
import { formatIdentity } from './file-identity.js';
import { FileOpener } from './file-opener.js';
import type { FileStatus, FileSystem } from './file-system.js';
import { isRotationName } from './rotations.js';
import { type ReadOptions, type ReadOutcome, TrackedFile } from './tracked-file.js';

/** The most that one poll reads of a file, so that many files are read at the same pace. */
const POLL_BYTES = 2 ** 20;
/** A file without its name is read on for this long, as its writer may not know yet. */
const RETIRED_MS = 30_000;

/**
 * The outcome of following one path. `more`: there is more to read now. `gone`: the file is deleted and read to its
 * end.
 */
export type FollowState = 'grown' | 'more' | 'quiet' | 'missing' | 'gone';

interface FileLook {
  readonly unreadBytes: number;
  readonly changedMs: number;
}

/** Takes the bytes of a file. */
interface FollowSink {
  /** The follower's `checkpoint` already counts the bytes as taken. Resolves when more are welcome. */
  write(bytes: Uint8Array): Promise<void>;
  /** Skips this many NUL bytes. */
  skip?(bytes: number): void;
  /** The next bytes do not continue those before: the file was emptied, or other content took its place. */
  restart(): void;
}

interface FollowOptions {
  readonly path: string;
  /** Files of any other user are refused. */
  readonly uid: number;
  readonly fileSystem: FileSystem;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly sink: FollowSink;
  /** The checkpoint from before a restart. */
  readonly checkpoint?: string | undefined;
  /** How long an unchanged file stays open; 0 when too many are open. */
  readonly idleMs: () => number;
  /** About how much is read in one poll; 1 MiB by default. */
  readonly pollBytes?: () => number;
}

/**
 * Follows the bytes written under one path, each byte once and in the order of writing: bytes that are appended; the
 * rest of a file that was rotated away or deleted, before the file that took its name; the rest in a copy, before the
 * bytes after a truncation. Files are known by identity and content. It cannot see bytes that were removed before they
 * were read, nor a change of content that leaves the first KiB and the 256 bytes before the offset the same.
 */
export class FileFollower {
  readonly path: string;
  readonly #options: FollowOptions;
  readonly #opener: FileOpener;
  /** The newest file is last: it has, or had, the path's name. The files before it are finished first. */
  #files: TrackedFile[];
  /** The number of bytes that this poll may still read. */
  #leftBytes = Infinity;

  constructor(options: FollowOptions) {
    this.path = options.path;
    this.#options = options;
    this.#opener = new FileOpener(options);
    const known = options.checkpoint === undefined ? undefined : (JSON.parse(options.checkpoint) as FollowCheckpoint);
    this.#files = (known?.files ?? []).map((mark) => TrackedFile.restore(mark));
    for (const file of this.#files.slice(0, -1)) file.retiredMs = options.clock.monotonicMs();
  }

  /** The present position, to be formatted later. `unread`: how many of the last given bytes are to be given again. */
  snapshot(): Checkpoint {
    const { path, uid } = this.#options;
    const files = this.#files.map((file) => ({ offset: file.offset, markBefore: file.snapshot() })).reverse();
    return (unread) => {
      let left = unread;
      const marks = files.map(({ offset, markBefore }) => {
        const back = Math.min(left, offset);
        left -= back;
        return markBefore(back);
      });
      return JSON.stringify({ path, uid, files: marks.reverse() } satisfies FollowCheckpoint);
    };
  }

  /** The identities of the followed files, whatever their names are now. */
  get identities(): readonly string[] {
    return this.#files.map((file) => formatIdentity(file.identity));
  }

  /** Whether a part of a file is still missing on a network file system, so that it must be read again soon. */
  get hasHole(): boolean {
    return this.#files.some((file) => file.hasHole);
  }

  /** How much there is to read, and when the file with the name last changed (ms); undefined when there is none. */
  async look(): Promise<FileLook | undefined> {
    const status = await this.#options.fileSystem.lookUp(this.path);
    if (status?.isRegular !== true) return undefined;
    let unreadBytes = status.size;
    for (const file of this.#files) {
      const isContinued = file === this.#files.at(-1) && file.isSame(status) && status.size >= file.offset;
      if (isContinued) unreadBytes -= file.offset;
      else unreadBytes += Math.max(0, ((await file.status())?.size ?? 0) - file.offset);
    }
    return { unreadBytes, changedMs: Number(status.mtimeNs / NS_PER_MS) };
  }

  /** Begins at the present end of the file. Throws as `poll` does. */
  async skip(): Promise<void> {
    const { handle, status } = await this.#opener.openChecked(this.path);
    const file = new TrackedFile(this.path, status);
    try {
      await file.skip(handle, status);
    } finally {
      await handle.close();
    }
    this.#files = [file];
  }

  /** Reads new bytes, at most `maxBytes`. Throws a RefusedFileError, or when a file cannot be opened or read. */
  async poll(maxBytes = Infinity): Promise<FollowState> {
    this.#leftBytes = maxBytes;
    const status = await this.#options.fileSystem.lookUp(this.path);
    const [first] = this.#files;
    if (status !== undefined && first !== undefined && this.#files.length === 1) {
      if (first.isSame(status) && first.isSettled(status)) return this.#rest(first);
    }
    let failure: unknown;
    if (status !== undefined) await this.#takeOver(status).catch((error: unknown) => (failure = error));
    const state = await this.#readAll(status);
    // The rest of the earlier files comes first, then the error.
    if (failure !== undefined && state !== 'more') throw toError(failure);
    return state;
  }

  /** Closes the files. The next poll opens them again. */
  async close(): Promise<void> {
    for (const file of this.#files) await file.close();
  }

  async #rest(file: TrackedFile): Promise<FollowState> {
    if (file.isOpen && this.#options.clock.monotonicMs() - file.grownMs > this.#options.idleMs()) await file.close();
    return 'quiet';
  }

  /** Makes the file with the name the newest one. Opens all files in between at once, so that none is lost. */
  async #takeOver(status: FileStatus): Promise<void> {
    const newest = this.#files.at(-1);
    if (newest !== undefined && newest.isSame(status)) {
      newest.retiredMs = undefined;
      return;
    }
    const known = this.#files.find((file) => file.isSame(status));
    if (known !== undefined) {
      this.#files = [...this.#files.filter((file) => file !== known), known];
      return;
    }
    const between =
      newest === undefined ? [] : await this.#opener.openNewerThan(await this.#lastChangeNs(newest), this.#files);
    const opened = await this.#opener.open(this.path).catch(async (error: unknown) => {
      for (const file of between) await file.close();
      throw error;
    });
    for (const file of this.#files) file.retiredMs ??= this.#options.clock.monotonicMs();
    for (const file of between) file.retiredMs = this.#options.clock.monotonicMs();
    this.#files.push(...between, opened);
  }

  async #lastChangeNs(file: TrackedFile): Promise<bigint> {
    await this.#opener.ensureOpen(file);
    return (await file.status())?.mtimeNs ?? file.mtimeNs;
  }

  async #readAll(status: FileStatus | undefined): Promise<FollowState> {
    const newest = this.#files.at(-1);
    if (newest === undefined) return 'missing';
    this.#setRetired(newest, status);
    const ends = await this.#readEnds();
    let isGrown = false;
    for (const file of [...this.#files]) {
      const before = file.offset;
      const outcome = await this.#readOne(file, ends.get(file) ?? Infinity);
      if (outcome === 'more') return 'more';
      isGrown ||= file.offset > before;
      if (file !== newest && file.hasHole) break;
    }
    await this.#forgetRetired();
    if (this.#files.length === 0) return 'gone';
    if (status !== undefined && this.#files.length === 1 && this.#options.idleMs() === 0) await newest.close();
    if (isGrown) return 'grown';
    return status === undefined ? 'missing' : 'quiet';
  }

  /**
   * Retires a file whose name is gone or means a file that is not followed: it is read for a while, but not held
   * forever.
   */
  #setRetired(newest: TrackedFile, status: FileStatus | undefined): void {
    if (status === undefined || !newest.isSame(status)) newest.retiredMs ??= this.#options.clock.monotonicMs();
  }

  /**
   * Notes the ends of the files: bytes written to a later file after an earlier one was read to its end come after the
   * bytes that were in the earlier one by then.
   */
  async #readEnds(): Promise<Map<TrackedFile, number>> {
    const ends = new Map<TrackedFile, number>();
    for (const file of this.#files.slice(1)) {
      const status = await file.status();
      if (status !== undefined) ends.set(file, status.size);
    }
    return ends;
  }

  async #readOne(file: TrackedFile, endOffset: number): Promise<'end' | 'more'> {
    const found = await this.#opener.ensureOpen(file);
    if (found === 'missing') {
      // For a while, the newest file still tells since when other files are new.
      if (file !== this.#files.at(-1)) this.#files = this.#files.filter((other) => other !== file);
      return 'end';
    }
    const { sink, clock, pollBytes } = this.#options;
    const maxBytes = pollBytes?.() ?? POLL_BYTES;
    const end = Math.min(endOffset, file.offset + this.#leftBytes);
    const write = (bytes: Uint8Array): Promise<void> => {
      this.#leftBytes -= bytes.length;
      return sink.write(bytes);
    };
    const skip = (bytes: number): void => {
      this.#leftBytes -= bytes;
      sink.skip?.(bytes);
    };
    const options = { maxBytes, endOffset: end, nowMs: clock.nowMs(), monotonicMs: clock.monotonicMs(), write, skip };
    const outcome = found === 'replaced' ? found : await this.#readOpened(file, options);
    if (outcome !== 'replaced') return outcome;
    await this.#replace(file);
    return 'more';
  }

  /** Opens the file anew after an error: its handle may be stale, as on a network file system. */
  async #readOpened(file: TrackedFile, options: ReadOptions): Promise<ReadOutcome> {
    try {
      return await file.read(options);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * Called when the same file has other content. A copy may hold the unread rest of the old content (copy and
   * truncate).
   */
  async #replace(file: TrackedFile): Promise<void> {
    // If nothing was read, any file would pass for a copy.
    const copy = file.offset === 0 ? undefined : await this.#opener.openCopy(file);
    const newer = await this.#opener
      .openNewerThan((copy ?? file).mtimeNs, this.#files)
      .catch(async (error: unknown) => {
        await copy?.close();
        throw error;
      });
    const rest = copy === undefined ? newer : [copy, ...newer];
    for (const part of rest) part.retiredMs = this.#options.clock.monotonicMs();
    // The inode of a deleted file may have come back as any file of the folder.
    const name = basename(this.path);
    const isOurs = basename(file.path) === name || isRotationName(name, basename(file.path));
    if (copy === undefined && isOurs) this.#options.sink.restart();
    this.#files.splice(this.#files.indexOf(file), 1, ...rest, ...(isOurs ? [file] : []));
    if (isOurs) file.reset();
    else await file.close();
  }

  /**
   * Forgets files without the name after some time without new bytes; the last one only if it has no other name either.
   */
  async #forgetRetired(): Promise<void> {
    const monotonicMs = this.#options.clock.monotonicMs();
    const newest = this.#files.at(-1);
    const kept: TrackedFile[] = [];
    for (const file of this.#files) {
      const isOld = file.retiredMs !== undefined && monotonicMs - Math.max(file.retiredMs, file.grownMs) > RETIRED_MS;
      // While the newest file is empty, the writer may still hold the one before.
      const isForgotten = isOld && (file === newest ? await isGone(file) : newest?.offset !== 0);
      if (isForgotten) await file.close();
      else kept.push(file);
    }
    this.#files = kept;
  }
}

async function isGone(file: TrackedFile): Promise<boolean> {
  return file.isLost || (await file.status())?.links === 0;
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('unknown', { cause: thrown });
}
