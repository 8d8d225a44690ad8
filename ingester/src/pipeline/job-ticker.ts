import type { Clock } from '../clock/clock.js';

/** How often rows and summaries that keep changing are written again. */
const TICK_MS = 250;

interface JobTickerOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly stopped: AbortSignal;
  /** Whether rows or summaries may change without new output. */
  readonly isChanging: () => boolean;
  /** Writes what has changed. */
  readonly tick: () => void;
  /** How long until the next heartbeat is due. */
  readonly heartbeatDelayMs: () => number;
  readonly beat: () => void;
}

/** Does for one job what is due while it prints nothing, until it is stopped. */
export class JobTicker {
  readonly #options: JobTickerOptions;
  #isTicking = false;
  #isBeating = false;

  constructor(options: JobTickerOptions) {
    this.#options = options;
  }

  /** Call it after each change. */
  keepGoing(): void {
    if (this.#options.stopped.aborted) return;
    this.#keepTicking();
    this.#keepBeating();
  }

  /** Rewrites changing rows and summaries now and then, until nothing changes any more. */
  #keepTicking(): void {
    const { clock, stopped, isChanging, tick } = this.#options;
    if (this.#isTicking || !isChanging()) return;
    this.#isTicking = true;
    void clock.sleep(TICK_MS, stopped).then(() => {
      this.#isTicking = false;
      if (!stopped.aborted) tick();
    });
  }

  /** Lets the job leave its heartbeats, also while it is silent. */
  #keepBeating(): void {
    const { clock, stopped, heartbeatDelayMs, beat } = this.#options;
    if (this.#isBeating) return;
    this.#isBeating = true;
    void clock.sleep(heartbeatDelayMs(), stopped).then(() => {
      this.#isBeating = false;
      if (!stopped.aborted) beat();
    });
  }
}
