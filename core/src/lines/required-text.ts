/** An escape, a class of characters, a counted repetition, or one character. */
const ATOM = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]?|\{\d*(?:,\d*)?\}|./g;
const PLAIN = /^(?:[^[\](){}.*+?|^$\\]|\\[^\w\s])$/;
/** Flags change the meaning of characters; other escapes may be longer than they look. */
const UNKNOWN = /\(\?[a-zA-Z-]+[:)]|[^ -~]|\\[xpPuQ0-9]/;

/**
 * The longest text that each match of a regular expression must hold, if it is easy to see: plain characters outside of
 * groups, classes and alternatives. Undefined if there is none of two characters or more.
 */
export function findRequiredText(source: string): string | undefined {
  const atoms = source.match(ATOM) ?? [];
  if (UNKNOWN.test(source)) {
    return undefined;
  }
  let depth = 0;
  let run = '';
  let longest = '';
  for (const atom of atoms) {
    if (depth === 0 && atom === '|') {
      return undefined;
    }
    if (depth === 0 && PLAIN.test(atom)) {
      run += atom.slice(-1);
      continue;
    }
    // The character before may be missing.
    const text = /^[?*{]/.test(atom) ? run.slice(0, -1) : run;
    longest = text.length > longest.length ? text : longest;
    run = '';
    depth += Number(atom === '(') - Number(atom === ')');
  }
  longest = run.length > longest.length ? run : longest;
  return longest.length < 2 ? undefined : longest;
}
