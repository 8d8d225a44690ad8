import type { Point } from '@joblens/core';
import { formatPoint, MEASUREMENT } from '@joblens/core';
import type { PointWriter } from '../rules/point-writer.js';
import type { PointBatch } from './point-queue.js';

/** Points of one job that were made and are not queued yet. */
export class PendingPoints implements PointWriter {
  readonly #onFault: (message: string) => void;
  #text = '';
  #points = 0;
  #isUrgent = false;

  /** `onFault` hears, as one line, of a point that line protocol cannot carry. */
  constructor(onFault: (message: string) => void) {
    this.#onFault = onFault;
  }

  /** How much text waits, in UTF-16 units. */
  get length(): number {
    return this.#text.length;
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
    this.#text += text;
    this.#points += points;
  }

  take(): PointBatch & { readonly isUrgent: boolean } {
    const taken = { bytes: Buffer.from(this.#text), points: this.#points, isUrgent: this.#isUrgent };
    this.#text = '';
    this.#points = 0;
    this.#isUrgent = false;
    return taken;
  }
}
