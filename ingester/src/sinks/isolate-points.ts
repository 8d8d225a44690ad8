import type { WriteOutcome } from './sink.js';

/** A point is set aside after the store failed at it this many more times, each between two writes that it takes. */
const CONFIRMATIONS = 2;
/** The number of single points tried to find one that the store takes. */
const SAMPLES = 8;
/** After this time, failing points are set aside together, without searching which of them are the reason. */
const PATIENCE_MS = 600_000;

interface IsolationOptions {
  /** One request. */
  readonly attempt: (points: readonly Buffer[]) => Promise<WriteOutcome>;
  readonly keepAside: (point: Buffer, reason: string) => Promise<void>;
  /** A point sent after these, if there is one. */
  readonly later: () => Buffer | undefined;
  readonly monotonicMs: () => number;
}

/**
 * Settles points at which the store fails again and again. Tries halves, so that as many as possible are stored. Points
 * at which it fails even alone are kept aside, but only while it takes others: a store that is away, full or broken
 * takes none.
 *
 * | what the store does                       | what becomes of the points            |
 * | ----------------------------------------- | ------------------------------------- |
 * | fails at some points                      | those are kept aside, the others stored |
 * | fails at all of these, takes later ones   | all are kept aside                    |
 * | fails at many at once, takes fewer        | all are stored                        |
 * | fails at whatever it is sent              | all wait                              |
 * | goes away, or says that it has no room    | all wait                              |
 */
export class PointIsolation {
  readonly #options: IsolationOptions;
  readonly #endMs: number;
  /** Points that the store takes. Sending them again changes nothing: nothing sent after them could have changed it. */
  #taken: Buffer | undefined;
  #mostBytes = 0;

  constructor(options: IsolationOptions) {
    this.#options = options;
    this.#endMs = options.monotonicMs() + PATIENCE_MS;
  }

  /** The number of bytes that the store took at once. */
  get mostBytes(): number {
    return this.#mostBytes;
  }

  /**
   * Settles the points in order. False when the store takes no others either: all points that are not kept aside must
   * be sent again.
   */
  async settle(points: readonly Buffer[]): Promise<boolean> {
    const later = this.#options.later();
    const samples = Array.from({ length: SAMPLES }, (_, i) => points[Math.floor((i * points.length) / SAMPLES)]);
    for (const sample of [later, ...new Set(samples)]) {
      if (sample !== undefined && (await this.#isTaken(sample))) {
        this.#taken = sample;
        return this.#settle(points);
      }
    }
    return false;
  }

  async #settle(points: readonly Buffer[]): Promise<boolean> {
    const outcome = await this.#options.attempt(points);
    const isDivisible = points.length > 1 && (outcome.kind === 'rejected' || this.#options.monotonicMs() < this.#endMs);
    if (isOfPoints(outcome) && isDivisible) return this.#settleHalves(points);
    return isOfPoints(outcome) ? this.#confirm(points, outcome) : this.#conclude(points, outcome);
  }

  async #settleHalves(points: readonly Buffer[]): Promise<boolean> {
    const middle = points.length >> 1;
    return (await this.#settle(points.slice(0, middle))) && (await this.#settle(points.slice(middle)));
  }

  /** The store may have been away at just this moment. */
  async #confirm(points: readonly Buffer[], first: WriteOutcome): Promise<boolean> {
    let outcome = first;
    for (let i = 0; i < CONFIRMATIONS && outcome.kind === 'retryable'; i += 1) {
      if (this.#taken === undefined || !(await this.#isTaken(this.#taken))) return false;
      outcome = await this.#options.attempt(points);
      if (!isOfPoints(outcome)) return this.#conclude(points, outcome);
      if (outcome.kind === 'rejected' && points.length > 1) return this.#settleHalves(points);
    }
    if (outcome.kind === 'success' || this.#taken === undefined || !(await this.#isTaken(this.#taken))) return false;
    const { message } = outcome;
    const reason =
      outcome.kind === 'rejected'
        ? message
        : `the store takes other points, but fails at this one: ${outcome.found ?? message}`;
    for (const point of points) await this.#options.keepAside(point, reason);
    return true;
  }

  #conclude(points: readonly Buffer[], { kind }: WriteOutcome): boolean {
    if (kind !== 'success') return false;
    this.#taken = points.at(-1);
    this.#mostBytes = Math.max(
      this.#mostBytes,
      points.reduce((sum, { length }) => sum + length, 0)
    );
    return true;
  }

  async #isTaken(point: Buffer): Promise<boolean> {
    return (await this.#options.attempt([point])).kind === 'success';
  }
}

/** Whether the points, and not an absent store, may be the reason. */
function isOfPoints(outcome: WriteOutcome): boolean {
  return outcome.kind === 'rejected' || (outcome.kind === 'retryable' && outcome.mayLieInPoints === true);
}
