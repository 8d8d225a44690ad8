import fc from 'fast-check';
import { compileTyped, type TypedPattern } from './typed-pattern.js';

function compile(source: string, flags = ''): TypedPattern {
  const compiled = compileTyped(source, flags);
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.value;
}

/** Texts that nearly match, of the lengths of lines and of a whole page. */
const LINES = [
  ...['a', 'x', '0', ' ', 'ab', 'a ', '=', 'é', '(', '\u{1f600}'].flatMap((part) =>
    [30, 3000].map((n) => part.repeat(n))
  ),
  'a'.repeat(100_000),
].map((text) => `${text}!`);

// In the engine of a browser, the first of these lines would hold most of them up for longer than a test may take.
it.each([
  ['(a+)+$'],
  ['(a*)*b'],
  ['^(a|a)*$'],
  ['(?:a|aa)+$'],
  ['(x+x+)+y'],
  ['([^ ]+ ?)+$'],
  ['^(\\w+\\s?)*$'],
  ['(.*)*=(.*)*;'],
  ['(.*a){12}'],
  ['(.?a?){30}$'],
  ['(?:a?){40}a{40}$'],
  ['\\s*\\s*\\s*\\s*\\s*\\s*x'],
  ['\\d*\\d*\\d*\\d*\\d*\\d*\\d*x$'],
  ['a.*b|a'],
  ['\\b(a|b|ab|ba)+\\b$'],
  ['(\u{1f600}+)+$'],
])('searches for %p in time that grows with the text alone', (source) => {
  for (const flags of ['', 'i', 'ims']) {
    const pattern = compile(source, flags);
    for (const line of LINES) {
      const isFound = pattern.findRanges(line).length > 0;
      expect(isFound && !pattern.test(line)).toBe(false);
    }
  }
});

it.each([
  ['(.?a?){1000}', 'The expression would take too long: write shorter repeats and fewer groups'],
  ['((((a{20}){20}){20}){20})', 'The expression would take too long: write shorter repeats and fewer groups'],
  ['(.?a?){1000}'.repeat(80), 'The expression would take too long: write shorter repeats and fewer groups'],
  ['x'.repeat(5000), 'The expression is longer than 4096 characters'],
  ['val(?!id)', 'The expression is not valid at its character 4: invalid or unsupported Perl syntax'],
  ['(?<=loss=)1', 'The expression is not valid: invalid named capture'],
  ['(a)\\1', 'The expression is not valid at its character 4: invalid escape sequence'],
  ['a(b', 'The expression is not valid: missing closing )'],
  ['[b-a]', 'The expression is not valid at its character 2: invalid character class range'],
  ['*', 'The expression is not valid: missing argument to repetition operator'],
  ['a{2000}', 'The expression would take too long'],
  ['__proto__(', 'The expression is not valid: missing closing )'],
])('says why it does not search for %p', (source, reason) => {
  const compiled = compileTyped(source);
  const error = compiled.ok ? '' : compiled.error;
  expect(error).toContain(reason);
  expect(error.endsWith('; RE2 has neither look-around nor back-references')).toBe(/\(\?<?[=!]|\\1/.test(source));
});

const ATOM = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\w',
  '\\d',
  '\\s',
  '(?:a|bc)',
  'é',
  '\u{1f600}',
  '\\.',
  '\\$'
);
const PIECE = fc.tuple(ATOM, fc.constantFrom('', '', '?', '*', '+', '{2}', '+?')).map((parts) => parts.join(''));
const SOURCE = fc
  .tuple(fc.constantFrom('', '^'), fc.array(PIECE, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '$', '|c'))
  .map(([start, pieces, end]) => start + pieces.join('') + end);
const TEXT = fc.array(fc.constantFrom('a', 'b', 'c', 'B', '1', ' ', '.', '$', 'é', '\u{1f600}', '\n'), {
  maxLength: 12,
});

it('matches what the engine of a browser matches', () => {
  fc.assert(
    fc.property(SOURCE, TEXT, fc.constantFrom('', 'i', 's', 'm', 'is'), (source, parts, flags) => {
      const text = parts.join('');
      const matches = [...text.matchAll(new RegExp(source, `gu${flags}`))].filter(([match]) => match !== '');
      const pattern = compile(source, flags);
      expect(pattern.findRanges(text)).toEqual(matches.map(({ 0: match, index }) => [index, index + match.length]));
      expect(pattern.test(text)).toBe(new RegExp(source, `u${flags}`).test(text));
    })
  );
});
