import { type JoblensUnderTest, prepareJoblens } from '../testing/joblens.js';
import { ConsoleRenderer } from './console-renderer.js';
import type { RenderedRow, RowSink } from './rendered-row.js';
import { createXterm, readXterm, renderChunks, trimLines, writeXterm } from './testing/xterm.js';

/*
 * How a console treats output, as a list of numbered points; each has its rows here. recordings.test.ts has what the
 * programs that it names print.
 */

interface Case {
  readonly point: number;
  readonly what: string;
  readonly output: string | Buffer;
  readonly rows: readonly string[];
  /** Why xterm shows something else; without it xterm must show the same. */
  readonly unlikeXterm?: string;
}

const numbers = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, i) => String(first + i));
const lines = (list: readonly string[]): string => list.map((line) => `${line}\n`).join('');
const NO_WRAP = 'no width, no wrapping';
const NO_WIPE = 'what is cleared scrolls off or stays: a program must not wipe its log';
const STRING_ENDS = 'strings end with their line or at a length';

const CASES: readonly Case[] = [
  { point: 1, what: 'CR without LF overlays', output: '100%\rdone', rows: ['done'] },
  { point: 1, what: 'the residue stays', output: 'abcdef\rXY', rows: ['XYcdef'] },
  { point: 1, what: 'CRLF is LF', output: 'a\r\nb\r\n', rows: ['a', 'b'] },
  { point: 1, what: 'CR CR LF is LF', output: 'a\r\r\nb', rows: ['a', 'b'] },
  { point: 2, what: 'BS moves and does not erase', output: 'abc\b\bX', rows: ['aXc'] },
  { point: 2, what: 'BS stops at the left edge', output: 'ab\n\b\bX', rows: ['ab', 'X'] },
  { point: 3, what: 'TAB to multiples of 8', output: 'a\tb\t12345678\tc', rows: ['a       b       12345678        c'] },
  { point: 3, what: 'TAB erases nothing', output: '0123456789\r\tX', rows: ['01234567X9'] },
  { point: 3, what: 'BEL and NUL are nothing', output: 'a\x07b\0c', rows: ['abc'] },
  { point: 3, what: 'VT and FF are line feeds', output: 'a\vb\fc', rows: ['a', 'b', 'c'] },
  {
    point: 4,
    what: 'CSI A: empty, 0, 1, many',
    output: '1\n2\n3\n4\x1b[Aa\x1b[0Ab\x1b[1;7Ac',
    rows: ['1  c', '2 b', '3a', '4'],
  },
  {
    point: 4,
    what: 'CSI B stops at the last row',
    output: '1\n2\x1b[A\x1b[Bb\x1b[999Ac\x1b[1Bd',
    rows: ['1 c', '2b d'],
  },
  { point: 4, what: 'CSI C and D', output: 'abcdef\x1b[4DX\x1b[2CY\x1b[99DZ\x1b[0CW', rows: ['ZbWdeY'] },
  { point: 4, what: 'CSI E and F', output: 'ab\ncd\nef\x1b[2FX\x1b[EY\x1b[0EZ', rows: ['Xb', 'Yd', 'Zf'] },
  { point: 4, what: 'CSI G', output: 'abcd\x1b[3GX\x1b[GY\x1b[0GZ\x1b[6G!', rows: ['ZbXd !'] },
  { point: 4, what: 'CSI H and f', output: 'ab\ncd\n\x1b[2;2HX\x1b[HY\x1b[2;fZ\x1b[;2fW', rows: ['YW', 'ZX'] },
  { point: 4, what: 'CSI d', output: 'ab\ncd\nef\x1b[1dX\x1b[2dY\x1b[dZ', rows: ['abX Z', 'cd Y', 'ef'] },
  { point: 4, what: 'CSI J, 0 J: from the cursor', output: 'ab\ncd\nef\x1b[2A\x1b[D\x1b[J', rows: ['a'] },
  { point: 4, what: 'CSI 1 J: to the cursor', output: 'ab\ncde\x1b[2D\x1b[1J', rows: ['', '  e'] },
  { point: 4, what: 'CSI 2 J keeps the cursor', output: 'ab\ncd\x1b[2JX', rows: ['ab', 'cd', '', '  X'] },
  { point: 4, what: 'CSI 3 J leaves what is seen', output: 'ab\ncd\x1b[3JX', rows: ['ab', 'cdX'] },
  { point: 4, what: 'CSI K and 0 K', output: 'abcd\x1b[2D\x1b[K\nabcd\x1b[2D\x1b[0KX', rows: ['ab', 'abX'] },
  { point: 4, what: 'CSI 1 K and 2 K', output: 'abcd\x1b[2D\x1b[1K\nabcd\x1b[2KX', rows: ['   d', '    X'] },
  { point: 4, what: 'CSI L and M', output: '1\n2\n3\x1b[2A\x1b[LX\x1b[2B\r\x1b[MY', rows: ['X', '1', 'Y'] },
  {
    point: 4,
    what: 'CSI P, X, @',
    output: 'abcdef\r\x1b[2P\nabcdef\r\x1b[2X\nabcdef\r\x1b[2@',
    rows: ['cdef', '  cdef', '  abcdef'],
  },
  { point: 4, what: 'CSI s and u', output: 'ab\x1b[scd\n\x1b[uX', rows: ['abXd'] },
  { point: 4, what: 'm is no text', output: 'a\x1b[31mb\x1b[mc\x1b[1;4;38;5;9md\x1b[0m', rows: ['abcd'] },
  { point: 4, what: 'ESC 7 and 8', output: 'ab\x1b7cd\n\x1b8X', rows: ['abXd'] },
  { point: 4, what: 'ESC M, D, E', output: 'a\nb\x1bMX\x1bDY\x1bEZ', rows: ['aX', 'b Y', 'Z'] },
  { point: 4, what: 'ESC c', output: 'ab\x1b[31m\x1bccd', rows: ['ab', 'cd'], unlikeXterm: NO_WIPE },
  {
    point: 4,
    what: 'modes 25, 7, 2004, 2026',
    output: 'a\x1b[?25lb\x1b[?7lc\x1b[?2004hd\x1b[?2026he\x1b[?25h\x1b[?7h\x1b[?2026lf',
    rows: ['abcdef'],
  },
  {
    point: 4,
    what: 'r: rows below the region stay',
    output: '\x1b[1;2rA\x1b[3;1HBAR\x1b[1;1H1\n2\n3\n4',
    rows: ['1', '2', '3', '4', 'BAR'],
  },
  { point: 5, what: 'OSC until BEL', output: 'a\x1b]0;title\x07b', rows: ['ab'] },
  { point: 5, what: 'OSC until ST', output: 'a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\c', rows: ['abc'] },
  {
    point: 5,
    what: 'DCS, APC, PM, SOS until ST',
    output: 'a\x1bP1$q\x1b\\b\x1b_x\x1b\\c\x1b^y\x1b\\d\x1bXz\x1b\\e',
    rows: ['abcde'],
  },
  { point: 5, what: 'CAN and SUB cancel', output: 'a\x1b]x\x18b\x1bPy\x1ac', rows: ['abc'] },
  { point: 5, what: 'ESC cancels', output: 'a\x1b]x\x1b[31mb', rows: ['ab'] },
  {
    point: 5,
    what: 'a stray OSC takes one line at most',
    output: 'a\x1b]b\nc\n',
    rows: ['ab', 'c'],
    unlikeXterm: STRING_ENDS,
  },
  {
    point: 5,
    what: 'a stray DCS takes 64 KiB at most',
    output: `a\x1bP${'x'.repeat(70_000)}\nb\n`,
    rows: [`a${'x'.repeat(70_000)}`, 'b'],
    unlikeXterm: STRING_ENDS,
  },
  {
    point: 6,
    what: 'sequences, characters and CRLF, cut anywhere',
    output: '█\x1b[38;5;120m世é\x1b[0m\r\n😀\x1b]0;t\x1b\\x\r\n',
    rows: ['█世é', '😀x'],
  },
  {
    point: 7,
    what: 'invalid UTF-8 is U+FFFD',
    output: Buffer.from('61ff62c36280e2960af09f980a', 'hex'),
    rows: ['a\ufffdb\ufffdb\ufffd\ufffd', '\ufffd'],
    unlikeXterm: 'it drops the bytes',
  },
  { point: 8, what: 'East Asian wide is 2', output: '世界\x1b[4GX\x1b[Gab', rows: ['ab X'] },
  { point: 8, what: 'combining characters are 0', output: 'e\u0301x\x1b[2GY', rows: ['e\u0301Y'] },
  { point: 8, what: 'ZWJ is 0', output: 'a\u200dbc\x1b[2GX', rows: ['a\u200dXc'] },
  { point: 8, what: 'blocks, braille, boxes are 1', output: '█▌⣿│╸x\x1b[6GY', rows: ['█▌⣿│╸Y'] },
  {
    point: 9,
    what: 'a JSON line of 1 MB stays one line',
    output: `{"a":"${'x'.repeat(1e6)}"}\nb\n`,
    rows: [`{"a":"${'x'.repeat(1e6)}"}`, 'b'],
    unlikeXterm: NO_WRAP,
  },
  {
    point: 10,
    what: 'the cursor reaches up 200 rows',
    output: `${lines(numbers(1, 300))}\x1b[199AX`,
    rows: [...numbers(1, 101), 'X02', ...numbers(103, 300)],
  },
  {
    point: 10,
    what: 'and not further',
    output: `${lines(numbers(1, 300))}\x1b[250AX`,
    rows: [...numbers(1, 101), 'X02', ...numbers(103, 300)],
  },
  {
    point: 13,
    what: 'a character that is cut at the end is U+FFFD',
    output: Buffer.from('61e296', 'hex'),
    rows: ['a\ufffd'],
    unlikeXterm: 'it waits for the rest',
  },
  { point: 13, what: 'a row without LF is there in the end', output: 'a\nb', rows: ['a', 'b'] },
  { point: 13, what: 'trailing spaces are cut', output: 'a   \n   \nb  ', rows: ['a', '', 'b'] },
  {
    point: 14,
    what: 'of an alternate screen the last picture stays',
    output: 'a\n\x1b[?1049h\x1b[Htop 11\x1b[Htop 2\x1b[K\x1b[?1049lb',
    rows: ['a', 'top 2', 'b'],
    unlikeXterm: 'it drops the picture',
  },
  {
    point: 14,
    what: 'a program that clears in each frame leaves its last picture',
    output: 'a\n\x1b[?1049h\x1b[Htop 11\x1b[H\x1b[Jtop 2\x1b[?1049lb',
    rows: ['a', 'top 2', 'b'],
    unlikeXterm: 'it drops the picture',
  },
  {
    point: 14,
    what: 'the same by CSI 2 J',
    output: 'a\n\x1b[?1049h\x1b[2J\x1b[Hone\nmore\x1b[2J\x1b[Htwo\x1b[?1049lb\x1b[2Jc',
    rows: ['a', 'two', 'b', ' c'],
    unlikeXterm: 'it drops the picture',
  },
];

