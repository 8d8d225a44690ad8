import { compareCodePoints } from './utf8.js';

/** Printed forms of the tag sets of createTagSet. Any other map may still change, so it is printed each time. */
const printedTags = new WeakMap<ReadonlyMap<string, string>, string>();

/** Some InfluxDB versions read a backslash there as an escape, and a newline ends the line. */
const UNSAFE_TAG = /\\(?:[,= ]|$)|\n/;
const NEEDS_ESCAPE = /[,= ]/;

/**
 * An immutable tag set that is printed once, for sources that write many points with the same tags.
 * Throws a TypeError like formatPoint on names that line protocol cannot carry.
 */
export function createTagSet(entries: Iterable<readonly [string, string]>): ReadonlyMap<string, string> {
  const tags: ReadonlyMap<string, string> = new Map(entries);
  printedTags.set(tags, printTags(tags));
  return tags;
}

/** `,key=value` for each tag, sorted by key, as InfluxDB wants it. */
export function formatTags(tags: ReadonlyMap<string, string>): string {
  return printedTags.get(tags) ?? printTags(tags);
}

function printTags(tags: ReadonlyMap<string, string>): string {
  const keys = [...tags.keys()];
  keys.sort(compareCodePoints);
  let text = '';
  for (const key of keys) {
    text += `,${escapeTagPart(key, 'tag key')}=${escapeTagPart(tags.get(key) ?? '', 'tag value')}`;
  }
  return text;
}

function escapeTagPart(name: string, what: string): string {
  if (name === '' || UNSAFE_TAG.test(name)) {
    throw new TypeError(`Line protocol cannot carry the ${what} ${JSON.stringify(name)}: encode it first (encodeName)`);
  }
  return NEEDS_ESCAPE.test(name) ? name.replace(/[,= ]/g, '\\$&') : name;
}
