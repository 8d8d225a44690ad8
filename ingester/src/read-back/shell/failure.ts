/** A job that is not stored, though a user names it. */
export interface UnknownJob {
  readonly kind: 'unknown-job';
  readonly job: string;
}

/** Why a reading ends: one line for the user, or a job that is not there, to which a suggestion is added. */
export type Failure = string | UnknownJob;

export function createUnknownJob(job: string): UnknownJob {
  return { kind: 'unknown-job', job };
}

/** One line for the user, without a suggestion. */
export function formatFailure(failure: Failure): string {
  if (typeof failure === 'string') return failure;
  return `no job ${failure.job} is stored there; joblens jobs --after 7d lists those of a week`;
}
