import { bufferPool } from './buffer-pool.js';

/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const MAX_UNIT_BYTES = 3;

/** Bytes to be appended to, in memory of the pool. */
export class ByteWriter {
  length = 0;
  readonly #growth: number;
  #bytes: Buffer;

  /** `growth`: how many times as large it gets where there is no room; less saves memory of what lives long. */
  constructor(firstBytes: number, growth = 2) {
    this.#growth = growth;
    this.#bytes = bufferPool.take(firstBytes);
  }

  /** How many bytes there is room for. */
  get capacity(): number {
    return this.#bytes.length;
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Appends it as UTF-8. */
  appendText(text: string): void {
    this.reserve(text.length * MAX_UNIT_BYTES);
    this.length += this.#bytes.write(text, this.length);
  }

  /** Makes room for `count` bytes more. */
  reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const larger = bufferPool.take(Math.max(Math.ceil(this.#bytes.length * this.#growth), this.length + count));
    larger.set(this.#bytes.subarray(0, this.length));
    bufferPool.give(this.#bytes);
    this.#bytes = larger;
  }

  /** The appended bytes. Whoever takes them has their memory, too, and gives it back to the pool. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }
}
