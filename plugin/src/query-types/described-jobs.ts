import type { Kept } from '../store/kept.js';

interface FoundJobs {
  /** So many jobs were found, each with its state and times; 0 if some were not described so. */
  readonly jobs: number;
  /** When everything was asked that may tell of jobs. */
  readonly foundAtMs: number;
  readonly characters: number;
}

/** What questions for named jobs found. */
export type DescribedJobs = Kept<FoundJobs>;
