import type { Clock } from '../clock/clock.js';
import { findRestrictionEnd, mayHoldCommand } from './printed-pieces.js';

/** More output than this is not held back: a job that prints so much is not slowed down. */
const MAX_LATE_BYTES = 64 * 1024;
/** The longest wait for output that is on its way, a round at a time. */
const MAX_ROUNDS = 20;
const ROUND_MS = 10;

interface CommandOrderOptions {
  /**
   * How much later than another stream one may be read that was printed before; 0 where it is known in which order they
   * are read.
   */
  readonly settleMs: number;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Whether commands may come on another stream than the one that is read. */
  readonly hasOthers: () => boolean;
  /** Whether output is known to be on its way that was printed and is not read. */
  readonly isOnItsWay: () => boolean;
}

/**
 * The order of what is read on several streams of a job, of which only the order within each is known. A command that
 * forbids output goes before what was read on the others up to `settleMs` before it, and one that allows output goes
 * behind what is read up to `settleMs` after it.
 */
export class CommandOrder {
  readonly #options: CommandOrderOptions;
  /** Commands that wait. */
  #waiting = 0;
  #release = new AbortController();

  constructor(options: CommandOrderOptions) {
    this.#options = options;
  }

  /** Nothing waits any more, if no other stream is left. */
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
    // Output that has arrived meanwhile is read.
    await clock.sleep(ROUND_MS, signal);
  }

  /**
   * Gives the output to `add`, in one part or two, when its turn has come, and says whether others wait for it. One
   * call at a time for each stream.
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
    if (mustWait) await this.#untilSettled();
    if (isCommand) this.#waiting -= 1;
    add(rest, mustWait);
  }
}
