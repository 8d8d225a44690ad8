import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { bufferPool } from '../../../bytes/buffer-pool.js';
import { ContentFingerprint, type FingerprintMarks, HEAD_BYTES, isPiece, TAIL_BYTES } from './content-fingerprint.js';
import { type FileIdentity, isSameFile } from './file-identity.js';
import type { FileStatus, OpenedFile } from './file-system.js';

const CHUNK_BYTES = 252 * 1024;
const BLANK = Buffer.alloc(CHUNK_BYTES);
/** Read in excess of the size: the file may grow, and on a network file system the size may be old. */
const SPARE_BYTES = 512;
/** A file with an older change is not in the middle of one. A file changed more recently is checked twice. */
const STILL_MS = 60_000;
/** How long NUL bytes are taken for a hole that another machine has yet to fill. */
const HOLE_PATIENCE_MS = 5000;
/** The end of a hole is queried this often at most, as a file may have any number of holes. */
const ASK_FOR_DATA_MS = 1000;

/** The position in one file, as JSON. It is enough to find the file again and to check that its content is the same. */
export interface FileMark {
  readonly path: string;
  readonly dev: string;
  readonly ino: string;
  readonly birthNs: string;
  readonly uid: number;
  /** The number of bytes read from the start. */
  readonly offset: number;
  readonly mtimeNs: string;
  readonly marks: FingerprintMarks;
}

/** `end`: everything was read; `more`: the next poll reads the rest; `replaced`: the file has other content. */
export type ReadOutcome = 'end' | 'more' | 'replaced';

export interface ReadOptions {
  /** The most bytes to read, approximately. */
  readonly maxBytes: number;
  /** Nothing is read behind this offset. */
  readonly endOffset: number;
  readonly nowMs: number;
  readonly monotonicMs: number;
  /** The checkpoint already counts the bytes as taken. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Skips this many NUL bytes, as in a sparse file: a console would show none of them. */
  readonly skip: (bytes: number) => void;
}

/** One file, whatever its name is now: how much was read, the marks of its content, and its handle while it is open. */
export class TrackedFile {
  /** The path where it was last found. */
  path: string;
  readonly uid: number;
  identity: FileIdentity;
  offset = 0;
  /** The time of its last change, as of the last read. */
  mtimeNs: bigint;
  /** The time when new bytes were last read. */
  grownMs = 0;
  /** Since when its name is gone or another file has it. */
  retiredMs: number | undefined;
  /** Closed, and not found under any name. */
  isLost = false;
  #handle: OpenedFile | undefined;
  #fingerprint = new ContentFingerprint();
  /** After a restart, the file is continued only if its content matches this. */
  #expected: FingerprintMarks | undefined;
  /** NUL bytes at the offset: since when, and the offset up to which they are taken once the patience is over. */
  #hole: { readonly sinceMs: number; readonly endOffset: number } | undefined;
  /** When the end of a hole was last queried. */
  #askedForDataMs = -Infinity;
  /** The size and time of the file when nothing new was found. */
  #settledAt = '';
  /** The time of the last change of the content that was skipped, until new bytes are read. */
  #skippedNs: bigint | undefined;

  constructor(path: string, status: FileStatus) {
    this.path = path;
    this.uid = status.uid;
    this.identity = status;
    this.mtimeNs = status.mtimeNs;
  }

  static restore(mark: FileMark): TrackedFile {
    const identity = { dev: BigInt(mark.dev), ino: BigInt(mark.ino), birthNs: BigInt(mark.birthNs) };
    const known = { ...identity, uid: mark.uid, mtimeNs: BigInt(mark.mtimeNs) };
    const file = new TrackedFile(mark.path, { ...known, size: 0, changeNs: 0n, isRegular: true, links: 1 });
    file.offset = mark.offset;
    file.#expected = mark.marks;
    return file;
  }

  /** The present position, to be formatted later as if `unread` fewer bytes had been read. */
  snapshot(): (unread: number) => FileMark {
    const { dev, ino, birthNs } = this.identity;
    const { path, uid, offset, mtimeNs } = this;
    const expected = this.#expected;
    const marksBefore = this.#fingerprint.snapshot();
    return (unread) => ({
      path,
      ...{ dev: String(dev), ino: String(ino), birthNs: String(birthNs) },
      ...{ uid, offset: offset - unread, mtimeNs: String(mtimeNs) },
      marks: expected ?? marksBefore(unread),
    });
  }

