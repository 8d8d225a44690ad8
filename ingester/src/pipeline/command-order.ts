import type { Clock } from '../clock/clock.js';
import { findRestrictionEnd, mayHoldCommand } from './printed-pieces.js';

/** More output than this is not held back, so that a job that prints much is not slowed down. */
const MAX_LATE_BYTES = 64 * 1024;
/** The longest wait for output that is on its way, a round at a time. */
const MAX_ROUNDS = 20;
const ROUND_MS = 10;

interface CommandOrderOptions {
  /**
   * How much later a stream may be read than another that was printed to after it; 0 where the order of reading is
   * right.
   */
  readonly settleMs: number;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Whether commands may come on a stream other than the one being read. */
  readonly hasOthers: () => boolean;
  /** Whether printed output is known that is not read yet. */
  readonly isOnItsWay: () => boolean;
}

/**
 * Orders the output of a job's streams, where only the order within each stream is known. A command that forbids output
 * comes before what the other streams gave in the last `settleMs` before it. One that allows output comes after what
 * they give within `settleMs` after it.
 */
export class CommandOrder {
  readonly #options: CommandOrderOptions;
  /** The number of commands that wait. */
  #waiting = 0;
  #release = new AbortController();

  constructor(options: CommandOrderOptions) {
    this.#options = options;
  }

  /** Ends all waits if no other stream is left. */
  releaseIfAlone(): void {
    if (!this.#options.hasOthers()) this.release();
  }

  release(): void {
    this.#release.abort();
    this.#release = new AbortController();
  }

  async #untilSettled(): Promise<void> {
    const { settleMs, clock, isOnItsWay } = this.#options;
    const { signal } = this.#release;
    await clock.sleep(settleMs - ROUND_MS, signal);
    for (let round = 0; round < MAX_ROUNDS && !signal.aborted && isOnItsWay(); round += 1) {
      await clock.sleep(ROUND_MS, signal);
    }
    // Meanwhile arrived output is still to be read.
    await clock.sleep(ROUND_MS, signal);
  }

  /**
   * Gives the output to `add` when its turn has come, in one part or two. `isUrgent`: other output waits for the part,
   * or the part has waited itself. One call at a time for each stream.
   */
  async pass(output: Buffer, add: (part: Buffer, isUrgent: boolean) => void): Promise<void> {
    const { settleMs, hasOthers } = this.#options;
    if (settleMs === 0 || !hasOthers()) {
      add(output, false);
      return;
    }
    let rest = output;
    let isCommand = mayHoldCommand(output);
    if (isCommand) {
      const end = findRestrictionEnd(output);
      if (end > 0) add(output.subarray(0, end), true);
      rest = output.subarray(end);
      isCommand = mayHoldCommand(rest);
    }
    if (rest.length === 0) return;
    const mustWait = isCommand || (this.#waiting === 0 && rest.length < MAX_LATE_BYTES);
    if (isCommand) this.#waiting += 1;
    try {
      if (mustWait) await this.#untilSettled();
    } finally {
      if (isCommand) this.#waiting -= 1;
    }
    add(rest, mustWait);
  }
}
