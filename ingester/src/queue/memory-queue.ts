import { bufferPool } from '../bytes/buffer-pool.js';
import { Waiters } from '../clock/waiters.js';
import type { BatchLimits, PointBatch, PointQueue, QueueRecord } from './point-queue.js';

/** The memory of a record besides its bytes. */
const OVERHEAD_BYTES = 200;
const ALONE_BYTES = 128 * 1024;
const URGENT_RESERVE_BYTES = 1 << 20;

interface Taken {
  readonly batch: PointBatch;
  readonly records: number;
}

/** A queue in memory: its points are lost with the process. States are not kept. */
export class MemoryQueue implements PointQueue {
  readonly relief = 'sending';
  readonly diskFailure = undefined;
  readonly hasLost = false;
  readonly #maxBytes: number;
  readonly #waiters = new Waiters();
  #records: PointBatch[] = [];
  /** The batch that was read and is not yet released. */
  #read: Taken | undefined;
  /** The batch that `read` returns next. */
  #ahead: Taken | undefined;
  #points = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get waitingPoints(): number {
    return this.#points;
  }

  get waitingBytes(): number {
    return this.#bytes;
  }

  get fill(): number {
    return Math.min(1, this.#bytes / this.#maxBytes);
  }

  append({ bytes, points, isUrgent }: QueueRecord): boolean {
    if (points === 0) return true;
    const size = bytes.length + OVERHEAD_BYTES;
    // A single record always finds room: it is in memory already.
    const isFull = this.#bytes + size > this.#maxBytes + (isUrgent ? URGENT_RESERVE_BYTES : 0);
    if (isFull && this.#records.length > 0) return false;
    this.#records.push({ bytes, points });
    this.#points += points;
    this.#bytes += size;
    this.#waiters.wake();
    return true;
  }

  read(limits: BatchLimits): Promise<PointBatch | undefined> {
    this.#read ??= this.#ahead ?? this.#take(0, limits);
    if (this.#read === this.#ahead) this.#ahead = undefined;
    return Promise.resolve(this.#read?.batch);
  }

  readAhead(limits: BatchLimits): Promise<PointBatch | undefined> {
    if (this.#read !== undefined) this.#ahead ??= this.#take(this.#read.records, limits);
    return Promise.resolve(this.#ahead?.batch);
  }

  #take(start: number, { maxPoints, maxBytes }: BatchLimits): Taken | undefined {
    const taken: Buffer[] = [];
    let [points, bytes] = [0, 0];
    for (let record = this.#records[start]; record !== undefined; record = this.#records[start + taken.length]) {
      if (taken.length > 0 && (points + record.points > maxPoints || bytes + record.bytes.length > maxBytes)) break;
      taken.push(record.bytes);
      points += record.points;
      bytes += record.bytes.length;
      // This much is worth a write of its own, without a copy.
      if (bytes >= ALONE_BYTES && taken.length === 1) break;
    }
    const [first] = taken;
    if (first === undefined) return undefined;
    return { batch: { bytes: taken.length === 1 ? first : Buffer.concat(taken), points }, records: taken.length };
  }

  release(): Promise<void> {
    for (const { bytes, points } of this.#records.splice(0, this.#read?.records ?? 0)) {
      this.#bytes -= bytes.length + OVERHEAD_BYTES;
      this.#points -= points;
      bufferPool.give(bytes);
    }
    this.#read = undefined;
    this.#waiters.wake();
    return Promise.resolve();
  }

  untilWaiting(points: number, signal: AbortSignal): Promise<void> {
    return this.#waiters.until(() => this.#points >= points, signal);
  }

  untilFill(fill: number, signal: AbortSignal): Promise<void> {
    return this.#waiters.until(() => this.fill <= fill, signal);
  }

  untilDurable(): Promise<boolean> {
    return Promise.resolve(true);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
