import { findSpanNs, type Span } from './span-point.js';

/** The most times to remember: spans of one lane that begin at once are told soon after one another. */
const MAX_TIMES = 20_000;

/**
 * Gives the spans of one writer times of their own, even where many of a lane begin at once: by a clock of whole
 * seconds, or with ids without digits. Told in the same order, the same spans get the same times.
 */
export class SpanTimes {
  /** By lane, start and id. */
  readonly #times = new Map<string, bigint>();
  /** Lanes and times. */
  readonly #taken = new Set<string>();
  /** Up to where the times behind a start are taken, by lane and start. */
  readonly #ends = new Map<string, bigint>();

  /** The time of the span's point; that of an id and a start in its lane stays the same. */
  claim({ category = '', worker = '', id, startNs }: Pick<Span, 'category' | 'worker' | 'id' | 'startNs'>): bigint {
    const lane = JSON.stringify([category, worker]);
    const start = `${String(startNs)} ${lane}`;
    const key = `${start} ${id}`;
    const known = this.#times.get(key);
    if (known !== undefined) return known;
    let timeNs = findSpanNs({ id, startNs });
    if (this.#taken.has(`${String(timeNs)} ${lane}`)) {
      timeNs = this.#ends.get(start) ?? timeNs;
      while (this.#taken.has(`${String(timeNs)} ${lane}`)) timeNs += 1n;
      this.#ends.set(start, timeNs + 1n);
    }
    this.#forgetMany();
    this.#times.set(key, timeNs);
    this.#taken.add(`${String(timeNs)} ${lane}`);
    return timeNs;
  }

  #forgetMany(): void {
    if (this.#times.size < MAX_TIMES) return;
    for (const known of [this.#times, this.#taken, this.#ends]) known.clear();
  }
}