/** Two parts at every byte, or at 200 places of a long output, 20 of a very long one. */
function* cuts(bytes: Buffer): Generator<Buffer[]> {
  const step = Math.ceil(bytes.length / (bytes.length < 100_000 ? 200 : 20));
  for (let i = 0; i <= bytes.length; i += step) yield [bytes.subarray(0, i), bytes.subarray(i)];
  if (bytes.length < 100_000) yield Array.from(bytes, (byte) => Buffer.of(byte));
}

const render = (chunks: readonly Uint8Array[]): string[] => trimLines(renderChunks(chunks).map((row) => row.text));

describe.each(CASES)('point $point: $what', ({ output, rows, unlikeXterm }) => {
  const bytes = Buffer.from(output);

  it('rows', () => expect(render([bytes])).toEqual(rows));

  it('rows, cut at every byte', () => {
    for (const chunks of cuts(bytes)) expect(render(chunks)).toEqual(rows);
  });

  it(unlikeXterm === undefined ? 'as xterm' : `unlike xterm: ${unlikeXterm}`, async () => {
    const terminal = createXterm();
    await writeXterm(terminal, bytes);
    if (unlikeXterm === undefined) expect(readXterm(terminal)).toEqual(rows);
    else expect(readXterm(terminal)).not.toEqual(rows);
  });
});

