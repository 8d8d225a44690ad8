import { type Column, createTimeColumn } from './column.js';
import type { Output } from './output.js';
import { createRowPrinter, type RowFormat } from './print-rows.js';
import { createTableLayout } from './table-layout.js';

interface Job {
  readonly job: string;
  readonly name?: string;
  readonly nodes?: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly timeNs?: bigint;
}

const COLUMNS: readonly Column<Job>[] = [
  { name: 'job', value: ({ job }) => job },
  { name: 'full_name', value: ({ name }) => name, shrinks: true },
  {
    name: 'nodes',
    value: ({ nodes }) => nodes,
    align: 'right',
    color: ({ nodes = 0 }) => (nodes > 5 ? 'red' : undefined),
  },
  createTimeColumn('started', ({ timeNs }) => timeNs),
  { name: 'tags', value: ({ tags }) => tags, isDetail: true },
];
const JOBS: readonly Job[] = [
  { job: '1', name: '日本語', nodes: 12, timeNs: 1_700_000_000_123_456_789n },
  { job: '123_4', name: 'a\tb "c", d\n\x1b[31m', tags: { a: 'b' } },
];

async function print(
  format: RowFormat,
  batches: readonly (readonly Job[])[],
  size: Partial<Output> = {},
  isRaw = false
): Promise<string> {
  let text = '';
  const output: Output = {
    ...{ isTerminal: format === 'table', width: 80, height: 24, hasColors: false, charset: 'utf-8' },
    write: (written) => {
      text += written;
      return Promise.resolve(true);
    },
    ...size,
  };
  const printer = createRowPrinter(output, format, COLUMNS, isRaw);
  for (const rows of batches) expect(await printer.print(rows)).toBe(true);
  return text;
}

