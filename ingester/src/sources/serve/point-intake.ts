import type { Precision } from '@joblens/core/point/timestamp';
import type { Clock } from '../../clock/clock.js';
import type { Delivery } from '../../delivery/delivery.js';
import { untilRoom } from '../../queue/until-room.js';
import type { SourceFaults } from '../guard/source-faults.js';
import type { InvalidLines } from './invalid-lines.js';
import { HeldBytes, PointStream } from './point-stream.js';
import { PointTranslator } from './point-translator.js';
import type { TranslatedPoints } from './translated-points.js';

/** A queue that is less full may have room for another record, but not for this one. */
const FULL_FILL = 0.99;
const RETRY_MS = 20;

interface PointIntakeOptions {
  readonly delivery: Pick<Delivery, 'queue' | 'counters'>;
  readonly clock: Pick<Clock, 'monotonicMs' | 'nextNs'>;
  readonly keepsTypes: boolean;
  readonly invalidLines: InvalidLines;
  readonly faults: SourceFaults;
}

/** Takes received bytes to the queue, for all receivers. */
export class PointIntake {
  readonly #options: PointIntakeOptions;
  readonly #translators = new Map<Precision, PointTranslator>();
  readonly #held = new HeldBytes();

  constructor(options: PointIntakeOptions) {
    this.#options = options;
  }

  /** Translators keep nothing between two calls, so one serves all. */
  translatorOf(precision: Precision): PointTranslator {
    const { clock, keepsTypes, faults } = this.#options;
    const translator =
      this.#translators.get(precision) ??
      new PointTranslator({
        ...{ precision, keepsTypes, nextNs: () => clock.nextNs() },
        onFault: (error) => faults.note('a received line', error),
      });
    this.#translators.set(precision, translator);
    return translator;
  }

  openStream(precision: Precision): PointStream {
    return new PointStream(this.translatorOf(precision), this.#held);
  }

  noteFault(receiver: string, error: unknown): void {
    this.#options.faults.note(`what came to ${receiver}`, error);
  }

  /** Does a step of a receiver that the others must not suffer from. */
  contain(receiver: string, step: () => void | Promise<void>): Promise<void> {
    return this.#options.faults.containAll(`what came to ${receiver}`, async () => step());
  }

  countBytes(bytes: number): void {
    this.#options.delivery.counters.outputBytes += bytes;
  }

  /**
   * Queues all points, with their memory, or none when there is no room. When they are queued, lines that are not
   * points are set aside.
   */
  add(translated: TranslatedPoints): boolean {
    const { delivery, clock, invalidLines } = this.#options;
    const { counters, queue } = delivery;
    const { batch, points } = translated;
    if (points === 0) translated.drop();
    else if (!queue.append({ ...batch, states: [], isUrgent: false })) return false;
    counters.addQueued(points, clock.monotonicMs());
    counters.outputLines += points + translated.invalidLines;
    invalidLines.keep(translated);
    return true;
  }

  /** Queues them as soon as there is room; false when the signal is aborted first. */
  async addWhenRoom(translated: TranslatedPoints, signal: AbortSignal): Promise<boolean> {
    while (!this.add(translated)) {
      if (signal.aborted) return false;
      await this.untilRoom(signal);
    }
    return true;
  }

  /** Resolves when there may be room, after a while, or when the signal is aborted. */
  untilRoom(signal: AbortSignal): Promise<void> {
    return untilRoom(this.#options.delivery.queue, { fill: FULL_FILL, retryMs: RETRY_MS }, signal);
  }

  /** Resolves when no crash can lose the added points; false when that is not certain. */
  untilDurable(): Promise<boolean> {
    return this.#options.delivery.queue.untilDurable();
  }
}
