import { cutUtf8, utf8Length } from '../point/utf8.js';
import { hashFnv1a64 } from './fnv-hash.js';

const MAX_BYTES = 200;

/**
 * A name for a tag: of more than 200 bytes of UTF-8 it is cut and ends with `~` and 16 hex digits of its hash. That
 * makes it longer than 200 bytes again, so no short name can look like it.
 */
export function shortenName(name: string): string {
  if (name.length * 3 <= MAX_BYTES || utf8Length(name) <= MAX_BYTES) return name;
  return `${name.slice(0, cutUtf8(name, 0, MAX_BYTES))}~${hashFnv1a64(name)}`;
}