  /** Whether this file was found. After a restart a device may have another number, so the content decides. */
  isSame(found: FileStatus): boolean {
    return this.isRestored ? this.identity.ino === found.ino : isSameFile(this.identity, found);
  }

  get isOpen(): boolean {
    return this.#handle !== undefined;
  }

  /**
   * Whether the file is known from before a restart and not yet found again. The number of a network device may have
   * changed.
   */
  get isRestored(): boolean {
    return this.#expected !== undefined;
  }

  /** Whether there may be a hole that is still being filled. */
  get hasHole(): boolean {
    return this.#hole !== undefined;
  }

  /** Whether nothing new can be expected from a file with this status. */
  isSettled(status: FileStatus): boolean {
    return this.#settledAt === formatState(status) && this.#hole === undefined;
  }

  /** Takes the handle of the same file; false when its content differs (the handle is kept). */
  async attach(handle: OpenedFile, path: string, status: FileStatus): Promise<boolean> {
    await this.close();
    // The inode's number may have come back. If nothing was read, only the birth time can tell, not the content.
    const isKnown = this.offset > 0 || this.identity.birthNs === status.birthNs;
    this.#handle = handle;
    this.isLost = false;
    this.path = path;
    this.identity = status;
    try {
      return isKnown && status.size >= this.offset && (await this.#matches(handle));
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Whether the file begins like this one and has the same bytes before the offset. */
  async #matches(handle: OpenedFile): Promise<boolean> {
    const expected = this.#expected;
    if (expected === undefined) {
      const head = await readPiece(handle, 0, this.#fingerprint.headLength);
      const { tail } = this.#fingerprint;
      const found = await readPiece(handle, this.offset - tail.length, tail.length);
      return this.#fingerprint.matchesHead(head) && Buffer.compare(tail, found) === 0;
    }
    const head = await readPiece(handle, 0, expected.head.length);
    const tail = await readPiece(handle, this.offset - expected.tail.length, expected.tail.length);
    if (!isPiece(expected.head, head) || !isPiece(expected.tail, tail)) return false;
    this.#fingerprint = ContentFingerprint.resume(head.subarray(0, this.offset), tail);
    this.#expected = undefined;
    return true;
  }

  /** Starts again from the beginning, as the inode now holds other content. */
  reset(): void {
    this.offset = 0;
    this.#fingerprint = new ContentFingerprint();
    this.#expected = undefined;
    this.#hole = undefined;
    this.#settledAt = '';
    this.#skippedNs = undefined;
  }

  /** Counts the whole file as read. Reads only the bytes by which the content is known again. */
  async skip(handle: OpenedFile, { size }: FileStatus): Promise<void> {
    const head = await readPiece(handle, 0, Math.min(size, HEAD_BYTES));
    const tailBytes = Math.min(size, TAIL_BYTES);
    this.#fingerprint = ContentFingerprint.resume(head, await readPiece(handle, size - tailBytes, tailBytes));
    this.offset = size;
    this.#skippedNs = this.mtimeNs;
  }

  /** Makes a file that was read as far as this one, e.g. its copy. */
  copyTo(path: string, status: FileStatus): TrackedFile {
    return TrackedFile.restore({
      ...new TrackedFile(path, status).snapshot()(0),
      offset: this.offset,
      marks: this.snapshot()(0).marks,
    });
  }

  /** Asks the handle, which is right even if the file has another name or none. */
  async status(): Promise<FileStatus | undefined> {
    return this.#handle?.status();
  }

  /**
   * Reads new bytes through the handle. Each read begins before the offset, to check that the content before it is the
   * same.
   */
  async read(options: ReadOptions): Promise<ReadOutcome> {
    const handle = this.#handle;
    const status = await this.status();
    if (handle === undefined || status === undefined) return 'end';
    if (!(await this.#isContinued(handle, status))) return 'replaced';
    this.mtimeNs = status.mtimeNs;
    const startOffset = this.offset;
    while (this.offset - startOffset < options.maxBytes) {
      const chunk = await this.#readChunk(handle, status.size, options);
      if (chunk === undefined) return 'replaced';
      const taken = this.#beforeHole(chunk.fresh, status.size, options.monotonicMs);
      if (taken.length > 0) await this.#give(taken, options);
      bufferPool.give(chunk.fresh);
      if (chunk.isLast || taken.length < chunk.fresh.length) {
        const isStill = startOffset === this.offset || options.nowMs - Number(status.mtimeNs / NS_PER_MS) > STILL_MS;
        this.#settledAt = isStill && this.offset === status.size ? formatState(status) : '';
        return 'end';
      }
    }
    return 'more';
  }

  async #give(taken: Uint8Array, options: ReadOptions): Promise<void> {
    this.#fingerprint.append(taken);
    this.offset += taken.length;
    this.#skippedNs = undefined;
    this.grownMs = options.monotonicMs;
    if (!isBlank(taken)) return options.write(taken);
    options.skip(taken.length);
    await this.#passHole(options);
  }

  /** Skips a hole that is old enough to stay one: reading it would cost as much as reading data. */
  async #passHole({ endOffset, monotonicMs, skip }: ReadOptions): Promise<void> {
    if (this.#hole === undefined || this.offset < HEAD_BYTES || monotonicMs - this.#askedForDataMs < ASK_FOR_DATA_MS)
      return;
    this.#askedForDataMs = monotonicMs;
    const dataOffset = await this.#handle?.findData?.(this.offset);
    const bytes = Math.min(dataOffset ?? 0, this.#hole.endOffset, endOffset) - this.offset;
    if (bytes <= 0) return;
    this.#fingerprint.append(BLANK.subarray(0, Math.min(bytes, TAIL_BYTES)));
    this.offset += bytes;
    skip(bytes);
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /** Checks the head too: the end of the content says little when all lines are alike. */
  async #isContinued(handle: OpenedFile, status: FileStatus): Promise<boolean> {
    // A file that was not recognized on opening is not read as if it were the same.
    if (this.isRestored || status.size < this.offset || this.#isSkippedWrittenAnew(status)) return false;
    if (this.offset === 0 || this.isSettled(status)) return true;
    return this.#fingerprint.matchesHead(await readPiece(handle, 0, this.#fingerprint.headLength));
  }

  /**
   * Whether a writer emptied the file and wrote as many bytes as were skipped. A job that prints what the one before it
   * printed leaves no other trace. This is not asked of content that was read: some file systems tell of a change late.
   */
  #isSkippedWrittenAnew({ size, mtimeNs }: FileStatus): boolean {
    return this.#skippedNs !== undefined && size === this.offset && mtimeNs !== this.#skippedNs;
  }

  /** Undefined when the bytes before the offset have changed. The fresh bytes are to be given back to the pool. */
  async #readChunk(
    handle: OpenedFile,
    size: number,
    { maxBytes, endOffset }: ReadOptions
  ): Promise<{ readonly fresh: Uint8Array; readonly isLast: boolean } | undefined> {
    const { tail } = this.#fingerprint;
    const expected = Math.max(0, size - this.offset) + SPARE_BYTES;
    const wanted = Math.min(CHUNK_BYTES, maxBytes, expected, Math.max(0, endOffset - this.offset));
    const buffer = bufferPool.take(tail.length + wanted).subarray(0, tail.length + wanted);
    const length = buffer.length === 0 ? 0 : await handle.read(buffer, this.offset - tail.length);
    if (length < tail.length || Buffer.compare(tail, buffer.subarray(0, tail.length)) !== 0) return undefined;
    return { fresh: buffer.subarray(tail.length, length), isLast: wanted === 0 || length < buffer.length };
  }

  /**
   * Writes of other machines to a network file system may appear in the wrong order: missing bytes read as NUL. Bytes
   * from the first NUL on wait until it is filled, or old enough to be meant as NUL.
   */
  #beforeHole(fresh: Uint8Array, size: number, monotonicMs: number): Uint8Array {
    const known = this.#hole;
    const isOver = known !== undefined && monotonicMs - known.sinceMs >= HOLE_PATIENCE_MS;
    const freshEnd = this.offset + fresh.length;
    const hole = fresh.indexOf(0, isOver ? Math.max(0, known.endOffset - this.offset) : 0);
    if (hole < 0) {
      if (known !== undefined && freshEnd >= known.endOffset) this.#hole = undefined;
      return fresh;
    }
    const isKnown = known !== undefined && !isOver && this.offset + hole < known.endOffset;
    this.#hole = isKnown ? known : { sinceMs: monotonicMs, endOffset: Math.max(size, freshEnd) };
    return fresh.subarray(0, hole);
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && Buffer.compare(bytes, BLANK.subarray(0, bytes.length)) === 0;
}

function formatState({ size, mtimeNs, changeNs }: FileStatus): string {
  return `${size} ${mtimeNs} ${changeNs}`;
}

async function readPiece(handle: OpenedFile, offset: number, length: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(length);
  return length === 0 ? buffer : buffer.subarray(0, await handle.read(buffer, offset));
}
