/** After so long without a heartbeat of the other for what the file has grown by, the other has stopped. */
const SILENT_MS = 120_000;
/** Times of files and heartbeats may come from two machines. */
const CLOCKS_DIFFER_MS = 5000;

/** A place in a file, and until when the job was known to be logged by another when it was noted. */
interface Mark {
  readonly checkpoint: string;
  readonly untilMs: number;
}

/**
 * How a file waits while another joblens logs it. What was in the file before the other's last known heartbeat is the
 * other's. From there on this one goes on, so that nothing is missing; what the other has logged behind that place is
 * logged twice: of at most two slots.
 */
export class StandBy {
  #noted: Mark;
  /** A place that the other has passed; undefined: none is known. */
  #passed: string | undefined;
  #untilMs: number;
  #uncoveredSinceMs: number | undefined;

  /** `passed`: a place up to which it was logged here before. */
  constructor(checkpoint: string, untilMs: number, passed?: string) {
    this.#noted = { checkpoint, untilMs };
    this.#passed = passed;
    this.#untilMs = untilMs;
  }

  /** Where to go on. Undefined: from the start. */
  get checkpoint(): string | undefined {
    return this.#passed;
  }

  /** Whether a new place is to be noted: the other lives on since the last one was. */
  takeHeartbeat(untilMs: number): boolean {
    if (untilMs <= this.#untilMs) return false;
    this.#untilMs = untilMs;
    return true;
  }

  /** Until when the other was known to log the file. */
  get untilMs(): number {
    return this.#untilMs;
  }

  note(checkpoint: string): void {
    if (this.#noted.untilMs < this.#untilMs) this.#passed = this.#noted.checkpoint;
    this.#noted = { checkpoint, untilMs: this.#untilMs };
  }

  /** Whether the other has stopped: the file has grown, and it has not said that it lived then. */
  hasStopped(changedMs: number, monotonicMs: number): boolean {
    if (changedMs < this.#untilMs + CLOCKS_DIFFER_MS) this.#uncoveredSinceMs = undefined;
    else this.#uncoveredSinceMs ??= monotonicMs;
    return this.#uncoveredSinceMs !== undefined && monotonicMs - this.#uncoveredSinceMs >= SILENT_MS;
  }
}
