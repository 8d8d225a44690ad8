import { MIN_LITERAL_CHARS } from './signal-pattern.js';

/** An escape, a class, a count, or one character. A bracket that comes first in a class is a member of it. */
const TOKEN = /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]?|\{\d*(?:,\d*)?\}|[\s\S]/g;
/** Flags that change what a character means, and escapes that stand for characters which are not read here. */
const UNREADABLE = /\(\?[a-z-]*[ix]|\\[QEpPxcu0-9]/;

/**
 * The longest text of plain ASCII that every match of a regular expression holds, as a list of one; an empty list when
 * none is found that is long enough. It looks only outside of groups and classes, and gives up at an alternative.
 */
export function findLiterals(source: string): string[] {
  if (UNREADABLE.test(source)) return [];
  const runs = [''];
  let depth = 0;
  for (const token of source.match(TOKEN) ?? []) {
    const run = runs.at(-1) ?? '';
    const char = depth === 0 ? readPlain(token) : undefined;
    if (char !== undefined) {
      runs[runs.length - 1] = run + char;
      continue;
    }
    if (token === '|' && depth === 0) return [];
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    // The character before it may be missing.
    if (/^[*+?{]/.test(token)) runs[runs.length - 1] = run.slice(0, -1);
    runs.push('');
  }
  const longest = runs.reduce((a, b) => (b.length > a.length ? b : a));
  return longest.length < MIN_LITERAL_CHARS ? [] : [longest];
}

/** The character that a token stands for, if it is plain ASCII. */
function readPlain(token: string): string | undefined {
  const char = token.startsWith('\\') ? token.slice(1) : token;
  if (char.length !== 1 || char < ' ' || char > '~') return undefined;
  const isSpecial = token.length === 1 ? /[.^$|()[\]{}*+?\\]/.test(char) : /[A-Za-z0-9]/.test(char);
  return isSpecial ? undefined : char;
}
