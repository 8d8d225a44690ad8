/** Nobody can tell yet whether a job is to be logged. It is asked again. */
export class UndecidedJobError extends Error {
  override readonly name = 'UndecidedJobError';
}
