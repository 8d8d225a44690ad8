import * as fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { expectSame } from '../testing/expect-same.js';
import type { RenderedRow } from './rendered-row.js';
import { EscapeParser } from './escape-parser.js';
import { Screen } from './screen.js';
import { cutBytes } from './testing/programs.js';
import { renderChunks } from './testing/xterm.js';

const CASES = randomCases(400);

/** Private characters in place of bytes that are not UTF-8. */
const BROKEN: Readonly<Record<string, readonly number[]>> = {
  '\ue000': [0xff],
  '\ue001': [0xe2, 0x96],
  '\ue002': [0x88],
  '\ue003': [0xe2],
  '\ue004': [0xc3],
};

function encode(program: string): Buffer {
  return Buffer.concat(
    program.split(/([\ue000-\ue004])/).map((part) => Buffer.from(BROKEN[part] ?? Buffer.from(part)))
  );
}

const text = fc.constantFrom(
  'a',
  'bcd',
  'word ',
  ' ',
  '   ',
  'x: 50%|',
  '█████',
  '██',
  '⣿',
  '世界',
  'é',
  'e\u0301',
  '{"a":1}',
  '◼◽',
  '😀',
  ...Object.keys(BROKEN)
);
const lines = (tokens: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(0, 0, 0, 3, 150, 198, 199, 200, 201, 300), fc.array(tokens, { maxLength: 60 }))
    .map(([before, list]) => `${Array.from({ length: before }, (_, i) => `${i}\n`).join('')}${list.join('')}`);

/** Single and nested bars. */
const bars = lines(
  fc.oneof(
    { weight: 4, arbitrary: text },
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        '\r',
        '\r',
        '\n',
        '\r\n',
        '\n\r',
        '\x1b[A',
        '\x1b[A\r',
        '\x1b[A\x1b[A',
        '\x1b[2A',
        '\x1b[9A'
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom('\r███|', '\ra long frame', '\r日本語') },
    { weight: 1, arbitrary: fc.constantFrom('\x1b[0A', '\x1b[12A', '\x1b[K', '\t', '\x1b[31m', '\b', '\x07') }
  )
);
/** Bars of characters whose columns are known at once; seldom something else. */
const narrowBars = lines(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.constantFrom(
        'a',
        'bcd',
        ' ',
        '   ',
        '█',
        '⣿⡀',
        '─────',
        '世',
        'é',
        '   5%|█▌  | 5/99',
        ' 100%|████| 99/99 '
      ),
    },
    {
      weight: 8,
      arbitrary: fc.constantFrom('\r', '\r', '\r', '\n', '\n\r', '\x1b[A\r', '\x1b[A\x1b[A\n', '\x1b[2A\n', '\x1b[A'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('世', 'e\u0301', '\ue001', '\ue002', '\u00ad', '\x1b[31m', '\t', '\x1b[K'),
    }
  )
);
const style = fc.constantFrom(
  '',
  '0',
  '1',
  '31',
  '1;31',
  '01;34',
  '22',
  '39',
  '38;5;200',
  '38;2;1;2;3',
  '48:5:7',
  '0;0',
  '7',
  '27',
  '4',
  '24',
  '999'
);
const coloured = lines(
  fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 4, arbitrary: style.map((codes) => `\x1b[${codes}m`) },
    { weight: 3, arbitrary: fc.constantFrom('\n', '\n', '\n\n', ' \n') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '\x1b[31mred\x1b[0m plain\n',
        '\x1b[A\r',
        '\r\n',
        '\x1b[K',
        '\x1b]0;t\x07',
        '\x1b[2;1H',
        '\x1b[?25l'
      ),
    }
  )
);
/** Mostly lines whose bytes are their coloured form. */
const shortStyles = lines(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        '\x1b[32mINFO\x1b[0m and so on\n',
        'at \x1b[1;34mfile:1\x1b[0m 2 \x1b[33m3\x1b[0m\n',
        '\x1b[44m \x1b[0m \n',
        'none\n',
        '\n'
      ),
    },
    { weight: 1, arbitrary: style.map((codes) => `\x1b[${codes}mx\x1b[0m`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('\x1b[31m', '\x1b[0m', '\x1b[0mx\n', '\x1b[1m\n', 'text', '\r', '█\n', '\x1b[A', ' '),
    }
  )
);
/** Enough lines with colours that most have left the screen. */
const manyStyles = fc
  .tuple(
    shortStyles,
    fc.array(fc.constantFrom('plain', '\x1b[32mINFO\x1b[0m x', '\x1b[1mé\x1b[31mé\x1b[0m', '\x1b[2m \x1b[0m '), {
      minLength: 1,
      maxLength: 5,
    }),
    shortStyles
  )
  .map(
    ([first, kinds, last]) =>
      `${first}${Array.from({ length: 400 }, (_, i) => `${kinds[i % kinds.length] ?? ''}\n`).join('')}${last}`
  );
const plain = lines(
  fc.oneof({ weight: 1, arbitrary: text }, { weight: 1, arbitrary: fc.constantFrom('\n', '\n\n', '\n'.repeat(210)) })
);

/** Lines with tabs, or ended by CR LF. */
const flat = lines(
  fc.oneof(
    { weight: 4, arbitrary: text },
    {
      weight: 4,
      arbitrary: fc.constantFrom('\t', '\t\t', 'seven77\t', 'eight888\t', ' \t', '\n', '\r\n', '\r\r\n', '\t\r\n'),
    },
    { weight: 1, arbitrary: fc.constantFrom('a\tb\r\n'.repeat(210), `${'long'.repeat(30)}\tx\r\n`.repeat(400)) },
    { weight: 1, arbitrary: fc.constantFrom('\r', '\x1b[A', '\x1b[31m', '\x1b[0m', '\b', '\x1b[3;9H') }
  )
);

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The rows by the general way. */
function interpret(program: string): RenderedRow[] {
  const screen = new Screen();
  const parser = new EscapeParser(screen);
  parser.feed(program);
  parser.end();
  const rows: RenderedRow[] = [];
  for (const row of [...screen.window.takeComplete(), ...screen.window.takeChanged(true)]) rows[row.id] = row;
  return rows;
}

/** A row that was returned does not come again for the spaces behind its text alone. */
function withoutSpaces(rows: readonly RenderedRow[]): unknown[] {
  return rows.map((row) => ({ ...row, hasTrailingSpace: undefined }));
}

describe('the quick ways', () => {
  it.each([
    ['bars', bars],
    ['bars of narrow characters', narrowBars],
    ['coloured lines', coloured],
    ['coloured lines in the shortest form', shortStyles],
    ['many coloured lines', manyStyles],
    ['plain lines', plain],
    ['lines with tabs and CR LF', flat],
  ])(
    'show the same as the general way: %s',
    (_, programs) => {
      fc.assert(
        fc.property(programs, fc.array(fc.nat(3000), { minLength: 1, maxLength: 3 }), (program, cuts) => {
          const bytes = encode(program);
          const expected = interpret(decoder.decode(bytes));
          expectSame(renderChunks([bytes], false), expected);
          expectSame(withoutSpaces(renderChunks(cutBytes(bytes, cuts), false)), withoutSpaces(expected));
        }),
        { numRuns: CASES }
      );
    },
    36_000_000
  );
});
