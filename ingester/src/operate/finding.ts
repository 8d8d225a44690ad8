/** The result of one check of `joblens doctor`. */
export interface Finding {
  readonly state: 'ok' | 'warn' | 'fail';
  /** The subject of the check. */
  readonly name: string;
  /** The finding, and the cure if something is wrong. */
  readonly message: string;
}
