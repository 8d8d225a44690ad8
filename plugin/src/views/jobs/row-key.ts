import type { JobRow } from '../parts/job-rows.js';

/** Two users may have jobs of the same name. */
export function createRowKey({ job, user }: Pick<JobRow, 'job' | 'user'>): string {
  return JSON.stringify([job, user]);
}
