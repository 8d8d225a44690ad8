import { rememberNames } from '../point/name-cache.js';
import { decodeName, encodeName } from './name-transport.js';

/** Names that no metadata key is stored under: the time, the tags of its point, and the tags and fields of a bucket. */
export const RESERVED_KEYS = [
  'time',
  'job',
  'user',
  'series',
  'task',
  'bucket_level',
  'bucket_stat',
  'bucket_rows',
] as const;

const RESERVED = `(?:${RESERVED_KEYS.join('|')})`;
const RESERVED_NAME = new RegExp(`^${RESERVED}_*$`);
const STORED_RESERVED_NAME = new RegExp(`^${RESERVED}_+$`);
const UNDERSCORE_NAME = /^x*_/;
const STORED_UNDERSCORE_NAME = /^x+_/;

/**
 * The field key under which a metadata key is stored. InfluxDB reserves `time` and names that start with `_`, and a
 * field may not have the name of a tag of its point. So a reserved name, also one followed by any number of `_`, gets
 * one more `_`; and a name that starts with `_`, also after any number of `x`, gets one more `x`.
 * decodeFieldKey(encodeFieldKey(key)) is the key, always.
 */
export const encodeFieldKey: (key: string) => string = rememberNames((key) => {
  const stored = encodeName(key);
  if (RESERVED_NAME.test(stored)) {
    return `${stored}_`;
  }
  return UNDERSCORE_NAME.test(stored) ? `x${stored}` : stored;
});

/** The metadata key behind a stored field key. */
export function decodeFieldKey(stored: string): string {
  if (STORED_RESERVED_NAME.test(stored)) {
    return decodeName(stored.slice(0, -1));
  }
  return decodeName(STORED_UNDERSCORE_NAME.test(stored) ? stored.slice(1) : stored);
}
