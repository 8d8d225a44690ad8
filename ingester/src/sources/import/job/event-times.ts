/** The most times to remember: events of one time are told soon after one another. */
const MAX_TIMES = 20_000;

/** Gives events of one topic times of their own: of two at one time, the store would keep one. */
export class EventTimes {
  readonly #taken = new Set<string>();

  /** The time itself, or the next nanosecond that is free. */
  claim(topic: string, timeNs: bigint): bigint {
    if (this.#taken.size >= MAX_TIMES) this.#taken.clear();
    let freeNs = timeNs;
    while (this.#taken.has(`${String(freeNs)} ${topic}`)) freeNs += 1n;
    this.#taken.add(`${String(freeNs)} ${topic}`);
    return freeNs;
  }
}
