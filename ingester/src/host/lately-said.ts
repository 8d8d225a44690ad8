import { HOUR_MS } from '@joblens/core/numbers/time-units';

/** How long what was said is not said again. */
const AGAIN_MS = HOUR_MS;

/**
 * What was said lately. People read the newest lines of a log, so what still holds is said again after an hour; and
 * whoever causes ever new messages causes only so many in that time.
 */
export class LatelySaid {
  readonly #monotonicMs: () => number;
  readonly #most: number;
  readonly #saidMs = new Map<string, number>();

  constructor(monotonicMs: () => number, most = 20) {
    this.#monotonicMs = monotonicMs;
    this.#most = most;
  }

  /** Whether it is to be said now. */
  isNews(what: string): boolean {
    const nowMs = this.#monotonicMs();
    // The oldest one is the first.
    for (const [said, atMs] of this.#saidMs) {
      if (nowMs - atMs < AGAIN_MS) break;
      this.#saidMs.delete(said);
    }
    if (this.#saidMs.has(what) || this.#saidMs.size >= this.#most) return false;
    this.#saidMs.set(what, nowMs);
    return true;
  }
}
