import { createTableStats } from '../axis/table-stats.js';
import { ByteOutput } from '../point/byte-output.js';
import type { MetadataReader } from './metadata-reader.js';
import { createMetadataReader } from './metadata-reader.js';
import type { MetadataRun, MetadataRunOptions } from './metadata-run.js';

const SOURCE = { job: '1', user: 'ann' };

/** A reader that has seen each line twice. */
function createReader(...lines: string[]): MetadataReader {
  const reader = createMetadataReader(SOURCE);
  for (const line of [...lines, ...lines]) {
    reader.read(line, { nonfinite: 'log' });
  }
  return reader;
}

function writeRun(
  reader: MetadataReader,
  lines: readonly string[],
  options: Partial<MetadataRunOptions> = {}
): { run: MetadataRun | undefined; points: string } {
  const text = lines.map((line) => `${line}\n`).join('');
  const output = new ByteOutput();
  const all = {
    start: 0,
    firstTimeNs: 5000n,
    withLog: false,
    findTable: () => ({ stats: undefined, maxRows: Infinity }),
    ...options,
  };
  const run = reader.writeRun({ text, codes: Buffer.from(text) }, all, output);
  return { run, points: Buffer.from(output.bytes.subarray(0, output.length)).toString() };
}

describe('read', () => {
  it('gives what a line is stored as', () => {
    const line = createMetadataReader(SOURCE).read('{"b": 1.50, "time": "x"}', { nonfinite: 'log' });
    const stats = createTableStats();
    line?.foldInto(stats);
    line?.foldInto(stats);
    expect([line?.series, line?.keys, line?.formatPoints('5'), [...(line?.toRow() ?? [])]]).toEqual([
      'b,time',
      ['b', 'time'],
      {
        text: 'job_metadata,job=1,series=b\\,time,user=ann b=1.5 5\njob_metadata_text,job=1,series=b\\,time,user=ann time_="x" 5\n',
        points: 2,
      },
      [
        ['b', 1.5],
        ['time', 'x'],
      ],
    ]);
    expect([stats.rows, stats.columns.get('b')?.count, stats.columns.get('time')?.last]).toEqual([2, 2, 'x']);
  });

  it.each(['a', '{}', '{"a": NaN}'])('takes %j for a log line', (line) => {
    expect(createMetadataReader(SOURCE).read(line, { nonfinite: 'log' })).toBeUndefined();
  });

  it('folds into each table that it is given', () => {
    const reader = createMetadataReader(SOURCE);
    const [first, second] = [createTableStats(), createTableStats()];
    for (const stats of [first, second, first]) reader.read('{"a": 1}', { nonfinite: 'log' })?.foldInto(stats);
    expect([first.columns.get('a')?.count, second.columns.get('a')?.count]).toEqual([2, 1]);
  });
});

describe('onPrinted', () => {
  it('tells once of a table that comes again, and what stands between its values', () => {
    const told: unknown[] = [];
    const reader = createMetadataReader(SOURCE, ({ layout, template: { literals, escaped } }) =>
      told.push([layout.series, [...literals, ...escaped].map((bytes) => Buffer.from(bytes).toString())])
    );
    reader.read('{"a": 1}', { nonfinite: 'log' });
    expect(told).toEqual([]);
    for (const line of ['{"a":"x"}', '{"a": 2}']) reader.read(line, { nonfinite: 'log' });
    expect(told).toEqual([['a', ['{"a":', '}\n', '{\\"a\\":', '}']]]);
  });
});

