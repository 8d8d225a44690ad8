import type { ZoneOffset } from './zone.js';

/** A value of an answer. Times and integer fields are bigint, because both may exceed 2^53. */
export type Cell = bigint | number | string | boolean | null;

/** Rows of one series of an answer. A long series comes in several batches, one after the other. */
export interface ResultBatch {
  /** Absent in answers about the database as a whole. */
  readonly name?: string;
  readonly tags?: ReadonlyMap<string, string>;
  readonly columns: readonly string[];
  /** Whether the first column is a time in nanoseconds. */
  readonly hasTime: boolean;
  readonly rows: readonly (readonly Cell[])[];
  /** Whether this batch continues the series of the one before. */
  readonly isContinued: boolean;
  /** Never cut into chunks or marked partial, like InfluxDB's answers to SHOW MEASUREMENTS, TAG KEYS and TAG VALUES. */
  readonly isWhole?: boolean;
  /** Times are printed in this time zone; absent: in UTC. */
  readonly zone?: ZoneOffset;
}