interface StepsCase {
  readonly point: number;
  readonly what: string;
  /** Pieces of output. The changed rows are read after each. */
  readonly steps: readonly string[];
  /** After each step, and at the end of the stream: the rows that came, each as its id and its text. */
  readonly versions: readonly (readonly string[])[];
}

const STEPS: readonly StepsCase[] = [
  {
    point: 10,
    what: 'a row that leaves the window is final, also when it was changed',
    steps: ['first\n', '\x1b[ATOP', `\n${'\n'.repeat(200)}`, '\x1b[500AX'],
    versions: [['0 first'], ['0 TOPst'], numbers(1, 200).map((id) => `${id} `), ['2 X'], []],
  },
  {
    point: 12,
    what: 'a running bar is seen, and is the same row until its end',
    steps: ['\r 10%|█   |', '\r 50%|██  |', '\r100%|████|\nnext\n'],
    versions: [['0  10%|█   |'], ['0  50%|██  |'], ['0 100%|████|', '1 next'], []],
  },
  {
    point: 12,
    what: 'a prompt is seen, and nothing comes again while nothing changes',
    steps: ['go on? ', '', 'y\n', ''],
    versions: [['0 go on?'], [], ['0 go on? y'], [], []],
  },
  {
    point: 12,
    what: 'a bar above the last row changes in place',
    steps: ['A 0%\nB 0%', '\x1b[A\rA 50%', '\n\rB 100%\n'],
    versions: [['0 A 0%', '1 B 0%'], ['0 A 50%'], ['1 B 100%'], []],
  },
  {
    point: 12,
    what: 'a bar that is erased comes again, empty',
    steps: ['50%', '\r   \r'],
    // The last time it comes as complete.
    versions: [['0 50%'], ['0 '], ['0 ']],
  },
  { point: 13, what: 'a stream without output has no rows', steps: [], versions: [[]] },
  { point: 13, what: 'what was cut in a sequence is no text', steps: ['a\n\x1b[3'], versions: [['0 a'], []] },
];

