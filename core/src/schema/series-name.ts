import { hasKeys } from '../table/metadata-row.js';
import { compareCodePoints, toWellFormed } from '../point/utf8.js';
import { shortenName } from './short-name.js';

/** No list of keys has it: behind a `\` comes only `,`, `\` or `0`. */
const ORIGIN_END = '\\:';

/**
 * The `series` of a table: its keys, sorted by code point and joined by `,`. No two key sets share a name: `,` and `\`
 * inside a key get a `\` in front, and the empty key is `\0`. A long list is cut (`shortenName`).
 * `origin`: where rows of other programs come from, in front of the keys and ended by `\:`. Printed rows have none.
 */
export function createSeriesName(keys: Iterable<string>, origin: readonly string[] = []): string {
  const sorted = [...new Set(keys)].sort(compareCodePoints);
  const names = sorted.map(escapeKey).join(',');
  return shortenName(origin.length === 0 ? names : origin.map(escapeKey).join(',') + ORIGIN_END + names);
}

/** How many tables a namer remembers: a job alternates between few (training, validation, test). */
const REMEMBERED_TABLES = 8;
const MAX_REMEMBERED_KEYS = 1000;

/** createSeriesName for a sequence of rows: mostly, one of the last few tables had the same keys in the same order. */
export function createSeriesNamer(): (row: ReadonlyMap<string, unknown>) => string {
  let known: ReadonlyArray<{ readonly keys: readonly string[]; readonly name: string }> = [];
  return (row) => {
    const before = known.find(({ keys }) => hasKeys(row, keys));
    if (before !== undefined) {
      return before.name;
    }
    const keys = [...row.keys()];
    const name = createSeriesName(keys);
    if (keys.length <= MAX_REMEMBERED_KEYS) {
      known = [{ keys, name }, ...known.slice(0, REMEMBERED_TABLES - 1)];
    }
    return name;
  };
}

/** The `origin` that createSeriesName was given, as far as the name has it; undefined for printed rows. */
export function readSeriesOrigin(series: string): readonly string[] | undefined {
  const parts: string[] = [];
  let part = '';
  for (let i = 0; i < series.length; i += 1) {
    const char = series.charAt(i);
    if (char === ',') {
      parts.push(part);
      part = '';
      continue;
    }
    if (char !== '\\') {
      part += char;
      continue;
    }
    i += 1;
    const escaped = series.charAt(i);
    if (escaped === ':') return [...parts, part];
    part += escaped === '0' ? '' : escaped;
  }
  return undefined;
}

function escapeKey(key: string): string {
  if (key === '') {
    return '\\0';
  }
  return toWellFormed(key).replace(/[,\\]/g, '\\$&');
}
