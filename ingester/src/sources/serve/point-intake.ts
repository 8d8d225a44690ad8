import type { Precision } from '@joblens/core/point/timestamp';
import type { Clock } from '../../clock/clock.js';
import type { Delivery } from '../../delivery/delivery.js';
import { untilRoom } from '../../queue/until-room.js';
import type { SourceFaults } from '../guard/source-faults.js';
import type { InvalidLines } from './invalid-lines.js';
import type { MadeRows } from './made-rows.js';
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
  /** Makes rows of points that name a job; undefined: they are points alone. */
  readonly rows?: MadeRows | undefined;
}

/** Takes received bytes to the queue, for all receivers. */
export class PointIntake {
  readonly #options: PointIntakeOptions;
  readonly #translators = new Map<string, PointTranslator>();
  readonly #held = new HeldBytes();

  constructor(options: PointIntakeOptions) {
    this.#options = options;
  }

  /** Translators keep nothing between two calls, so one serves all. `hasRows`: the rows come with the points. */
  translatorOf(precision: Precision, hasRows = false): PointTranslator {
    const { clock, keepsTypes, faults, rows } = this.#options;
    const key = `${precision} ${hasRows}`;
    const translator =
      this.#translators.get(key) ??
      new PointTranslator({
        ...{ precision, keepsTypes, nextNs: () => clock.nextNs(), rows: hasRows ? undefined : rows },
        onFault: (error) => faults.note('a received line', error),
      });
    this.#translators.set(key, translator);
    return translator;
  }

  openStream(precision: Precision, hasRows = false): PointStream {
    return new PointStream(this.translatorOf(precision, hasRows), this.#held);
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
    const { delivery, clock, invalidLines, rows } = this.#options;
    const { counters, queue } = delivery;
    const lines = translated.points - translated.madePoints + translated.invalidLines;
    if (translated.points === 0) translated.drop();
    else {
      // Rows are counted once, so only where there is room for them.
      if (translated.rows.length > 0 && queue.fill >= 1) return false;
      rows?.makeInto(translated);
      if (!queue.append({ ...translated.record, isUrgent: false })) return false;
    }
    counters.addQueued(translated.points, clock.monotonicMs());
    counters.outputLines += lines;
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
