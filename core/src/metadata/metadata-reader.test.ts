import { createTableStats } from '../table/table-stats.js';
import { createMetadataReader, type PrintedTable, type PrintedTableSet } from './metadata-reader.js';

const SOURCE = { job: '1', user: 'ann' };

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

describe('tables that are printed alike', () => {
  it('tells once of a table that comes again, and what stands between its values', () => {
    const printed = createSet();
    const reader = createMetadataReader(SOURCE, printed);
    reader.read('{"a": 1}', { nonfinite: 'log' });
    expect(printed.told).toEqual([]);
    for (const line of ['{"a":"x"}', '{"a": 2}']) reader.read(line, { nonfinite: 'log' });
    const [{ layout, template } = {}] = printed.told;
    const texts = [...(template?.literals ?? []), ...(template?.escaped ?? [])];
    expect(texts.map((bytes) => Buffer.from(bytes).toString())).toEqual(['{"a":', '}\n', '{\\"a\\":', '}']);
    expect([layout?.series, printed.told.length]).toEqual(['a', 1]);
  });

  it.each<[string, string]>([
    ['a key twice', '{"a": 1, "a": 2}'],
    ['an array', '{"a": [1]}'],
    ['an empty object', '{"a": {}, "b": 1}'],
    ['an empty object and a key twice', '{"a": {}, "b": 1, "b": 2}'],
    ['dots in nested keys', '{"a": {"b.c": 1}}'],
    ['names that meet', '{"a": {"b": 1}, "a.b": 2}'],
    ['half a surrogate pair', '{"\ud800": 1}'],
    ['more text than is kept', `{"${'a'.repeat(20_000)}": 1}`],
  ])('tells nothing of lines with %s', (_what, line) => {
    const printed = createSet();
    const reader = createMetadataReader(SOURCE, printed);
    for (let i = 0; i < 3; i += 1) reader.read(line, { nonfinite: 'log' });
    expect(printed.told).toEqual([]);
  });

  it('are a thousand at most, those that came last', () => {
    const printed = createSet();
    const reader = createMetadataReader(SOURCE, printed);
    const read = (line: string): unknown => reader.read(line, { nonfinite: 'log' });
    const tables = Array.from({ length: 1020 }, (_, i) => `{"key ${i}": 1}`);
    for (const line of [...tables, ...tables.slice(20), ...tables.slice(0, 20)]) read(line);
    expect(printed.told.map(({ layout }) => layout.series)).toEqual(
      Array.from({ length: 1000 }, (_, i) => `key ${i + 20}`)
    );
  });

  it('are told of again where they were forgotten', () => {
    const printed = createSet();
    const reader = createMetadataReader(SOURCE, printed);
    for (let i = 0; i < 4; i += 1) {
      if (i === 3) printed.clear();
      reader.read('{"a": 1}', { nonfinite: 'log' });
    }
    expect(printed.told).toHaveLength(2);
  });

  it('are told apart where a key holds any character', () => {
    const reader = createMetadataReader(SOURCE);
    const read = (line: string): unknown => reader.read(line, { nonfinite: 'log' })?.keys;
    const lines = ['{"a\\u0000b": 1}', '{"a": 1, "b": 2}', '{"a\\u0000b": 1}', '{"a": 1, "b": 2}'];
    expect(lines.map(read)).toEqual([['a\0b'], ['a', 'b'], ['a\0b'], ['a', 'b']]);
  });
});

/** What was told; each table counts as known then. */
function createSet(): PrintedTableSet & { readonly told: PrintedTable[]; readonly clear: () => void } {
  const told: PrintedTable[] = [];
  const known = new Set<unknown>();
  return {
    told,
    has: (layout) => known.has(layout),
    add(table) {
      told.push(table);
      known.add(table.layout);
    },
    clear: () => known.clear(),
  };
}
