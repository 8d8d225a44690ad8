import { formatPoint } from '@joblens/core/point/line-protocol';
import type { Point } from '@joblens/core/point/point';
import { bufferPool } from '../../../bytes/buffer-pool.js';
import { ByteWriter } from '../../../bytes/byte-writer.js';
import type { Clock } from '../../../clock/clock.js';
import type { Delivery } from '../../../delivery/delivery.js';
import { untilRoom } from '../../../queue/until-room.js';
import type { PointWriter } from '../../../rules/writing/point-writer.js';

const FIRST_BYTES = 64 * 1024;
/** The spool's records are about this large. */
const RECORD_BYTES = 1024 * 1024;
const FULL_FILL = 0.9;
const RETRY_MS = 20;

interface ImportedPointsOptions {
  readonly delivery: Pick<Delivery, 'queue' | 'counters'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** As many points as an import that was stopped has queued: the same ones come first again, and are left out. */
  readonly skippedPoints: number;
  readonly onFault: (message: string) => void;
}

/** Takes the points of an import to the queue, in records. */
export class ImportedPoints implements PointWriter {
  readonly #options: ImportedPointsOptions;
  #writer = new ByteWriter(FIRST_BYTES);
  #points = 0;
  #made = 0;
  #queued: number;

  constructor(options: ImportedPointsOptions) {
    this.#options = options;
    this.#queued = options.skippedPoints;
  }

  /** The points that are queued, those of an earlier start too. */
  get queuedPoints(): number {
    return this.#queued;
  }

  addPoint(point: Point): void {
    let text: string;
    try {
      text = formatPoint(point);
    } catch (error) {
      this.#options.onFault(error instanceof Error ? error.message : String(error));
      return;
    }
    this.addText(`${text}\n`, 1);
  }

  addText(text: string, points: number): void {
    if (this.#isQueued(points)) return;
    this.#writer.appendText(text);
    this.#points += points;
  }

  addBytes(bytes: Uint8Array, points: number): void {
    if (this.#isQueued(points)) return;
    this.#writer.append(bytes);
    this.#points += points;
  }

  /** Queues the points once they are many, or all of them; waits for room, or until the signal is aborted. */
  async flush(signal: AbortSignal, isEnd = false): Promise<void> {
    if (this.#points === 0 || (!isEnd && this.#writer.length < RECORD_BYTES)) return;
    const { delivery, clock } = this.#options;
    const { queue, counters } = delivery;
    // The queue takes the memory with the record, so the copy is just as long.
    const bytes = Buffer.from(this.#writer.bytes);
    bufferPool.give(this.#writer.bytes);
    this.#writer = new ByteWriter(FIRST_BYTES);
    const points = this.#points;
    this.#points = 0;
    while (!queue.append({ bytes, points, states: [], isUrgent: false })) {
      if (signal.aborted) return;
      await untilRoom(queue, { fill: FULL_FILL, retryMs: RETRY_MS }, signal);
    }
    counters.addQueued(points, clock.monotonicMs());
    this.#queued += points;
  }

  #isQueued(points: number): boolean {
    this.#made += points;
    return this.#made <= this.#options.skippedPoints;
  }
}
