/**
 * One metadata line, flattened, keys in the order printed. A number is a value that a double carries exactly as printed;
 * everything else is text: strings plain, arrays, nulls, booleans and nested objects that stay whole as JSON,
 * integers beyond 2^53 and numbers beyond a double's range as printed.
 */
export type MetadataRow = ReadonlyMap<string, number | string>;

/** Whether a line whose only fault against JSON is a bare NaN, Infinity or -Infinity is metadata or stays a log line. */
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
