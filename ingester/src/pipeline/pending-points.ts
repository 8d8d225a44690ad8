import type { Point } from '@joblens/core/point/point';
import { formatPoint } from '@joblens/core/point/line-protocol';
import { MEASUREMENT } from '@joblens/core/schema/measurements';
import { bufferPool } from '../bytes/buffer-pool.js';
import { ByteWriter } from '../bytes/byte-writer.js';
import type { PointWriter } from '../rules/writing/point-writer.js';
import type { PointBatch } from '../queue/point-queue.js';

const FIRST_BYTES = 1024;
/** The spool's records are about this large. Short lines may become fifty times as many bytes. */
const FULL_BYTES = 1024 * 1024;
/** Memory for many points has always this size, so that it is used again: room for one run of the line kernel. */
const ROOM_BYTES = 1.5 * 1024 * 1024;
/** An array above this size is not kept for later points. */
const KEPT_BYTES = 4 * 1024;

/** Points of one job that are not queued yet. */
export class PendingPoints implements PointWriter {
  readonly #onFault: (message: string) => void;
  readonly #onFull: () => void;
  #writer = new ByteWriter(FIRST_BYTES);
  /** The size of the last batch: room for as many is reserved, so that nothing has to grow. */
  #expectedBytes = 0;
  #points = 0;
  #isUrgent = false;
  /** The length at which `onFull` is called next. */
  #fullBytes = FULL_BYTES;
  /** Where `mark` was called; undefined where what was there is queued by now. */
  #mark: { readonly length: number; readonly points: number } | undefined;

  /**
   * `onFault` gets a one-line message about a point that line protocol cannot carry. `onFull` is called after each
   * megabyte that is not taken, and before memory has to grow beyond ROOM_BYTES.
   */
  constructor(onFault: (message: string) => void, onFull: () => void) {
    this.#onFault = onFault;
    this.#onFull = onFull;
  }

  /** The number of waiting bytes of line protocol. */
  get length(): number {
    return this.#writer.length;
  }

  addPoint(point: Point): void {
    let text: string;
    try {
      text = formatPoint(point);
    } catch (error) {
      this.#onFault(`a line cannot be stored: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    if (point.measurement === MEASUREMENT.job || point.measurement === MEASUREMENT.event) this.#isUrgent = true;
    this.addText(`${text}\n`, 1);
  }

  addText(text: string, points: number): void {
    this.#getOutput().appendText(text);
    this.#afterAdding(points);
  }

  addBytes(bytes: Uint8Array, points: number): void {
    const { length } = this.#writer;
    // What waits becomes a record of its own rather than grow.
    if (length > 0 && length + bytes.length > ROOM_BYTES) this.#onFull();
    this.#getOutput().append(bytes);
    this.#afterAdding(points);
  }

  /** The points from here on can be taken back, until they are queued. */
  mark(): void {
    this.#mark = { length: this.#writer.length, points: this.#points };
  }

  rollback(): void {
    if (this.#mark === undefined || this.#mark.length > this.#writer.length) return;
    this.#writer.length = this.#mark.length;
    this.#points = this.#mark.points;
    this.#mark = undefined;
  }

  take(): PointBatch & { readonly isUrgent: boolean } {
    const taken = { bytes: this.#takeBytes(), points: this.#points, isUrgent: this.#isUrgent };
    this.#points = 0;
    this.#mark = undefined;
    this.#isUrgent = false;
    this.#fullBytes = FULL_BYTES;
    return taken;
  }

  #afterAdding(points: number): void {
    this.#points += points;
    if (this.#writer.length < this.#fullBytes) return;
    this.#fullBytes += FULL_BYTES;
    this.#onFull();
  }

  /**
   * Reserves the expected bytes when the first of them come, so that thousands of quiet jobs take next to no memory.
   */
  #getOutput(): ByteWriter {
    if (this.#writer.length > 0) return this.#writer;
    const isLarge = this.#expectedBytes * 2 >= ROOM_BYTES;
    this.#writer.reserve(isLarge ? Math.max(this.#expectedBytes, ROOM_BYTES) : this.#expectedBytes);
    return this.#writer;
  }

  /** Hands over many bytes as they are, but copies few: they must not keep a large array alive. */
  #takeBytes(): Buffer {
    const { bytes, length, capacity } = this.#writer;
    this.#expectedBytes = length;
    if (length * 2 >= capacity) {
      this.#writer = new ByteWriter(FIRST_BYTES);
      return bytes;
    }
    const copy = bufferPool.take(length).subarray(0, length);
    copy.set(bytes);
    if (capacity > KEPT_BYTES) {
      bufferPool.give(bytes);
      this.#writer = new ByteWriter(FIRST_BYTES);
    }
    this.#writer.length = 0;
    return copy;
  }
}
