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

/** openGemini's error of a statement that reads a measurement which nobody has written. InfluxDB answers nothing. */
const NO_MEASUREMENT = 'measurement not found';

/**
 * The results of an answer, one for each statement. That a measurement is not there yet is an empty result, whatever
 * the engine calls it.
 */
export function readResults({ results = [] }: QueryResponse): readonly StatementResult[] {
  return results.map((result) => {
    if (result.error !== NO_MEASUREMENT) return result;
    const { error: _, ...empty } = result;
    return empty;
  });
}
