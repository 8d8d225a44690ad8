import { ConsoleRenderer } from './console-renderer.js';
import type { RenderedRow, RowSink } from './rendered-row.js';
import { RowCollector, renderChunks, trimLines, writeRows } from './testing/xterm.js';

function render(...chunks: (string | Uint8Array)[]): RenderedRow[] {
  return renderChunks(chunks.map((chunk) => Buffer.from(chunk)));
}

function texts(rows: readonly RenderedRow[]): string[] {
  return trimLines(rows.map((row) => row.text));
}

const numbered = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, i) => String(first + i));
const CASES: readonly (readonly [name: string, output: string | Buffer, rows: readonly string[]])[] = [
  ['CR overlays and keeps the residue', 'abcdef\rXY\n', ['XYcdef']],
  ['CR at the end of the stream', '100%\rdone', ['done']],
  ['CRLF and CR CR LF are LF', 'a\r\nb\r\r\nc\n', ['a', 'b', 'c']],
  ['empty lines', '\n\na\n', ['', '', 'a']],
  ['BS moves and does not erase', 'abc\b\bX\b\b\b\b\bY\n', ['YXc']],
  [
    'TAB to multiples of 8',
    'a\tb\t\tc\n1234567\tx\n12345678\tx\n',
    ['a       b               c', '1234567 x', '12345678        x'],
  ],
  ['TAB moves over text', 'abcdefghij\r\tX\n', ['abcdefghXj']],
  ['BEL, NUL, DEL and others vanish', 'a\x07b\0c\x7fd\x01\x0ee\x0f\n', ['abcde']],
  ['VT and FF are line feeds', 'a\vb\fc', ['a', 'b', 'c']],
  ['CSI without, with zero and with many parameters', 'a\nb\x1b[AX\x1b[0AY\x1b[1;2;3;4;5BZ\n', ['aXY', 'b  Z']],
  ['cursor left and right', 'abcdef\x1b[3DX\x1b[1CY\x1b[99D>\n', ['>bcXeY']],
  ['E and F', 'a\nb\nc\x1b[2FX\x1b[2EY\n', ['X', 'b', 'Y']],
  ['G', 'abc\x1b[6Gx\x1b[Gy\n', ['ybc  x']],
  ['H and f', 'a\nb\n\x1b[1;3Hx\x1b[2fy\n', ['a x', 'y']],
  ['d', 'a\nb\n\x1b[1dx\n', ['x', 'b']],
  ['K', 'abcdef\x1b[3D\x1b[K\nabcdef\x1b[3D\x1b[1K\nabc\x1b[2Kd\n', ['abc', '    ef', '   d']],
  ['J', 'a\nb\nc\x1b[A\x1b[Jx\n', ['a', 'bx']],
  ['J 1', 'abc\ndef\x1b[2D\x1b[1J\n', ['', '  f']],
  ['L and M', 'a\nb\nc\x1b[2A\x1b[Lx\n\x1b[Md', ['x', 'd', 'c']],
  ['P, X, @', 'abcdef\r\x1b[2P\nabcdef\r\x1b[2X\nabc\r\x1b[2@x\n', ['cdef', '  cdef', 'x abc']],
  ['S and T', 'a\nb\nc\x1b[S\x1b[2T\n', ['', '', 'b', 'c']],
  ['s and u', 'ab\x1b[scd\x1b[uX\n', ['abXd']],
  ['ESC 7 and 8', 'ab\x1b7\ncd\x1b8X\n', ['abX', 'cd']],
  ['ESC M, D, E', 'a\nb\x1bMX\x1bDY\x1bEZ\n', ['aX', 'b Y', 'Z']],
  ['ESC c starts a page', 'a\x1b[31mb\x1bcd\n', ['ab', 'd']],
  ['modes', 'a\x1b[?25lb\x1b[?7hc\x1b[?1049hd\x1b[?1049le\x1b[?2004hf\x1b[?2026lg\n', ['abcdefg']],
  [
    'scroll region keeps the rows below',
    '\x1b[1;2rA\x1b[3;1HBAR\x1b[1;1H1\n2\n3\n4\n',
    ['1', '2', '3', '4', '', 'BAR'],
  ],
  ['a cleared screen stays in the log', 'old\n\x1b[2J\x1b[Hnew\n', ['old', 'new']],
  ['home and J clear as well', 'old\n\x1b[H\x1b[Jnew\n', ['old', 'new']],
  ['J from a row reached by moving up erases', 'one\ntwo\n\x1b[2A\x1b[Jnew\n', ['new']],
  [
    'the last alternate screen stays',
    'log\n\x1b[?1049h\x1b[Htop 1\x1b[Htop 2\x1b[?1049lmore\n',
    ['log', 'top 2', 'more'],
  ],
  ['OSC by BEL and ST', 'a\x1b]0;title\x07b\x1b]8;;x\x1b\\c\n', ['abc']],
  ['DCS, APC, PM, SOS by ST', 'a\x1bPq\n#\x1b\\b\x1b_G\x1b\\c\x1b^p\x1b\\d\x1bXs\x1b\\e\n', ['abcde']],
  ['CAN, SUB and ESC cancel', 'a\x1b]x\x18b\x1bPy\x1ac\x1b]z\x1b[31md\x1b[3\x18e\n', ['abcde']],
  ['a stray OSC ends with its line', 'a\x1b]b\nc\n', ['ab', 'c']],
  ['an OSC never closed', 'a\x1b]b', ['ab']],
  ['charset selection', '\x1b(Ba\x1b)0b\x1b#8c\n', ['abc']],
  [
    'invalid UTF-8',
    Buffer.from([0x61, 0xff, 0xc3, 0x0a, 0xe2, 0x96, 0x62, 0xf0, 0x9f, 0x98]),
    ['a\ufffd\ufffd', '\ufffdb\ufffd'],
  ],
  ['byte order mark stays', '\ufeffa\n', ['\ufeffa']],
  ['wide characters take two columns', '世界\rab\n世界\x1b[2GX\n世\x1b[Dx\n', ['ab界', ' X界', ' x']],
  ['emoji are wide', '😀!\x1b[3Gx\n', ['😀x']],
  ['combining marks and ZWJ take none', 'e\u0301\u200dx\x1b[2Gy\n', ['e\u0301\u200dy']],
  ['blocks, braille and boxes take one', '█⣿│x\r\x1b[3CY\n', ['█⣿│Y']],
  ['no wrapping', `${'x'.repeat(5000)}\n`, ['x'.repeat(5000)]],
  ['trailing spaces are cut', 'a  \n b \t\n   \n', ['a', ' b', '']],
  [
    'the cursor clamps at the top of 200 rows',
    `${numbered(0, 299).join('\n')}\x1b[999A\rX\n`,
    [...numbered(0, 99), 'X00', ...numbered(101, 299)],
  ],
  [
    'cursor addresses are bounded',
    'a\x1b[99999;1000000000Hb\x1b[1000000000@\n',
    ['a', ...Array.from({ length: 198 }, () => ''), `${' '.repeat(1023)}b`],
  ],
  ['a frame of marks alone is covered', '\r\u0301\ra', ['a']],
  ['a frame of marks alone is covered by a longer one', '\r\u0301\rabc', ['abc']],
  ['marks at the start of a row are covered', '\u0301a\rb', ['b']],
  ['nested bars', 'A 0%\n\rB 0%\x1b[A\rA 50%\n\rB 9%\x1b[A\rA 100%\n\r    \r', ['A 100%']],
];

