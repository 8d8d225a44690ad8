import { toSpanMs } from '@joblens/core/ask/spans/single-spans';
import type { JsonValue } from '@joblens/core/schema/job-point';
import type { ImportedJob, StateChange } from '../job/imported-job.js';

/** One change of state of a job of Balsam. */
export interface StateEvent {
  readonly timeNs: bigint;
  readonly fromState: string | undefined;
  readonly toState: string;
  readonly data: JsonValue;
  /** At the start of a run: how many nodes it has, or which part of one. */
  readonly nodes: number | undefined;
}

const RUNNING = 'RUNNING';
/** States in which nothing more happens (balsam/schemas/job.py, JobState). */
const FINAL_STATES: ReadonlySet<string> = new Set(['JOB_FINISHED', 'FAILED']);

/** Follows the states of one job, in the order of their times. */
export class JobRun {
  readonly #job: ImportedJob;
  #submittedMs: number | undefined;
  #firstStartMs: number | undefined;
  #run: { readonly startedMs: number; readonly nodes: number | undefined } | undefined;

  constructor(job: ImportedJob) {
    this.#job = job;
  }

  add({ timeNs, fromState, toState, data, nodes }: StateEvent): void {
    const timeMs = toSpanMs(timeNs);
    this.#submittedMs ??= timeMs;
    const change = { origin: 'job', fromState, toState, data } as const;
    if (toState === RUNNING) this.#enter(change, { timeNs, timeMs, nodes });
    else this.#leave(change, timeNs, timeMs);
    this.#job.describe({
      state: toState,
      submittedMs: Math.floor(this.#submittedMs),
      ...(this.#firstStartMs !== undefined && { startedMs: Math.floor(this.#firstStartMs) }),
      ...(nodes !== undefined && { nodes }),
      ...(FINAL_STATES.has(toState) && { endedMs: Math.ceil(timeMs) }),
    });
  }

  #enter(
    change: StateChange,
    { timeNs, timeMs, nodes }: { readonly timeNs: bigint; readonly timeMs: number; readonly nodes: number | undefined }
  ): void {
    const waitS = Math.max(0, timeMs - (this.#submittedMs ?? timeMs)) / 1000;
    const isFirst = this.#firstStartMs === undefined;
    this.#firstStartMs ??= timeMs;
    this.#run = { startedMs: timeMs, nodes };
    this.#job.addChange({ ...change, nodes, ...(isFirst && { waitS }) }, timeNs);
  }

  /** What ends a run gives back what its own start took. */
  #leave(change: StateChange, timeNs: bigint, timeMs: number): void {
    const run = change.fromState === RUNNING ? this.#run : undefined;
    this.#run = undefined;
    const { startedMs, nodes } = run ?? {};
    const runtimeS = startedMs === undefined ? undefined : Math.max(0, timeMs - startedMs) / 1000;
    this.#job.addChange({ ...change, nodes, startedMs, runtimeS }, timeNs);
  }
}
