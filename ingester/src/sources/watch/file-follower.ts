import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';

const CHUNK_BYTES = 65_536;
/** How much of one file is read in one poll, so that many files get their turn. */
const MAX_BYTES_A_POLL = 4 * 2 ** 20;

/** Where the bytes of a file go. */
export interface FileReader {
  write(bytes: Uint8Array): Promise<void>;
}

/**
 * Follows one file by asking for its state, from its start: what is appended; what is written after a truncation; the new file when
 * another takes its name, after the rest of the old one.
 */
export class FileFollower {
  readonly path: string;
  readonly #reader: FileReader;
  #file: FileHandle | undefined;
  #identity = '';
  #offset = 0;

  constructor(path: string, reader: FileReader) {
    this.path = path;
    this.#reader = reader;
  }

  /** Reads what is new. Returns the number of bytes; throws when the file cannot be opened or read. */
  async poll(): Promise<number> {
    const status = await stat(this.path, { bigint: true }).catch(() => undefined);
    const identity = status === undefined ? '' : `${status.dev}:${status.ino}`;
    if (this.#file === undefined) {
      if (status === undefined || (identity === this.#identity && Number(status.size) === this.#offset)) return 0;
      await this.#open(identity);
    }
    let bytes = await this.#readNew();
    if (identity !== this.#identity && bytes < MAX_BYTES_A_POLL) {
      await this.close();
      if (status !== undefined) {
        await this.#open(identity);
        bytes += await this.#readNew();
      }
    }
    return bytes;
  }

  /** Gives the file back until it changes again. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #open(identity: string): Promise<void> {
    this.#file = await open(this.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (identity !== this.#identity) this.#offset = 0;
    this.#identity = identity;
  }

  async #readNew(): Promise<number> {
    const file = this.#file;
    if (file === undefined) return 0;
    const { size } = await file.stat();
    if (size < this.#offset) this.#offset = 0;
    let total = 0;
    while (total < MAX_BYTES_A_POLL) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, this.#offset);
      if (bytesRead === 0) break;
      this.#offset += bytesRead;
      total += bytesRead;
      await this.#reader.write(buffer.subarray(0, bytesRead));
    }
    return total;
  }
}
