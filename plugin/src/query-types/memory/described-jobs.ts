import type { Kept } from '../../store/kept.js';

interface FoundJobs {
  /** The number of jobs found, each with its state and times; 0 if some were described without them. */
  readonly jobs: number;
  /** When everything was asked that may tell of jobs. */
  readonly foundAtMs: number;
  readonly characters: number;
}

/** What questions for named jobs found. */
export type DescribedJobs = Kept<FoundJobs>;
