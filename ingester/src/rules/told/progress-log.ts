import type { JobDescription } from '@joblens/core/schema/job-point';

/** How much of a job is done, and how long it still takes, as far as it is known. */
export type Progress = Pick<JobDescription, 'progress' | 'remainingS'>;

const REWRITE_INTERVAL_MS = 10_000;

/** The state with which a ProgressLog continues after a restart. */
export interface ProgressLogState {
  /** The time of the point that is rewritten, if there is one. */
  readonly timeNs?: string;
  /** When the run began that it belongs to. */
  readonly startedMs?: number;
}

export interface ProgressLogOptions {
  readonly monotonicMs: () => number;
  readonly nextNs: () => bigint;
  readonly describe: (progress: Progress, timeNs: bigint) => void;
  readonly state?: ProgressLogState | undefined;
}

/**
 * The one place that writes the progress of a job: one `job` point for each run, rewritten in place, at most once in
 * 10 s.
 */
export class ProgressLog {
  readonly #options: ProgressLogOptions;
  #state: ProgressLogState;
  #writtenMs = -Infinity;
  #pending: Progress | undefined;

  constructor(options: ProgressLogOptions) {
    this.#options = options;
    this.#state = options.state ?? {};
  }

  get state(): ProgressLogState {
    return this.#state;
  }

  /** Whether `writeDue` has something to write, now or later. */
  get isDirty(): boolean {
    return this.#pending !== undefined;
  }

  /** The newest counts; a part that it does not name stays as it was. */
  tell(progress: Progress): void {
    this.#pending = { ...this.#pending, ...progress };
    this.writeDue();
  }

  /** Takes when the job started: another start is another run, which has its own point. */
  noteStart(startedMs: number): void {
    if (startedMs === this.#state.startedMs) return;
    this.#state = { startedMs };
    this.#pending = undefined;
    this.#writtenMs = -Infinity;
  }

  /** Writes what is due, or what there is if `isEnd`. */
  writeDue(isEnd = false): void {
    const pending = this.#pending;
    if (pending === undefined || !(isEnd || this.#isDue)) return;
    const timeNs = this.#state.timeNs ?? String(this.#options.nextNs());
    this.#state = { ...this.#state, timeNs };
    this.#options.describe(pending, BigInt(timeNs));
    this.#pending = undefined;
    this.#writtenMs = this.#options.monotonicMs();
  }

  get #isDue(): boolean {
    return this.#options.monotonicMs() >= this.#writtenMs + REWRITE_INTERVAL_MS;
  }
}