describe('what a console shows', () => {
  it.each(CASES)('%s', (_, output, rows) => {
    expect(texts(render(output))).toEqual(trimLines(rows));
  });

  it.each(CASES)('%s, cut at every byte', (_, output) => {
    const bytes = Buffer.from(output);
    const whole = render(bytes);
    const step = Math.ceil(bytes.length / 200);
    for (let i = 0; i <= bytes.length; i += step) {
      expect(texts(render(bytes.subarray(0, i), bytes.subarray(i)))).toEqual(texts(whole));
    }
    expect(texts(render(...Array.from(bytes, (byte) => Buffer.of(byte))))).toEqual(texts(whole));
  });
});

describe('colours', () => {
  it.each([
    ['none', 'a\n', [undefined]],
    ['one', '\x1b[31mred\x1b[0m plain\n', ['\x1b[31mred\x1b[0m plain']],
    ['carried over lines', '\x1b[1;32ma\nb\x1b[m\nc\n', ['\x1b[1;32ma\x1b[0m', '\x1b[1;32mb\x1b[0m', undefined]],
    ['redundant codes vanish', '\x1b[0m\x1b[31m\x1b[31ma\x1b[31mb\x1b[0;31mc\x1b[39m\n', ['\x1b[31mabc\x1b[0m']],
    ['what is added only', '\x1b[31ma\x1b[1mb\x1b[22mc\n', ['\x1b[31ma\x1b[1mb\x1b[0;31mc\x1b[0m']],
    ['trailing coloured spaces are cut', 'a\x1b[41m   \x1b[0m\n', [undefined]],
    ['overlay', '\x1b[31mabcd\r\x1b[0m\x1b[C\x1b[34mX\n', ['\x1b[31ma\x1b[34mX\x1b[31mcd\x1b[0m']],
    [
      '256 and true colours',
      '\x1b[38;5;9;48;2;1;2;3mx\x1b[38:2::4:5:6my\n',
      ['\x1b[38;5;9;48;2;1;2;3mx\x1b[38;2;4;5;6my\x1b[0m'],
    ],
    ['codes that make no sense', '\x1b[38;5m\x1b[999m\x1b[38;2;300;0;0m\x1b[4:3;;mx\n', [undefined]],
  ])('%s', (_, output, ansi) => {
    expect(
      render(output)
        .slice(0, ansi.length)
        .map((row) => row.ansi)
    ).toEqual(ansi);
  });
});

