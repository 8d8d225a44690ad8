import { bufferPool } from '../bytes/buffer-pool.js';
import { ByteWriter } from '../bytes/byte-writer.js';
import { contain, type FaultKeeper } from '../rules/writing/fault-keeper.js';
import type { JobStream } from './job-stream.js';

const FIRST_BYTES = 4096;

/** Output that was read and is not rendered yet, in the order of its arrival. */
export class ArrivedOutput {
  #output: ByteWriter | undefined;
  /** Bytes of one stream that arrived one after the other are one piece. */
  #pieces: { readonly stream: JobStream; readonly end: number }[] = [];

  /** Bytes that wait. */
  get length(): number {
    return this.#output?.length ?? 0;
  }

  /** Copies the bytes: whoever read them may reuse the memory. */
  add(stream: JobStream, bytes: Uint8Array): void {
    this.#output ??= new ByteWriter(FIRST_BYTES);
    this.#output.append(bytes);
    if (this.#pieces.at(-1)?.stream === stream) this.#pieces.pop();
    this.#pieces.push({ stream, end: this.#output.length });
  }

  /** Gives the pieces to their streams, the oldest first. A fault with one costs no other piece. */
  render(faults: FaultKeeper): void {
    const bytes = this.#output?.bytes;
    if (bytes === undefined) return;
    const pieces = this.#pieces;
    this.#output = undefined;
    this.#pieces = [];
    let start = 0;
    for (const { stream, end } of pieces) {
      const piece = bytes.subarray(start, end);
      contain(faults, () => stream.write(piece));
      start = end;
    }
    bufferPool.give(bytes);
  }
}
