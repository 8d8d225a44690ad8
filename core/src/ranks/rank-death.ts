/** What one writer printed, and when: each line a millisecond behind the one before. */
type Said = readonly [task: string, atS: number, lines: string];

/** A job of many processes that died. */
export interface RankDeath {
  readonly title: string;
  /** The process with the first cause. */
  readonly first: { readonly task?: string; readonly rank?: number; readonly node?: string };
  /** A part of the message. */
  readonly says: string;
  /** In the order of time, as far as the streams keep it. The task is empty where one writer logs the whole job. */
  readonly output: readonly Said[];
}