describe('returned rows', () => {
  it('a line is returned once, when its line feed comes', () => {
    const renderer = new ConsoleRenderer();
    expect(writeRows(renderer, Buffer.from('a\nb'))).toEqual([
      { id: 0, text: 'a', isComplete: true, continues: false, hasTrailingSpace: false },
    ]);
    expect(renderer.hasChangedRows).toBe(true);
    expect(renderer.takeChangedRows()).toEqual([
      { id: 1, text: 'b', isComplete: false, continues: false, hasTrailingSpace: false },
    ]);
    expect(renderer.hasChangedRows).toBe(false);
    expect(renderer.takeChangedRows()).toEqual([]);
    expect(writeRows(renderer, Buffer.from('\n')).map(({ id, isComplete }) => ({ id, isComplete }))).toEqual([
      { id: 1, isComplete: true },
    ]);
    expect(renderer.hasChangedRows).toBe(false);
    expect(renderer.end()).toEqual([]);
  });

  it('a row above is rewritten under its id', () => {
    const renderer = new ConsoleRenderer();
    writeRows(renderer, Buffer.from('A 0%\nB 0%'));
    renderer.takeChangedRows();
    expect(writeRows(renderer, Buffer.from('\x1b[A\rA 9%\n'))).toEqual([]);
    expect(renderer.takeChangedRows().map(({ id, text }) => [id, text])).toEqual([[0, 'A 9%']]);
    writeRows(renderer, Buffer.from('\x1b[A\rA 9%\n'));
    expect(renderer.takeChangedRows()).toEqual([]);
    writeRows(renderer, Buffer.from('\x1b[A\rA 10%\n'));
    expect(renderer.end().map(({ id, text, isComplete }) => [id, text, isComplete])).toEqual([
      [0, 'A 10%', true],
      [1, 'B 0%', true],
    ]);
  });

  it('a changed row is returned when it leaves the window, and is final then', () => {
    const renderer = new ConsoleRenderer();
    writeRows(renderer, Buffer.from('first\nsecond\n'));
    writeRows(renderer, Buffer.from('\x1b[2A\rFIRST\n\n'));
    const rows = writeRows(renderer, Buffer.from(numbered(0, 299).join('\n')));
    expect(rows[0]).toMatchObject({ id: 0, text: 'FIRST' });
    expect(rows.filter((row) => row.id === 1)).toEqual([]);
    expect(renderer.firstRewritableId).toBe(102);
  });

  it('an erased live row comes again, empty', () => {
    const renderer = new ConsoleRenderer();
    writeRows(renderer, Buffer.from('50%'));
    renderer.takeChangedRows();
    writeRows(renderer, Buffer.from('\r   \r'));
    expect(renderer.end()).toMatchObject([{ id: 0, text: '' }]);
  });

  it.each([
    ['{"a":1}\n', false],
    ['{"a":1} \n', true],
    ['{"a":1}\t\r\n', true],
    ['\r        \r{"a":1}\n', false],
    ['{"a":1}    \r{"a":1}\n', false],
  ])('%j: spaces printed behind the text', (output, expected) => {
    expect(render(output)[0]).toMatchObject({ text: '{"a":1}', hasTrailingSpace: expected });
    expect(render(...output.split(/(?=[^])/))[0]).toMatchObject({ text: '{"a":1}', hasTrailingSpace: expected });
  });
});

