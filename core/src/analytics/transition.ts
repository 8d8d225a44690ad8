/** The range that a report is about, in milliseconds since the epoch. Both ends are inclusive. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How large a job is, in all, where that is known. */
export interface JobSize {
  readonly nodes?: number;
  readonly cpus?: number;
  readonly gpus?: number;
}

/** A change of a job's state. Name and user identify the job. */
export interface Transition extends JobSize {
  readonly timeMs: number;
  readonly job: string;
  readonly user: string;
  readonly account?: string;
  /** Left out where the job had no state before, or nobody knows it. */
  readonly fromState?: string;
  readonly toState: string;
  /** On the way to RUNNING: the seconds since the submission. */
  readonly waitS?: number;
  /** On the way out of RUNNING: when that run began. */
  readonly startedMs?: number;
}

/** A job that is in this state at the end of the window, as its heartbeats say. */
export interface LivingJob extends JobSize {
  readonly job: string;
  readonly user: string;
  readonly account?: string;
  readonly state: string;
  /** When it began to run, if it does. */
  readonly startedMs?: number;
}

export const RUNNING = 'RUNNING';
