/** A value of an answer. Times and integer fields are bigint: both may pass 2^53. */
export type Cell = bigint | number | string | boolean | null;

/** Rows of one series of an answer; a long series comes in several batches one after the other. */
export interface ResultBatch {
  /** Absent in answers about the database as a whole. */
  readonly name?: string;
  readonly tags?: ReadonlyMap<string, string>;
  readonly columns: readonly string[];
  /** Is the first column a time in nanoseconds? */
  readonly hasTime: boolean;
  readonly rows: readonly (readonly Cell[])[];
  /** Does this batch go on with the series of the one before? */
  readonly isContinued: boolean;
  /** Never cut into chunks nor marked partial: so InfluxDB answers SHOW MEASUREMENTS, TAG KEYS and TAG VALUES. */
  readonly isWhole?: boolean;
}
