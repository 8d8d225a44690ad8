import type { Clock } from '../clock/clock.js';
import type { Reporter } from '../host/report.js';
import type { Delivery } from '../delivery/delivery.js';
import type { QueueRecord } from '../queue/point-queue.js';
import { untilRoom } from '../queue/until-room.js';

/** After the queue was full, logging resumes below this fill. */
const RESUME_FILL = 0.9;
/** Above this fill a source waits for a queue that empties quickly. */
const HIGH_FILL = 0.5;
const RETRY_MS = 250;

export interface RecordPlacerOptions {
  /**
   * When the queue is full and nothing is known to make room soon, `wait` makes the source wait as long as it takes;
   * `drop` continues without logging and counts the points.
   */
  readonly onFull: 'wait' | 'drop';
  readonly delivery: Pick<Delivery, 'queue' | 'sender' | 'counters'>;
  readonly clock: Clock;
  readonly report: Reporter;
}

/** Puts one job's records into the queue. A record that finds no room waits here, or is dropped and counted. */
export class RecordPlacer {
  readonly #options: RecordPlacerOptions;
  /** The record that waits for room. */
  #unplaced: QueueRecord | undefined;
  #droppedPoints = 0;
  #gapPoints = 0;
  #gapFromNs = 0n;

  constructor(options: RecordPlacerOptions) {
    this.#options = options;
  }

  get droppedPoints(): number {
    return this.#droppedPoints;
  }

  get mustWait(): boolean {
    const { queue, sender } = this.#options.delivery;
    if (this.#unplaced !== undefined) return true;
    // Only few points may be in memory alone: a server may be away for days.
    return queue.relief === 'sending' && queue.fill > HIGH_FILL && sender.isMoving;
  }

  /** Places the waiting record. Returns whether none waits any more. */
  placeWaiting(): boolean {
    if (this.#unplaced !== undefined) this.#placeOrDrop(this.#unplaced);
    return this.#unplaced === undefined;
  }

  /** Call it only when no record waits. */
  place(record: QueueRecord): 'placed' | 'waits' | 'dropped' {
    this.#unplaced = record;
    return this.#placeOrDrop(record);
  }

  #placeOrDrop(record: QueueRecord): 'placed' | 'waits' | 'dropped' {
    const { delivery, clock, onFull, report } = this.#options;
    if (delivery.queue.append(record)) {
      delivery.counters.addQueued(record.points, clock.monotonicMs());
      this.#unplaced = undefined;
      return 'placed';
    }
    if (onFull === 'wait' || this.#willFindRoom()) return 'waits';
    if (this.#droppedPoints === 0) {
      report.warn(
        'there is no room for more points: output still passes through, but is not logged until there is room'
      );
    }
    this.drop(0);
    return 'dropped';
  }

  /** Whether there will be room, so that slowing the source down is enough. */
  #willFindRoom(): boolean {
    const { queue, sender } = this.#options.delivery;
    return queue.relief === 'disk' || (queue.relief === 'sending' && sender.isMoving);
  }

  /** Counts these points as lost, along with the record that waits. */
  drop(points: number): void {
    const dropped = points + (this.#unplaced?.points ?? 0);
    this.#unplaced = undefined;
    if (dropped === 0) return;
    if (this.#gapPoints === 0) this.#gapFromNs = this.#options.clock.nextNs();
    this.#gapPoints += dropped;
    this.#droppedPoints += dropped;
    this.#options.delivery.counters.droppedPoints += dropped;
  }

  /** Once there is room again: the number of points missing since the last call, and since when. */
  takeGap(): { readonly points: number; readonly fromNs: bigint } | undefined {
    if (this.#gapPoints === 0 || this.#options.delivery.queue.fill > RESUME_FILL) return undefined;
    const gap = { points: this.#gapPoints, fromNs: this.#gapFromNs };
    this.#gapPoints = 0;
    return gap;
  }

  /** Resolves when there may be room, after a while, or when the signal is aborted. */
  untilRoom(signal: AbortSignal): Promise<void> {
    return untilRoom(this.#options.delivery.queue, { fill: HIGH_FILL, retryMs: RETRY_MS }, signal);
  }
}
