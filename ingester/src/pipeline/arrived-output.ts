import { bufferPool } from '../bytes/buffer-pool.js';
import { ByteOutput } from '../bytes/byte-output.js';
import type { JobStream } from './job-stream.js';

type Render = (stream: JobStream, bytes: Uint8Array) => void;

const FIRST_BYTES = 4096;

/** Output that has been read and not been rendered yet, in the order of its arrival. It is copied: whoever read it may read on. */
export class ArrivedOutput {
  readonly #render: Render;
  readonly #maxBytes: number;
  #output: ByteOutput | undefined;
  /** What came together of one stream is one piece. */
  #pieces: { readonly stream: JobStream; readonly end: number }[] = [];

  /** What would be more than `maxBytes` is rendered at once. */
  constructor(maxBytes: number, render: Render) {
    this.#maxBytes = maxBytes;
    this.#render = render;
  }

  /** Bytes that wait. */
  get length(): number {
    return this.#output?.length ?? 0;
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
    const bytes = this.#output?.bytes;
    if (bytes === undefined) return;
    const pieces = this.#pieces;
    this.#output = undefined;
    this.#pieces = [];
    let start = 0;
    for (const { stream, end } of pieces) {
      this.#render(stream, bytes.subarray(start, end));
      start = end;
    }
    bufferPool.give(bytes);
  }

  #append(stream: JobStream, chunk: Uint8Array): void {
    this.#output ??= new ByteOutput(FIRST_BYTES);
    this.#output.append(chunk);
    if (this.#pieces.at(-1)?.stream === stream) this.#pieces.pop();
    this.#pieces.push({ stream, end: this.#output.length });
  }
}
