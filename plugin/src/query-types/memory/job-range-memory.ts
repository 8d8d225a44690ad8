import type { Kept } from '../../store/kept.js';

/** The time range of a job's page, as a link has it: milliseconds, or `now` while the job runs. */
export interface JobRange {
  readonly from: string;
  readonly to: string;
}

interface KnownJobRange extends JobRange {
  readonly characters: number;
}

/** Ranges of jobs that have ended, for as long as nothing newer happens to them. */
export type JobRangeMemory = Kept<KnownJobRange>;
