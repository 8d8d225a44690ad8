import { findHeader, isWhole, readHeader, RECORD_HEADER_BYTES, type RecordHeader } from './record.js';
import type { SpoolFile } from './spool-fs.js';

const WINDOW_BYTES = 1 << 20;

/** A whole record of a segment file. */
export interface StoredRecord {
  readonly header: RecordHeader;
  /** The whole record. */
  readonly encoded: Buffer;
  readonly states: Buffer;
  readonly points: Buffer;
  /** The offset of the record in its file. */
  readonly offset: number;
}

/** Bytes of a segment file that are not a whole record. */
export interface Break {
  /** Whether a crash explains it: the file ends within the record, or whole sectors of it were not written yet. */
  readonly isTorn: boolean;
  /** The record's sequence number, if its header can be read. */
  readonly sequence: number | undefined;
}

const SECTOR_BYTES = 512;
/** Fewer zeros may belong to a header. */
const HOLE_BYTES = 8;

/** Memory to read into, used by one reader after the other. */
export class ReadWindow {
  #bytes = Buffer.alloc(0);

  get(size: number): Buffer {
    if (this.#bytes.length < size) this.#bytes = Buffer.allocUnsafeSlow(size);
    return this.#bytes.subarray(0, size);
  }
}

/** Reads the whole records of one segment file in order, and skips broken ones. */
export class SegmentReader {
  readonly #file: SpoolFile;
  readonly #salt: number;
  readonly #sizeBytes: number;
  readonly #memory: ReadWindow | undefined;
  #offset: number;
  #breaks: Break[] = [];
  #window: Buffer = Buffer.alloc(0);
  /** The offset of the window in the file. */
  #windowOffset = 0;

  /** With a window, reading on overwrites the bytes of a record; without one they stay. */
  constructor(
    file: SpoolFile,
    salt: number,
    sizeBytes: number,
    { offset = 0, window }: { readonly offset?: number; readonly window?: ReadWindow } = {}
  ) {
    this.#memory = window;
    this.#file = file;
    this.#salt = salt;
    this.#sizeBytes = sizeBytes;
    this.#offset = offset;
  }

  /** Reads the next whole record; undefined when there are no more. */
  async next(): Promise<StoredRecord | undefined> {
    while (this.#offset >= 0 && this.#offset < this.#sizeBytes) {
      const offset = this.#offset;
      const header = readHeader(await this.#load(offset, RECORD_HEADER_BYTES), 0, this.#salt);
      const bodyBytes = header === undefined ? 0 : header.stateBytes + header.pointBytes;
      const end = offset + RECORD_HEADER_BYTES + bodyBytes;
      if (header === undefined || end > this.#sizeBytes) {
        this.#offset = await this.#findNext(offset + 1);
        const isCutOff = this.#offset < 0 && (header !== undefined || this.#sizeBytes - offset < RECORD_HEADER_BYTES);
        const breakEnd = this.#offset < 0 ? this.#sizeBytes : this.#offset;
        const isTorn = isCutOff || (await this.#hasHole(offset, breakEnd));
        this.#breaks.push({ isTorn, sequence: header?.sequence });
        continue;
      }
      const encoded = await this.#load(offset, RECORD_HEADER_BYTES + bodyBytes);
      const body = encoded.subarray(RECORD_HEADER_BYTES);
      this.#offset = end;
      if (isWhole(header, body, this.#salt)) {
        return {
          header,
          offset,
          encoded,
          states: body.subarray(0, header.stateBytes),
          points: body.subarray(header.stateBytes),
        };
      }
      this.#breaks.push({ isTorn: await this.#hasHole(offset, end), sequence: header.sequence });
    }
    return undefined;
  }

  /** The breaks since the last call. */
  takeBreaks(): readonly Break[] {
    const breaks = this.#breaks;
    this.#breaks = [];
    return breaks;
  }

  close(): void {
    this.#file.close();
  }

  /** Finds the next header at or after the offset; -1 when there is none. */
  async #findNext(from: number): Promise<number> {
    let offset = from;
    while (offset + RECORD_HEADER_BYTES <= this.#sizeBytes) {
      const bytes = await this.#load(offset, Math.min(WINDOW_BYTES, this.#sizeBytes - offset));
      if (bytes.length < RECORD_HEADER_BYTES) return -1;
      const at = findHeader(bytes, 0);
      if (at === -1 || at + RECORD_HEADER_BYTES > bytes.length) {
        // A header may start at the end of the window, so that end is searched again.
        offset += at === -1 ? bytes.length - RECORD_HEADER_BYTES + 1 : at;
        continue;
      }
      if (readHeader(bytes, at, this.#salt) !== undefined) return offset + at;
      offset += at + 1;
    }
    return -1;
  }

  /** Whether the range within one of the disk's sectors is all zeros. No record has that many. */
  async #hasHole(from: number, to: number): Promise<boolean> {
    for (let start = from; start < to;) {
      const end = Math.min(to, start - (start % SECTOR_BYTES) + SECTOR_BYTES);
      const bytes = await this.#load(start, end - start);
      const isMissing = bytes.length < end - start;
      if (isMissing || (bytes.length >= HOLE_BYTES && bytes.every((byte) => byte === 0))) return true;
      start = end;
    }
    return false;
  }

  /** Reads bytes of the file from the offset; fewer when the file ends before. */
  async #load(offset: number, length: number): Promise<Buffer> {
    const start = offset - this.#windowOffset;
    if (start < 0 || start + length > this.#window.length) await this.#fill(offset, length);
    const from = offset - this.#windowOffset;
    return this.#window.subarray(from, from + length);
  }

  async #fill(offset: number, length: number): Promise<void> {
    const wanted = Math.min(Math.max(length, WINDOW_BYTES), Math.max(0, this.#sizeBytes - offset));
    const window = this.#memory?.get(wanted) ?? Buffer.allocUnsafe(wanted);
    let filled = 0;
    while (filled < wanted) {
      const count = await this.#file.read(window.subarray(filled), offset + filled);
      if (count === 0) break;
      filled += count;
    }
    this.#window = window.subarray(0, filled);
    this.#windowOffset = offset;
  }
}