describe('a row that is judged again', () => {
  it.each([
    ['erased', ['a\nb\n', '\x1b[A\x1b[2K'], ['"c".\n', '\x1b[A\x1b[2K'], ['a', '']],
    ['erased at once', ['a\nb\n', '\x1b[A\x1b[2K'], ['"c".\n\x1b[A\x1b[2K'], ['a', '']],
    ['drawn as before', ['a\nb (1)\n'], ['\x1b[A\r\x1b[Kc\n', '\x1b[A\rb (1)\x1b[K'], ['a', 'b (1)']],
    ['moved, and taken off', ['a\nb\n\x1b[2A\x1b[J'], ['- 1\na\nb\n', '\x1b[2A\x1b[J'], ['- 1', '', '']],
  ])('comes again as it is shown at the end: %s', (_what, before, after, shown) => {
    const renderer = new ConsoleRenderer();
    const handed = new Map<number, string>();
    const note = (rows: readonly RenderedRow[]): void => rows.forEach(({ id, text }) => handed.set(id, text));
    const sink: RowSink = {
      update: (rows, _first, printed) => note(printed?.map(({ row }) => row) ?? rows),
      addLines: () => undefined,
    };
    for (const chunk of before) renderer.write(Buffer.from(chunk), sink);
    note(renderer.takeChangedRows());
    for (const chunk of after) renderer.write(Buffer.from(chunk), sink);
    note(renderer.takeChangedRows());
    expect([...handed].sort(([a], [b]) => a - b).map(([, text]) => text)).toEqual(shown);
  });
});

describe('many plain lines', () => {
  const write = (renderer: ConsoleRenderer, text: string): { collector: RowCollector; calls: string[] } => {
    const collector = new RowCollector();
    const calls: string[] = [];
    renderer.write(Buffer.from(text), {
      update: (rows, first) => {
        calls.push(`rows ${rows[0]?.id} to ${rows.at(-1)?.id}, ${first}`);
        collector.update(rows, first);
      },
      addLines: (lines) => {
        calls.push(`lines ${lines.firstId} + ${lines.count}, ${lines.firstRewritableId}`);
        collector.addLines(lines);
      },
    });
    return { collector, calls };
  };

  it('come together between the rows before and after them', () => {
    const { collector, calls } = write(new ConsoleRenderer(), `${numbered(0, 999).join('\n')}\nlast`);
    expect(calls).toEqual(['rows 0 to 0, 1', 'lines 1 + 999, 801', 'rows undefined to undefined, 801']);
    expect(texts(collector.rows)).toEqual(numbered(0, 999));
  });

  it('are as many as the screen has rows at least', () => {
    expect(write(new ConsoleRenderer(), '\n'.repeat(200)).calls).toEqual(['rows 0 to 199, 1']);
    expect(write(new ConsoleRenderer(), '\n'.repeat(201)).calls[1]).toBe('lines 1 + 200, 2');
  });

  it.each([
    ['a row is changed', '\x1b[3Achanged', 497, 'changed'],
    ['a row with trailing spaces is continued', '\x1b[2A\x1b[9Cmore', 498, 'spaces   more'],
    ['the first row that the cursor reaches is erased', '\x1b[199A\x1b[2K', 301, ''],
  ])('stay in the reach of the cursor: %s', (_, after, id, expected) => {
    const lines = numbered(0, 499).map((line) => (line === '498' ? 'spaces  ' : line));
    const text = `${lines.join('\n')}\n`;
    for (const chunks of [[text, after], [text + after], [text, 'next\r\x1b[K', after]]) {
      const rows = render(...chunks);
      expect(rows.filter((row) => row.text !== (lines[row.id] ?? '').trimEnd())).toMatchObject([
        { id, text: expected },
      ]);
    }
  });

  it.each([
    ['a changed row leaves first', 'a\n\x1b[AX\n', ['X', ...numbered(0, 499)]],
    ['a row was begun', 'begun ', ['begun 0', ...numbered(1, 499)]],
    ['trailing spaces', '  \n', ['', ...numbered(0, 499)]],
    ['characters beyond ASCII', 'ü 世\n', ['ü 世', ...numbered(0, 499)]],
    ['the cursor stands below the rows', '\x1b[5B', ['', '', '', '', '', ...numbered(0, 499)]],
    ['the cursor stands above the last row', 'a\nb\x1b[A\r', ['0', '1', ...numbered(2, 499)]],
    ['a scroll region', '\x1b[1;3r\x1b[1;1H', numbered(0, 499)],
  ])('%s', (_, before, expected) => {
    const lines = `${numbered(0, 499).join('\n')}\n`;
    const rows = render(before, lines);
    expect(texts(rows)).toEqual(expected);
    expect(rows).toEqual(render(before, ...(lines.match(/[^]{1,50}/g) ?? [])));
  });
});

