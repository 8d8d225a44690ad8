import type { MetadataRow } from '../table/metadata-row.js';
import { isNumberText, readPrintedValue } from './printed-value.js';

/** A pair, and the spaces behind it. A bare value holds neither quotes nor another equals sign. */
const PAIR = /([A-Za-z_][\w./@-]*)=(?:"((?:[^"\\]|\\.)*)"|([^\s"'=,;]+))(?: +|$)/y;

/**
 * The row of a line that is `key=value` pairs and nothing else, at least one of them a number. Undefined for any other
 * line: prose has words between.
 */
export function parseLogfmt(line: string): MetadataRow | undefined {
  const row = new Map<string, number | string>();
  let hasNumber = false;
  let at = 0;
  while (at < line.length) {
    PAIR.lastIndex = at;
    const pair = PAIR.exec(line);
    if (pair === null) {
      return undefined;
    }
    const [whole, key = '', quoted, bare = ''] = pair;
    row.set(key, quoted === undefined ? readPrintedValue(bare) : unquote(quoted));
    hasNumber ||= quoted === undefined && isNumberText(bare);
    at += whole.length;
  }
  return hasNumber ? row : undefined;
}

function unquote(text: string): string {
  return text.replace(/\\(.)/g, (_whole, char: string) => ({ n: '\n', t: '\t', r: '\r' })[char] ?? char);
}
