import { bufferPool } from '../buffer-pool.js';
import type { JobStream } from './job-stream.js';

type Render = (stream: JobStream, bytes: Uint8Array) => void;

const NOTHING = Buffer.alloc(0);
const FIRST_BYTES = 4096;

/** Output that has been read and not been rendered yet, in the order of its arrival. It is copied: whoever read it may read on. */
export class ArrivedOutput {
  readonly #render: Render;
  readonly #maxBytes: number;
  #bytes: Buffer = NOTHING;
  /** What came together of one stream is one piece. */
  #pieces: { readonly stream: JobStream; readonly end: number }[] = [];
  /** Bytes that wait. */
  length = 0;

  /** What would be more than `maxBytes` is rendered at once. */
  constructor(maxBytes: number, render: Render) {
    this.#maxBytes = maxBytes;
    this.#render = render;
  }

  add(stream: JobStream, chunk: Uint8Array): void {
    if (this.length + chunk.length <= this.#maxBytes) {
      this.#append(stream, chunk);
      return;
    }
    this.renderAll();
    // So much is rendered as it is.
    if (chunk.length >= this.#maxBytes / 2) this.#render(stream, chunk);
    else this.#append(stream, chunk);
  }

  renderAll(): void {
    if (this.length === 0) return;
    const bytes = this.#bytes;
    const pieces = this.#pieces;
    this.#bytes = NOTHING;
    this.#pieces = [];
    this.length = 0;
    let start = 0;
    for (const { stream, end } of pieces) {
      this.#render(stream, bytes.subarray(start, end));
      start = end;
    }
    bufferPool.give(bytes);
  }

  #append(stream: JobStream, chunk: Uint8Array): void {
    const end = this.length + chunk.length;
    if (end > this.#bytes.length) this.#grow(end);
    this.#bytes.set(chunk, this.length);
    this.length = end;
    if (this.#pieces.at(-1)?.stream === stream) this.#pieces.pop();
    this.#pieces.push({ stream, end });
  }

  #grow(minBytes: number): void {
    const larger = bufferPool.take(Math.max(minBytes, 2 * this.#bytes.length, FIRST_BYTES));
    larger.set(this.#bytes.subarray(0, this.length));
    bufferPool.give(this.#bytes);
    this.#bytes = larger;
  }
}