describe('bounds', () => {
  it('passes an endless line on in parts', () => {
    const line = 'x'.repeat(700_000) + '世'.repeat(700_000);
    const rows = render(...(line.match(/[^]{1,60000}/g) ?? []), '\nend\n');
    expect(rows.map((row) => row.continues)).toEqual([true, false, false]);
    expect(
      rows
        .slice(0, 2)
        .map((row) => row.text)
        .join('')
    ).toBe(line);
    expect(rows[2]?.text).toBe('end');
    expect(render(`${line}\nend\n`)).toEqual(rows);
  });

  it('returns a very long row at its end, not as it grows', () => {
    const renderer = new ConsoleRenderer();
    writeRows(renderer, Buffer.from('x'.repeat(16_384)));
    expect(renderer.takeChangedRows()).toHaveLength(1);
    writeRows(renderer, Buffer.from('x'));
    expect(renderer.hasChangedRows).toBe(false);
    expect(renderer.takeChangedRows()).toEqual([]);
    expect(writeRows(renderer, Buffer.from('\n'))).toMatchObject([
      { id: 0, isComplete: true, text: 'x'.repeat(16_385) },
    ]);
  });

  it('leaves a very long row alone when the cursor goes back into it', () => {
    const long = 'x'.repeat(200_000);
    expect(texts(render(long, '\r50%\r51%\n'))).toEqual([long, '51%']);
    expect(texts(render(long, '\tx\ty\n'))).toEqual([`${long}        x       y`]);
    expect(texts(render(long, '\r\nnext\n'))).toEqual([long, 'next']);
    expect(texts(render(`${long}世`, '\b\bab'.repeat(20_000), '\n'))).toEqual([`${long}世`, 'ab']);
  });

  it('keeps little of rows that are long', () => {
    const renderer = new ConsoleRenderer();
    const line = Buffer.from(`${'x'.repeat(900_000)}\n`);
    for (let i = 0; i < 50; i++) writeRows(renderer, line);
    expect(renderer.firstRewritableId).toBeGreaterThan(40);
  });

  it.each([
    ['CSI', '\x1b[', '1;'],
    ['OSC', '\x1b]', 'x'],
    ['DCS', '\x1bP', 'x\n'],
    ['APC', '\x1b_', 'x'],
    ['ESC', '\x1b', '\x1b('],
    ['cursor jumps', '', '\x1b[99999;99999Hx'],
    ['inserted columns', 'abc\r', '\x1b[1000@'],
    ['inserted lines', 'abc\r', '\x1b[1000L'],
    ['colours', '', '\x1b[38;2;1;2;3mx\x1b[38;2;3;2;1m '],
    ['zero-width characters', 'a', '\u0301'],
    ['wide characters and tabs', '', '世\t'],
    ['string of unknown sequences', '', '\x1b[?1;2;3;4$z\x1b%G'],
  ])('an endless %s is harmless and the log comes back', (_, start, repeated) => {
    const rows = render(start, repeated.repeat(150_000), '\x18\r\n\x1b[0m\x1b[r\x1b[999;1Hhere again\n');
    expect(texts(rows).pop()).toBe('here again');
  });

  it('takes any bytes', () => {
    let seed = 1;
    const bytes = Buffer.alloc(300_000);
    for (let i = 0; i < bytes.length; i++) {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      bytes[i] = seed >> 16;
    }
    const whole = texts(render(bytes));
    expect(texts(render(bytes.subarray(0, 99_999), bytes.subarray(99_999)))).toEqual(whole);
  });
});

describe('many whole lines at once', () => {
  it.each([
    ['plain', 'text "%d" of a line'],
    ['coloured', '\x1b[32mINFO\x1b[0m text "%d" of a \x1b[1;34mline\x1b[0m'],
    ['coloured, ended by spaces', '\x1b[32mINFO\x1b[0m %d '],
    ['with tabs', 'a\tb %d'],
  ])('are handed over together when they are %s', (_, form) => {
    const lines = Array.from({ length: 5000 }, (_, i) => `${form.replace('%d', String(i))}\n`).join('');
    const collector = new RowCollector();
    const renderer = new ConsoleRenderer();
    // The first and the last line are cut, as by the buffer of a pipe.
    for (const part of [lines.slice(0, 7), lines.slice(7, -7), lines.slice(-7)]) {
      renderer.write(Buffer.from(part), collector);
    }
    expect(collector.plainLines).toBeGreaterThan(4500);
  });
});
