import type { JobStream } from './job-stream.js';

/** Output that has been read and not been rendered yet, in the order of its arrival. */
export class ArrivedOutput {
  #pieces: { readonly stream: JobStream; readonly chunks: Uint8Array[] }[] = [];
  /** Bytes. */
  length = 0;

  add(stream: JobStream, chunk: Uint8Array): void {
    const last = this.#pieces.at(-1);
    if (last?.stream === stream) last.chunks.push(chunk);
    else this.#pieces.push({ stream, chunks: [chunk] });
    this.length += chunk.length;
  }

  /** Hands over all of it; what came together of one stream is one piece. */
  takeAll(take: (stream: JobStream, bytes: Uint8Array) => void): void {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.length = 0;
    for (const { stream, chunks } of pieces) {
      const [first] = chunks;
      if (first !== undefined) take(stream, chunks.length === 1 ? first : Buffer.concat(chunks));
    }
  }
}
