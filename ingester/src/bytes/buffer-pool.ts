/** Smaller buffers cost too little to be worth keeping. */
const MIN_BYTES = 64 * 1024;
/** A buffer may be this many times larger than requested. */
const MAX_EXCESS = 1.5;
/**
 * The most bytes kept for later use: enough for the points of three slices of metadata. Buffers beyond it are left to
 * the garbage collector.
 */
const MAX_KEPT_BYTES = 6 * 1024 * 1024;

/**
 * Reuses large buffers. A new one for each piece of output costs page faults and, as V8 counts memory outside its heap,
 * a garbage collection every few megabytes.
 */
export class BufferPool {
  /** The free buffers, oldest first. */
  readonly #kept: Buffer[] = [];
  /** Memory that was taken and not given back. */
  readonly #taken = new WeakSet<ArrayBufferLike>();
  #keptBytes = 0;

  /** A buffer of at least `minBytes` with any content. */
  take(minBytes: number): Buffer {
    if (minBytes < MIN_BYTES) return Buffer.allocUnsafe(minBytes);
    const buffer = this.#takeKept(minBytes) ?? Buffer.allocUnsafeSlow(roundUp(minBytes));
    this.#taken.add(buffer.buffer);
    return buffer;
  }

  /**
   * Gives back a buffer from `take`, or a part of one: nobody may use its memory any more. Other buffers are ignored.
   */
  give({ buffer: memory }: Uint8Array): void {
    if (!this.#taken.delete(memory)) return;
    const buffer = Buffer.from(memory);
    // Such a large one would drive out all others.
    if (buffer.length > MAX_KEPT_BYTES / 2) return;
    this.#kept.push(buffer);
    this.#keptBytes += buffer.length;
    // The buffer that was free for longest makes room: nobody asks for its length any more.
    while (this.#keptBytes > MAX_KEPT_BYTES) this.#remove(0);
  }

  /** The smallest one that fits, unless too much of it would be unused. */
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
 * Rounds up to one of a few lengths between two powers of two, so that buffers are reused and little of them is unused.
 */
function roundUp(bytes: number): number {
  const step = 2 ** Math.floor(Math.log2(bytes)) / 4;
  return Math.ceil(bytes / step) * step;
}

/** The pool of the process, as buffers pass from part to part. */
export const bufferPool = new BufferPool();