/** The rows that a user of a renderer gets: a list for each step and one for the end. */
function readVersions(steps: readonly string[]): string[][] {
  const renderer = new ConsoleRenderer();
  let seen: string[] = [];
  const see = (rows: readonly RenderedRow[]): void => void seen.push(...rows.map(({ id, text }) => `${id} ${text}`));
  const sink: RowSink = {
    update: see,
    addLines: ({ bytes, firstId, count }) =>
      seen.push(
        ...bytes
          .toString()
          .split('\n', count)
          .map((line, i) => `${firstId + i} ${line}`)
      ),
  };
  const takeSeen = (): string[] => {
    const taken = seen;
    seen = [];
    return taken;
  };
  const versions = steps.map((step) => {
    renderer.write(Buffer.from(step), sink);
    see(renderer.takeChangedRows());
    return takeSeen();
  });
  see(renderer.end());
  return [...versions, takeSeen()];
}

it.each(STEPS)('point $point: $what', ({ steps, versions }) => expect(readVersions(steps)).toEqual(versions));

it('point 11: two streams are two screens: a bar on one does not meet the lines of the other', () => {
  const [stdout, stderr] = [
    ['loss 1\n', 'loss 2\n'],
    ['\r 50%|██  |', '\r100%|████|\n'],
  ];
  expect(readVersions(stdout)).toEqual([['0 loss 1'], ['1 loss 2'], []]);
  expect(readVersions(stderr)).toEqual([['0  50%|██  |'], ['0 100%|████|'], []]);
});

describe('point 15: a command that runs under joblens', () => {
  let joblens: JoblensUnderTest;
  beforeAll(() => (joblens = prepareJoblens()));
  afterAll(() => joblens.remove());

  it.each([
    [
      'prints to pipes, so that programs draw no bars for a terminal',
      '[ -t 1 ] || [ -t 2 ] || echo pipes',
      {},
      'pipes',
    ],
    ['is told TERM and NO_COLOR as they were', 'echo $TERM $NO_COLOR', { TERM: 'dumb', NO_COLOR: '1' }, 'dumb 1'],
    ['gets no TERM where there was none', 'echo "<$(printenv TERM)>"', {}, '<>'],
  ])('%s', async (_, script, environment, printed) => {
    const { stdout } = await joblens.run(
      ['run', '--mode', 'enabled', '--out', '/dev/null', '--', 'sh', '-c', script],
      '',
      environment
    );
    expect(stdout.toString()).toBe(`${printed}\n`);
  });
});
