import type { Point } from '@joblens/core';
import { ByteOutput, formatPoint, MEASUREMENT } from '@joblens/core';
import { bufferPool } from '../buffer-pool.js';
import type { PointWriter } from '../rules/point-writer.js';
import type { PointBatch } from './point-queue.js';

/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const MAX_UNIT_BYTES = 3;
const FIRST_BYTES = 1024;
/** A larger array is not kept for fewer bytes. */
const KEPT_BYTES = 4 * 1024;

/** Points of one job that were made and are not queued yet. */
export class PendingPoints implements PointWriter {
  readonly #onFault: (message: string) => void;
  #output = createOutput(FIRST_BYTES);
  /** As many will come again, so that nothing has to grow. */
  #expectedBytes = 0;
  #points = 0;
  #isUrgent = false;

  /** `onFault` hears, as one line, of a point that line protocol cannot carry. */
  constructor(onFault: (message: string) => void) {
    this.#onFault = onFault;
  }

  /** Bytes of line protocol that wait. */
  get length(): number {
    return this.#output.length;
  }

  addPoint(point: Point): void {
    try {
      this.addText(`${formatPoint(point)}\n`, 1);
    } catch (error) {
      this.#onFault(`a line cannot be stored: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    if (point.measurement === MEASUREMENT.job || point.measurement === MEASUREMENT.event) this.#isUrgent = true;
  }

  addText(text: string, points: number): void {
    const output = this.#getOutput();
    output.reserve(text.length * MAX_UNIT_BYTES);
    output.length += asBuffer(output.bytes).write(text, output.length);
    this.#points += points;
  }

  addBytes(bytes: Uint8Array, points: number): void {
    const output = this.#getOutput();
    output.reserve(bytes.length);
    output.bytes.set(bytes, output.length);
    output.length += bytes.length;
    this.#points += points;
  }

  addWith<T extends { readonly points: number }>(write: (output: ByteOutput) => T | undefined): T | undefined {
    const written = write(this.#getOutput());
    this.#points += written?.points ?? 0;
    return written;
  }

  take(): PointBatch & { readonly isUrgent: boolean } {
    const taken = { bytes: this.#takeBytes(), points: this.#points, isUrgent: this.#isUrgent };
    this.#points = 0;
    this.#isUrgent = false;
    return taken;
  }

  /** Room for what is expected is made when the first of it comes: thousands of quiet jobs take next to nothing. */
  #getOutput(): ByteOutput {
    if (this.#output.length === 0) this.#output.reserve(this.#expectedBytes);
    return this.#output;
  }

  /** Many bytes are handed over as they are; few must not keep a large array alive. */
  #takeBytes(): Buffer {
    const { bytes, length } = this.#output;
    const taken = asBuffer(bytes).subarray(0, length);
    this.#expectedBytes = length;
    if (length * 2 < bytes.length) {
      const copy = Buffer.from(taken);
      if (bytes.length > KEPT_BYTES) {
        bufferPool.give(bytes);
        this.#output = createOutput(FIRST_BYTES);
      }
      this.#output.length = 0;
      return copy;
    }
    this.#output = createOutput(FIRST_BYTES);
    return taken;
  }
}

function createOutput(firstSize: number): ByteOutput {
  return new ByteOutput((size) => bufferPool.take(size), firstSize);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
