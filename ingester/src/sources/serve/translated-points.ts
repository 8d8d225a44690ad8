import { bufferPool } from '../../buffer-pool.js';
import { ByteOutput } from '../../byte-output.js';
import type { PointBatch } from '../../pipeline/point-queue.js';

/** Times are added to points: most find room in the first piece of memory. */
const MORE_BYTES = 4096;
/** So much of lines that are no points is held; more is counted only. */
const MAX_INVALID_BYTES = 64 * 1024;

/** A line that is no point. */
export interface InvalidLine {
  readonly line: Buffer;
  /** In InfluxDB's words, e.g. `missing fields`. */
  readonly reason: string;
  /** Who sent it. */
  readonly from: string;
}

/** What received bytes have become so far. */
export class TranslatedPoints {
  /** Points as they are stored. */
  readonly output: ByteOutput;
  points = 0;
  /** Lines that are no points. */
  invalidLines = 0;
  /** Who sends what comes next. */
  from: string;
  #invalid: InvalidLine[] = [];
  #invalidBytes = 0;

  /** `receivedBytes`: how much is translated, where that is known. */
  constructor(from: string, receivedBytes = 0) {
    this.from = from;
    this.output = new ByteOutput(receivedBytes + MORE_BYTES);
  }

  get batch(): PointBatch {
    return { bytes: this.output.bytes, points: this.points };
  }

  /** The first of the lines that are no points. */
  get invalid(): readonly InvalidLine[] {
    return this.#invalid;
  }

  /** Copies the line. */
  refuse(line: Uint8Array, reason: string): void {
    this.invalidLines += 1;
    if (this.#invalidBytes + line.length > MAX_INVALID_BYTES) return;
    this.#invalidBytes += line.length + reason.length;
    this.#invalid.push({ line: Buffer.from(line), reason, from: this.from });
  }

  /** Gives back the memory of points that nobody took. */
  drop(): void {
    bufferPool.give(this.output.bytes);
  }
}
