import { bufferPool } from './buffer-pool.js';

/** UTF-8 takes at most three bytes for each UTF-16 unit. */
const MAX_UNIT_BYTES = 3;

/** Collects bytes in memory of the pool. */
export class ByteWriter {
  length = 0;
  readonly #growth: number;
  #bytes: Buffer;

  /** `growth`: the factor by which it grows when it is full. A smaller one saves memory in long-lived writers. */
  constructor(firstBytes: number, growth = 2) {
    this.#growth = growth;
    this.#bytes = bufferPool.take(firstBytes);
  }

  /** The number of bytes that fit in all. */
  get capacity(): number {
    return this.#bytes.length;
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Appends the text as UTF-8. */
  appendText(text: string): void {
    this.reserve(text.length * MAX_UNIT_BYTES);
    this.length += this.#bytes.write(text, this.length);
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const larger = bufferPool.take(Math.max(Math.ceil(this.#bytes.length * this.#growth), this.length + count));
    larger.set(this.#bytes.subarray(0, this.length));
    bufferPool.give(this.#bytes);
    this.#bytes = larger;
  }

  /** The appended bytes. Whoever takes them owns their memory too, and gives it back to the pool. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }
}
