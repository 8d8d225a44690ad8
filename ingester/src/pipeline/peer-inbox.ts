import type { LogConfig } from '../rules/options/log-config.js';
import { findStrictest, type LogMode } from '../rules/options/log-modes.js';
import type { PeerCommand, PeerCommands } from './peer-commands.js';

interface PeerInboxOptions {
  readonly peers: Pick<PeerCommands, 'take'>;
  /** How much later than another stream a stream may be read that was printed to before (CommandOrder). */
  readonly settleMs: number;
  /** The mode that holds now. */
  readonly getMode: () => LogMode;
  /** Sets options of the job's configuration. */
  readonly obey: (options: Partial<LogConfig>) => void;
}

/** Commands that other processes have obeyed, from their arrival until they hold here too. */
export class PeerInbox {
  readonly #options: PeerInboxOptions;
  #commands: PeerCommand[] = [];

  constructor(options: PeerInboxOptions) {
    this.#options = options;
  }

  /**
   * Receives commands, and obeys those that hold for the output which began to arrive at that time. A command that came
   * while this output was read may have been given before it or after it: the strictest mode holds.
   */
  obeyBefore(arrivedSinceMs: number): void {
    this.#commands.push(...this.#options.peers.take());
    if (this.#commands.length > 0) this.#obeyFirst(this.#countForbidding(arrivedSinceMs));
  }

  /** Obeys the commands that are left, once the output is rendered. */
  obeyRest(): void {
    this.#obeyFirst(this.#commands.length);
  }

  #countForbidding(arrivedSinceMs: number): number {
    const { settleMs, getMode } = this.#options;
    let mode = getMode();
    let strictest = mode;
    let count = 0;
    for (const [i, { options, atMs }] of this.#commands.entries()) {
      mode = options.mode ?? mode;
      const isBefore = atMs <= arrivedSinceMs + settleMs;
      if (!isBefore && findStrictest(mode, strictest) !== mode) continue;
      strictest = mode;
      count = i + 1;
    }
    return count;
  }

  #obeyFirst(count: number): void {
    for (const { options } of this.#commands.splice(0, count)) this.#options.obey(options);
  }
}
