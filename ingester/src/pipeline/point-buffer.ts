/** One point as a line of line protocol, without the newline that ends it. */
export type PointLine = string;

export interface BatchLimits {
  readonly maxPoints: number;
  readonly maxBytes: number;
}

/**
 * Where points wait between the rules and the sink, in the order in which they were made.
 * A point is taken away only when the sink has settled it. The durable spool has this shape too.
 */
export interface PointBuffer {
  /** Takes the points, or none of them when there is no room; `isUrgent` ones may use a reserve. */
  append(lines: readonly PointLine[], isUrgent?: boolean): boolean;
  /** The oldest points, up to the limits but at least one if any waits. They stay until `release`. */
  peek(limits: BatchLimits): readonly PointLine[];
  /** The `count` oldest points are settled. */
  release(count: number): void;
  readonly count: number;
  /** From 0 (empty) to 1 (no room). */
  readonly fill: number;
  /** Resolves when at least `count` points wait, or the signal is aborted. */
  untilCount(count: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the buffer is filled to at most `fill`, or the signal is aborted. */
  untilFill(fill: number, signal: AbortSignal): Promise<void>;
}

/** What an array and a string cost beside their characters. */
const OVERHEAD_BYTES = 48;
const URGENT_RESERVE_BYTES = 1 << 20;
const COMPACT_AT = 4096;

/** A buffer in memory: what it holds is lost with the process. */
export function createMemoryBuffer(maxBytes: number): PointBuffer {
  return new MemoryBuffer(maxBytes);
}

class MemoryBuffer implements PointBuffer {
  readonly #maxBytes: number;
  readonly #waiters = new Set<() => void>();
  #lines: PointLine[] = [];
  /** Index of the oldest point; the ones before it are settled. */
  #head = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get count(): number {
    return this.#lines.length - this.#head;
  }

  get fill(): number {
    return Math.min(1, this.#bytes / this.#maxBytes);
  }

  append(lines: readonly PointLine[], isUrgent = false): boolean {
    const bytes = lines.reduce((sum, line) => sum + sizeOf(line), 0);
    if (this.#bytes + bytes > this.#maxBytes + (isUrgent ? URGENT_RESERVE_BYTES : 0)) return false;
    for (const line of lines) this.#lines.push(line);
    this.#bytes += bytes;
    this.#wake();
    return true;
  }

  peek({ maxPoints, maxBytes }: BatchLimits): readonly PointLine[] {
    let end = this.#head;
    let bytes = 0;
    while (end < this.#lines.length && end - this.#head < maxPoints) {
      bytes += (this.#lines[end] ?? '').length + 1;
      if (bytes > maxBytes && end > this.#head) break;
      end += 1;
    }
    return this.#lines.slice(this.#head, end);
  }

  release(count: number): void {
    for (let i = this.#head; i < this.#head + count; i += 1) {
      this.#bytes -= sizeOf(this.#lines[i] ?? '');
      this.#lines[i] = '';
    }
    this.#head += count;
    if (this.#head >= COMPACT_AT && this.#head * 2 >= this.#lines.length) {
      this.#lines = this.#lines.slice(this.#head);
      this.#head = 0;
    }
    this.#wake();
  }

  untilCount(count: number, signal: AbortSignal): Promise<void> {
    return this.#wait(() => this.count >= count, signal);
  }

  untilFill(fill: number, signal: AbortSignal): Promise<void> {
    return this.#wait(() => this.fill <= fill, signal);
  }

  #wait(isDone: () => boolean, signal: AbortSignal): Promise<void> {
    if (isDone() || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const check = (): void => {
        if (!isDone() && !signal.aborted) return;
        this.#waiters.delete(check);
        signal.removeEventListener('abort', check);
        resolve();
      };
      this.#waiters.add(check);
      signal.addEventListener('abort', check);
    });
  }

  #wake(): void {
    for (const check of this.#waiters) check();
  }
}

function sizeOf(line: PointLine): number {
  return line.length + OVERHEAD_BYTES;
}
