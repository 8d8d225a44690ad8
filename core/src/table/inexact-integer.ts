import type { MetadataRow } from './metadata-row.js';

/** Digits are counted first: most texts are short. */
const LEAST_LENGTH = 16;
const INTEGER = /^-?[1-9]\d+$/;

/**
 * The nearest float of a text that is an integer beyond 2^53, which no float is sure to hold; undefined for any other
 * text, and beyond the range of floats.
 */
export function readInexactInteger(text: string): number | undefined {
  if (text.length < LEAST_LENGTH || !INTEGER.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) || !Number.isFinite(value) ? undefined : value;
}

/**
 * The nearest floats of a row's integers beyond 2^53, by key; undefined if it has none. `jsonKeys` as in PrintedRow:
 * digits that were printed as a string are a name, not a number.
 */
export function listInexactIntegers(
  row: MetadataRow,
  jsonKeys: ReadonlySet<string> | undefined
): ReadonlyMap<string, number> | undefined {
  let found: Map<string, number> | undefined;
  for (const [key, value] of row) {
    if (typeof value !== 'string' || value.length < LEAST_LENGTH || jsonKeys?.has(key) === false) continue;
    const number = readInexactInteger(value);
    if (number !== undefined) (found ??= new Map()).set(key, number);
  }
  return found;
}
