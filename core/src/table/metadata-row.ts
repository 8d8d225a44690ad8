/**
 * One metadata line, flattened, with its keys in printed order. A value is a number if a double carries it exactly as
 * printed. Everything else is text: strings are plain; arrays, nulls, booleans and nested objects that stay whole are
 * JSON; integers beyond 2^53 and numbers beyond a double's range are as printed. Beside such an integer, the nearest
 * float is stored (inexact-integer.ts).
 */
export type MetadataRow = ReadonlyMap<string, number | string>;

/** The path of each key that came from a nested object: `a.b` from `{"a": {"b": 1}}` has the path `["a", "b"]`. */
export type KeyPaths = ReadonlyMap<string, readonly string[]>;

/** A row, and what its values do not tell of the object that was printed. */
export interface PrintedRow {
  readonly row: MetadataRow;
  /** The keys whose text is not a string that was printed; undefined if nobody knows. */
  readonly jsonKeys: ReadonlySet<string> | undefined;
  readonly paths: KeyPaths;
}

/** Whether a line is metadata or a log line if its only departure from JSON is a bare NaN, Infinity or -Infinity. */
export type NonfiniteOption = 'log' | 'metadata';

/** Whether a row has just these keys, printed in this order. */
export function hasKeys(row: ReadonlyMap<string, unknown>, keys: readonly string[]): boolean {
  if (row.size !== keys.length) {
    return false;
  }
  let i = 0;
  for (const key of row.keys()) {
    if (key !== keys[i]) {
      return false;
    }
    i += 1;
  }
  return true;
}
