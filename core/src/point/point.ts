/**
 * A value of a field in line protocol: float, string, integer (bigint) or boolean. Joblens itself writes only floats
 * and strings.
 */
export type FieldValue = number | string | bigint | boolean;

/**
 * One InfluxDB point. `timeNs` is in nanoseconds since the Unix epoch. Names and tag values are as stored (see
 * schema/).
 */
export interface Point {
  readonly measurement: string;
  readonly tags: ReadonlyMap<string, string>;
  readonly fields: ReadonlyMap<string, FieldValue>;
  readonly timeNs: bigint;
}