describe('writeRun', () => {
  it('writes the lines of one table, up to the first that is another', () => {
    const reader = createReader('{"a": 1}');
    const stats = createTableStats();
    const { run, points } = writeRun(reader, ['x', '{"a": 1}', '{"a": 2.50}', '{"a":3}', '{"a": 4}'], {
      start: 2,
      withLog: true,
      findTable: (series) => ({ stats: series === 'a' ? stats : undefined, maxRows: 10 }),
    });
    expect(run).toEqual({ series: 'a', lines: 2, points: 4, end: 2 + 9 + 12 });
    expect(points).toBe(
      [
        'job_log,job=1,stream=stdout,user=ann line="{\\"a\\": 1}",kind="output" 5000',
        'job_metadata,job=1,series=a,user=ann a=1 5000',
        'job_log,job=1,stream=stdout,user=ann line="{\\"a\\": 2.50}",kind="output" 6000',
        'job_metadata,job=1,series=a,user=ann a=2.5 6000',
        '',
      ].join('\n')
    );
    expect([stats.rows, stats.columns.get('a')?.max]).toEqual([2, 2.5]);
  });

  it('takes no more rows than there may be', () => {
    const { run } = writeRun(createReader('{"a": 1}'), Array<string>(5).fill('{"a": 1}'), {
      findTable: () => ({ stats: undefined, maxRows: 3 }),
    });
    expect(run).toMatchObject({ lines: 3, points: 3 });
  });

  it('grows its output', () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `{"a": ${i}}`);
    const { run, points } = writeRun(createReader('{"a": 1}'), lines);
    expect(run).toMatchObject({ lines: 20_000 });
    expect(points.split('\n')[19_999]).toBe('job_metadata,job=1,series=a,user=ann a=19999 20004000');
  });

  it.each<[string, string, string]>([
    ['a table that was not seen twice', '{"a": 1}', '{"b": 1}'],
    ['another space', '{"a": 1}', '{"a":  1}'],
    ['an integer that no double holds', '{"a": 1}', '{"a": 9007199254740993}'],
    ['a number that no double holds', '{"a": 1}', '{"a": 1e400}'],
    ['a bare NaN', '{"a": 1}', '{"a": NaN}'],
    ['an escape', '{"a": "x"}', '{"a": "\\n"}'],
    ['a control character', '{"a": "x"}', '{"a": "\t"}'],
    ['a string without an end', '{"a": "x"}', '{"a": "x'],
    ['other than ASCII', '{"a": "x"}', '{"a": "é"}'],
    ['an array', '{"a": 1}', '{"a": [1]}'],
    ['half a line', '{"a": 1, "b": 2}', '{"a": 1'],
    ['a longer line', '{"a": 1}', '{"a": 1} '],
    ['a very long line', '{"a": "x"}', `{"a": "${'x'.repeat(20_000)}"}`],
    ['lines with a key twice', '{"a": 1, "a": 2}', '{"a": 1, "a": 2}'],
    ['lines with an array', '{"a": [1]}', '{"a": [1]}'],
    ['lines with an empty object', '{"a": {}, "b": 1}', '{"a": {}, "b": 1}'],
    ['lines with an empty object and a key twice', '{"a": {}, "b": 1, "b": 2}', '{"a": {}, "b": 1, "b": 2}'],
    ['lines with dots in nested keys', '{"a": {"b.c": 1}}', '{"a": {"b.c": 1}}'],
    ['lines where names meet', '{"a": {"b": 1}, "a.b": 2}', '{"a": {"b": 1}, "a.b": 2}'],
  ])('leaves %s to read', (_what, known, line) => {
    expect(writeRun(createReader(known), [line]).run).toBeUndefined();
  });

  it.each<[string, string, string]>([
    ['{"a": {"b": 1, "c": "x"}, "d": null}', '{"a": {"b": -2e3, "c": ""}, "d": true}', 'a.b=-2000'],
    ['{"a": 1}', '{"a": 0.12345678901234567}', 'a=0.12345678901234567'],
    ['{"a": 1}', '{"a": "text"}', 'a="text"'],
    ['{"_\\u00e9": 1}', '{"_\\u00e9": 2}', 'x_é=2'],
  ])('knows from %s how to read %s', (known, line, field) => {
    const { run, points } = writeRun(createReader(known), [line]);
    expect(run).toMatchObject({ lines: 1 });
    expect(points).toContain(` ${field}`);
  });

  it('keeps in mind the tables that came last', () => {
    const tables = Array.from({ length: 100 }, (_, i) => `{"key ${i}": 1}`);
    const reader = createMetadataReader(SOURCE);
    for (const line of tables) {
      reader.read(line, { nonfinite: 'log' });
      reader.read(line, { nonfinite: 'log' });
    }
    const isKnown = tables.map((line) => writeRun(reader, [line]).run !== undefined);
    expect([isKnown.lastIndexOf(false), isKnown.filter((known) => known).length]).toEqual([83, 16]);
  });
});