describe('rows', () => {
  // The tests run in UTC or elsewhere: the time on a terminal is local.
  const local = expect.stringMatching(/^2023-11-1[45] \d\d:\d\d:20$/) as unknown;

  it('are an aligned table on a terminal, wide characters counted', async () => {
    const [head, first, second] = (await print('table', [JOBS])).split('\n');
    expect(head).toBe('JOB    FULL NAME         NODES  STARTED');
    expect([first?.slice(0, 29), first?.slice(-19)]).toEqual(['1      日本語               12  ', local]);
    expect(second).toBe('123_4  a b "c", d \ufffd[31m');
  });

  it('keep their widths and their one head as more come', async () => {
    const text = await print('table', [JOBS.slice(0, 1), [{ job: '2', name: 'a long name' }], []]);
    expect(text.split('\n')).toEqual(['JOB  FULL NAME  NODES  STARTED', expect.any(String), '2    a long n…', '']);
    expect(await print('table', [[]])).toBe('');
  });

  it('fit a narrow terminal: texts give way before the rest', async () => {
    const [head, first, second] = (await print('table', [JOBS], { width: 41 })).split('\n');
    expect(head).toBe('JOB    FULL …  NODES  STARTED');
    expect(first?.slice(0, 20)).toBe('1      日本語     12  2');
    expect(second).toBe('123_4  a b "…');
    const narrow = await print('table', [JOBS], { width: 30 });
    for (const line of narrow.split('\n')) expect(line.length).toBeLessThanOrEqual(30);
  });

  it('leave out minor columns that are empty or do not fit', () => {
    const texts = (count: number): string => 'x'.repeat(count);
    const columns: readonly Column<number>[] = [
      { name: 'a', value: () => texts(10) },
      { name: 'b', value: () => texts(20), shrinks: true },
      { name: 'c', value: () => texts(10), isMinor: true },
      { name: 'd', value: () => undefined, isMinor: true },
    ];
    const layout = (width: number): string =>
      createTableLayout(columns, [1], { width, hasColors: false, charset: 'utf-8' }).formatHead();
    expect(layout(80).split(/ +/)).toEqual(['A', 'B', 'C\n']);
    expect(layout(30).split(/ +/)).toEqual(['A', 'B', 'C\n']);
    expect(layout(29).split(/ +/)).toEqual(['A', 'B\n']);
  });

  it('leave out minor columns by rank, and keep empty ones that may fill', () => {
    const column = (name: string, rank: number, mayFill = false): Column<number> => ({
      ...{ name, value: () => (mayFill ? undefined : 'x'.repeat(8)), isMinor: true, rank, mayFill },
    });
    const columns = [column('a', 2), column('b', 0), column('c', 1), column('d', 0, true)];
    const layout = (width: number): string =>
      createTableLayout(columns, [1], { width, hasColors: false, charset: 'utf-8' }).formatHead();
    expect([31, 30, 20, 10].map((width) => layout(width).trim().split(/ +/).join(''))).toEqual([
      ...['ABCD', 'BCD', 'BD', 'B'],
    ]);
  });

  it('have colours where the terminal has them', async () => {
    const text = await print('table', [[{ job: '1', nodes: 6 }]], { hasColors: true });
    expect(text).toContain('\x1b[1mNODES\x1b[0m');
    expect(text).toContain('    \x1b[31m6\x1b[0m');
  });

  it('are separated by tabs elsewhere, whole and without a head', async () => {
    expect(await print('tabs', [JOBS])).toBe(
      '1\t日本語\t12\t2023-11-14T22:13:20.123456789Z\n123_4\ta b "c", d \ufffd[31m\t\t\n'
    );
  });

  it('are JSON lines with all columns that have a value', async () => {
    const lines = (await print('json', [JOBS])).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { job: '1', full_name: '日本語', nodes: 12, started: '2023-11-14T22:13:20.123456789Z' },
      { job: '123_4', full_name: 'a\tb "c", d\n\x1b[31m', tags: { a: 'b' } },
    ]);
  });

  it('are CSV with one head, also without rows', async () => {
    expect(await print('csv', [[], JOBS])).toBe(
      'job,full_name,nodes,started,tags\n' +
        '1,日本語,12,2023-11-14T22:13:20.123456789Z,\n' +
        '123_4,"a\tb ""c"", d\n\ufffd[31m",,,"{""a"":""b""}"\n'
    );
  });

  it('are CSV as it is stored where the user asks for it', async () => {
    const hostile = [{ job: '=1+1', name: '\x1b[2J' }];
    expect(await print('csv', [hostile])).toContain("\n'=1+1,\ufffd[2J,,,\n");
    expect(await print('csv', [hostile], {}, true)).toContain('\n=1+1,\x1b[2J,,,\n');
  });

  it.each(['table', 'tabs', 'json', 'csv'] as const)(
    'cannot control a terminal behind a pipe as %s',
    async (format) => {
      const name = '\x1b[2J\x1b]0;title\x07 \x9b31m \u202e \u2066 \x7f \r';
      const text = await print(format, [[{ job: '-x(1).2', name }]]);
      expect(text.replaceAll(/[\t\n\r]/g, '')).not.toMatch(/[\p{Cc}\u202e\u2066]/u);
    }
  );

  it('have marks of ASCII in a locale of ASCII, and texts as they are stored', async () => {
    const ascii = { charset: 'ascii' } as const;
    const cut = await print('table', [[{ job: '-x(1).2', name: 'a long name' }]], { ...ascii, width: 34 });
    expect(cut.split('\n')[1]).toMatch(/^-x\(1\)\.2 {2}a \w*\.\.\.$/);
    const hostile = [{ job: 'é', name: 'ü\x1b[2J' }];
    expect(await print('tabs', [hostile], ascii)).toBe('é\tü?[2J\t\t\n');
    expect(await print('csv', [hostile], ascii)).toContain('\né,ü?[2J,,,\n');
  });

  it('end quietly when nobody reads any more', async () => {
    const output: Output = {
      isTerminal: false,
      width: 80,
      height: 24,
      hasColors: false,
      charset: 'utf-8',
      write: () => Promise.resolve(false),
    };
    expect(await createRowPrinter(output, 'tabs', COLUMNS).print(JOBS)).toBe(false);
  });
});

it('is a table of Markdown that shows each text as it is, once with its head', async () => {
  const job = { job: 'a|b_(c)', name: '*it* `is` <b> \\ __x__ a_b\n[d](e)', nodes: 3 };
  expect(await print('markdown', [[], [job], [{ job: '-' }]])).toBe(
    [
      '| job | full_name | nodes | started |',
      '| --- | --- | ---: | --- |',
      '| a\\|b\\_(c) | \\*it\\* \\`is\\` \\<b\\> \\\\ \\_\\_x\\_\\_ a_b \\[d\\](e) | 3 |  |',
      '| - |  |  |  |',
      '',
    ].join('\n')
  );
});
