import { bufferPool } from '../../bytes/buffer-pool.js';
import { ByteWriter } from '../../bytes/byte-writer.js';
import type { PointBatch } from '../../queue/point-queue.js';

/** Times are added to points: most find room in the first piece of memory. */
const MORE_BYTES = 4096;
/** Only the beginning is kept of a longer line that is not a point. */
export const MAX_KEPT_LINE_BYTES = 8192;
/** The most bytes of refused lines that are held; more are only counted. */
const MAX_INVALID_BYTES = 128 * 1024;

/** A line that is no point. */
export interface InvalidLine {
  /** The line, or the beginning of a long one. */
  readonly line: Buffer;
  /** How much of it had come. */
  readonly lineBytes: number;
  /** In InfluxDB's words, e.g. `missing fields`. */
  readonly reason: string;
  /** The sender. */
  readonly from: string;
}

/** The points and the refused lines of the received bytes so far. */
export class TranslatedPoints {
  /** Points as they are stored. */
  readonly writer: ByteWriter;
  points = 0;
  /** Lines that are no points. */
  invalidLines = 0;
  /** The bytes of the lines that are kept. */
  invalidBytes = 0;
  /** The sender of the lines that come next. */
  from: string;
  readonly #maxInvalidBytes: number;
  #invalid: InvalidLine[] = [];

  /**
   * `receivedBytes`: how much is translated, where that is known. `maxInvalidBytes`: how much may be kept of lines that
   * are no points.
   */
  constructor(from: string, receivedBytes = 0, maxInvalidBytes = Infinity) {
    this.from = from;
    this.#maxInvalidBytes = Math.min(maxInvalidBytes, MAX_INVALID_BYTES);
    this.writer = new ByteWriter(receivedBytes + MORE_BYTES);
  }

  get batch(): PointBatch {
    return { bytes: this.writer.bytes, points: this.points };
  }

  /** The first of the lines that are no points. */
  get invalid(): readonly InvalidLine[] {
    return this.#invalid;
  }

  /** Copies the line, or its beginning. `lineBytes`: how long it is where it is not whole here. */
  refuse(line: Uint8Array, reason: string, lineBytes = line.length): void {
    this.invalidLines += 1;
    if (this.invalidBytes >= this.#maxInvalidBytes) return;
    const kept = Buffer.from(line.subarray(0, MAX_KEPT_LINE_BYTES));
    this.invalidBytes += kept.length + reason.length;
    this.#invalid.push({ line: kept, lineBytes, reason, from: this.from });
  }

  /** Gives back the memory of points that nobody took. */
  drop(): void {
    bufferPool.give(this.writer.bytes);
  }
}
