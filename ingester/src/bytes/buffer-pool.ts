/** Smaller buffers cost too little to be kept. */
const MIN_BYTES = 64 * 1024;
/** A buffer may be so many times larger than asked for. */
const MAX_EXCESS = 1.5;
/**
 * So much is kept for the next ones, which is enough for what a slice of metadata becomes, three at a time; more is
 * left to the garbage collection.
 */
const MAX_KEPT_BYTES = 6 * 1024 * 1024;

/**
 * Large buffers, used again. A new one for each piece of output costs page faults, and, as V8 counts memory outside of
 * its heap, a garbage collection every few megabytes.
 */
export class BufferPool {
  /** Those that wait for use, the oldest first. */
  readonly #kept: Buffer[] = [];
  /** Memory that was taken from here and not given back. */
  readonly #taken = new WeakSet<ArrayBufferLike>();
  #keptBytes = 0;

  /** A buffer of at least that many bytes, whose content is anything. */
  take(minBytes: number): Buffer {
    if (minBytes < MIN_BYTES) return Buffer.allocUnsafe(minBytes);
    const buffer = this.#takeKept(minBytes) ?? Buffer.allocUnsafeSlow(roundUp(minBytes));
    this.#taken.add(buffer.buffer);
    return buffer;
  }

  /** Gives back what `take` gave, or a part of it: nobody may use its memory any more. Other buffers are left alone. */
  give({ buffer: memory }: Uint8Array): void {
    if (!this.#taken.delete(memory)) return;
    const buffer = Buffer.from(memory);
    // One that is so large would drive all others out.
    if (buffer.length > MAX_KEPT_BYTES / 2) return;
    this.#kept.push(buffer);
    this.#keptBytes += buffer.length;
    // The buffer that nobody took for the longest time makes room: its length is not asked for any more.
    while (this.#keptBytes > MAX_KEPT_BYTES) this.#remove(0);
  }

  /** The smallest that fits, if not too much of it would be unused. */
  #takeKept(minBytes: number): Buffer | undefined {
    let best = -1;
    let bestBytes = minBytes * MAX_EXCESS;
    for (const [i, { length }] of this.#kept.entries()) {
      if (length < minBytes || length > bestBytes) continue;
      best = i;
      bestBytes = length;
    }
    return best === -1 ? undefined : this.#remove(best);
  }

  #remove(index: number): Buffer | undefined {
    const [buffer] = this.#kept.splice(index, 1);
    this.#keptBytes -= buffer?.length ?? 0;
    return buffer;
  }
}

/**
 * A few lengths between each power of two and the next, so that buffers find use again and little of them is unused.
 */
function roundUp(bytes: number): number {
  const step = 2 ** Math.floor(Math.log2(bytes)) / 4;
  return Math.ceil(bytes / step) * step;
}

/** That of the process: its buffers pass from part to part. */
export const bufferPool = new BufferPool();
