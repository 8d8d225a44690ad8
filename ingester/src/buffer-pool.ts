/** Smaller buffers cost too little to be kept. */
const MIN_BYTES = 64 * 1024;
/** So much is kept for the next ones, which is enough for what a slice of metadata becomes, three at a time; more is left to the garbage collection. */
const MAX_KEPT_BYTES = 6 * 1024 * 1024;

/**
 * Large buffers, used again. A new one for each piece of output costs page faults, and, as V8 counts memory outside of its heap, a garbage
 * collection every few megabytes.
 */
export class BufferPool {
  /** By their length. */
  readonly #kept = new Map<number, Buffer[]>();
  /** Memory that was taken from here and not given back. */
  readonly #taken = new WeakSet<ArrayBufferLike>();
  #keptBytes = 0;

  /** A buffer of at least that many bytes, whose content is anything. */
  take(minBytes: number): Buffer {
    if (minBytes < MIN_BYTES) return Buffer.allocUnsafe(minBytes);
    const length = roundUp(minBytes);
    const kept = this.#kept.get(length)?.pop();
    if (kept !== undefined) this.#keptBytes -= length;
    const buffer = kept ?? Buffer.allocUnsafeSlow(length);
    this.#taken.add(buffer.buffer);
    return buffer;
  }

  /** Gives back what `take` gave, or a part of it: nobody may use its memory any more. Other buffers are left alone. */
  give({ buffer: memory }: Uint8Array): void {
    if (!this.#taken.delete(memory)) return;
    const buffer = Buffer.from(memory);
    if (this.#keptBytes + buffer.length > MAX_KEPT_BYTES) return;
    const ofLength = this.#kept.get(buffer.length);
    if (ofLength === undefined) this.#kept.set(buffer.length, [buffer]);
    else ofLength.push(buffer);
    this.#keptBytes += buffer.length;
  }
}

/** A few lengths between each power of two and the next, so that buffers find use again and little of them is unused. */
function roundUp(bytes: number): number {
  const step = 2 ** Math.floor(Math.log2(bytes)) / 4;
  return Math.ceil(bytes / step) * step;
}

/** That of the process: its buffers pass from part to part. */
export const bufferPool = new BufferPool();
