/** What a check of `joblens doctor` found. */
export interface Finding {
  readonly state: 'ok' | 'warn' | 'fail';
  /** What was looked at. */
  readonly name: string;
  /** What was found and, where it is not well, what to do. */
  readonly message: string;
}
