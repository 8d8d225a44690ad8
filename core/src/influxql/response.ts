/**
 * The JSON that InfluxDB's /query answers with (InfluxDB API reference, 1.x; the same in 2.x, 3.x and the embedded
 * store).
 */
export interface QueryResponse {
  readonly results?: readonly StatementResult[];
  /** Set when the request as a whole failed: syntax, authorization, database. */
  readonly error?: string;
}

export interface StatementResult {
  readonly statement_id: number;
  readonly series?: readonly ResultSeries[];
  readonly error?: string;
  readonly partial?: boolean;
  readonly messages?: ReadonlyArray<{ readonly level: string; readonly text: string }>;
}

export interface ResultSeries {
  readonly name: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
  readonly values: ReadonlyArray<readonly ResultValue[]>;
  readonly partial?: boolean;
}

/** Without `epoch`, time is an RFC 3339 string with nanoseconds: JSON numbers are exact only to 2^53. */
export type ResultValue = string | number | boolean | null;
