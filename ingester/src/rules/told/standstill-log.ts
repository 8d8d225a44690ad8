import type { JobDescription } from '@joblens/core/schema/job-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { createStandstillPoint, type Standstill } from '@joblens/core/schema/standstill-point';
import { findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import type { PointWriter } from '../writing/point-writer.js';

const [GRID] = HEARTBEAT_GRIDS;
/** A shorter standstill is not worth a point. */
const MIN_TOLD_S = GRID.slotMs / 1000;
/** Progress stands still once it has not risen for so many times as long as a step takes on average. */
const STEPS_OF_PATIENCE = 3;

/** What the progress of one run has shown. */
interface ProgressSteps {
  readonly progress: number;
  readonly steps: number;
  /** How long they took together. */
  readonly tookMs: number;
}

/** The state with which a StandstillLog continues after a restart. Its times begin anew: much may have been missed. */
export interface StandstillLogState {
  readonly state?: string;
  readonly startedMs?: number;
  readonly progress?: ProgressSteps;
  /** The standstill that the newest point tells. */
  readonly told?: Standstill;
}

export interface StandstillLogOptions {
  readonly source: JobSource;
  readonly points: PointWriter;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  readonly nextNs: () => bigint;
  /** HeartbeatLogOptions has it. */
  readonly livesWithLog: boolean;
  readonly state?: StandstillLogState | undefined;
}

/**
 * Writes for how long a running job has printed nothing, and for how long its progress has not risen: once in each slot
 * of the finest grid while that is long, and once more when it is over. Alerts cannot find what is missing.
 */
export class StandstillLog {
  readonly #options: StandstillLogOptions;
  #state: StandstillLogState;
  readonly #openedMs: number;
  #printedMs: number;
  #roseMs: number;
  /** The newest slot that is done with. */
  #slotMs: number;
  /** What was told is no longer true. */
  #isOver: boolean;
  #isEnded = false;

  constructor(options: StandstillLogOptions) {
    this.#options = options;
    const { nowMs, monotonicMs, state = {} } = options;
    this.#state = state;
    this.#openedMs = this.#printedMs = this.#roseMs = monotonicMs();
    this.#slotMs = findSlotStartMs(nowMs(), GRID);
    this.#isOver = state.told !== undefined;
  }

  /** Whether `writeDue` has something to write. */
  get isDirty(): boolean {
    return this.#isOver;
  }

  get state(): StandstillLogState {
    return this.#state;
  }

  /** Call it when the job has printed something, or its log was opened. */
  noteOutput(): void {
    this.#printedMs = this.#options.monotonicMs();
    if ((this.#state.told?.silentS ?? 0) >= MIN_TOLD_S) this.#isOver = true;
  }

  /** Takes a description of the job: only a job that runs can stand still, and another run begins anew. */
  noteState({ state = this.#state.state, startedMs = this.#state.startedMs }: JobDescription): void {
    const hasRun = this.#isRunning;
    const isOtherRun = startedMs !== this.#state.startedMs;
    const { progress, ...rest } = this.#state;
    this.#state = {
      ...rest,
      ...(state !== undefined && { state }),
      ...(startedMs !== undefined && { startedMs }),
      ...(progress !== undefined && !isOtherRun && { progress }),
    };
    if (this.#isRunning && (isOtherRun || !hasRun)) this.#printedMs = this.#roseMs = this.#options.monotonicMs();
    if (this.#state.told !== undefined && (isOtherRun || !this.#isRunning)) this.#isOver = true;
  }

  /** Takes the newest progress, 0 to 1. */
  noteProgress(progress: number): void {
    const monotonicMs = this.#options.monotonicMs();
    const known = this.#state.progress;
    if (known !== undefined && progress <= known.progress) return;
    const steps = known === undefined ? 0 : known.steps + 1;
    const tookMs = known === undefined ? 0 : known.tookMs + monotonicMs - this.#roseMs;
    this.#state = { ...this.#state, progress: { progress, steps, tookMs } };
    this.#roseMs = monotonicMs;
    if ((this.#state.told?.stalledS ?? 0) >= MIN_TOLD_S) this.#isOver = true;
  }

  /** Call it when nothing more comes of the job. */
  noteEnd(): void {
    this.#isEnded = true;
    if (this.#state.told !== undefined) this.#isOver = true;
  }

  /** Writes what is due. Unless `isTold`, the mode does not allow it. */
  writeDue(isTold: boolean): void {
    const { source, points, nowMs, nextNs } = this.#options;
    const slotMs = findSlotStartMs(nowMs(), GRID);
    if (!this.#isOver && (slotMs === this.#slotMs || !this.#isRunning)) return;
    this.#slotMs = slotMs;
    this.#isOver = false;
    if (!isTold) return;
    const { told, ...rest } = this.#state;
    const standstill = this.#measure(told);
    const isLong = Math.max(standstill.silentS, standstill.stalledS ?? 0) >= MIN_TOLD_S;
    // The alerts take the smallest of all tasks, so each of them says that it does not stand still.
    const isAsked = source.task !== undefined && this.#secondsSince(this.#openedMs) >= MIN_TOLD_S;
    if (!isLong && !isAsked && told === undefined) return;
    points.addPoint(createStandstillPoint(source, standstill, nextNs()));
    this.#state = isLong ? { ...rest, told: standstill } : rest;
  }

  #measure(told: Standstill | undefined): Standstill {
    const stalledS = this.#measureStalledS() ?? (told?.stalledS === undefined ? undefined : 0);
    return { silentS: this.#isRunning ? this.#secondsSince(this.#printedMs) : 0, stalledS };
  }

  /** Undefined where nobody can tell: the first step may take any time, and after the last none is left. */
  #measureStalledS(): number | undefined {
    const { progress: known } = this.#state;
    if (!this.#isRunning || known === undefined || known.steps === 0 || known.progress >= 1) return undefined;
    const isPatient = this.#options.monotonicMs() - this.#roseMs <= (STEPS_OF_PATIENCE * known.tookMs) / known.steps;
    return isPatient ? 0 : this.#secondsSince(this.#roseMs);
  }

  #secondsSince(timeMs: number): number {
    return Math.max(0, Math.floor((this.#options.monotonicMs() - timeMs) / 1000));
  }

  get #isRunning(): boolean {
    if (this.#isEnded) return false;
    const { state } = this.#state;
    return state === undefined ? this.#options.livesWithLog : state === 'RUNNING';
  }
}
