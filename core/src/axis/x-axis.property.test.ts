import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import type { MetadataRow } from '../table/metadata-row.js';
import { createTableStats, foldRow, formatTableStats, parseTableStats, type TableStats } from '../table/table-stats.js';
import { inferXAxis } from './x-axis.js';

const value = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom(0.5, -0, 1e300, 2.5),
  fc.constantFrom('null', 'a', 'NaN')
);
const NAMES = [
  'progress',
  'epoch',
  'step',
  'Epoch',
  'a',
  'A',
  '\u00e4',
  'B',
  '\uff21',
  '\u{1f600}',
  '__proto__',
  '10',
  '(b.c)',
  '',
];
const key = fc.constantFrom(...NAMES);

/** Rows of one table. Each has every key. There are few kinds of columns, so that every rung comes up. */
const table: fc.Arbitrary<MetadataRow[]> = fc
  .tuple(fc.uniqueArray(key, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 6 }))
  .chain(([keys, rows]) =>
    fc
      .tuple(...keys.map(() => column(rows)))
      .map((columns) =>
        Array.from({ length: rows }, (_, row) => new Map(keys.map((name, i) => [name, columns[i]?.[row] ?? 0])))
      )
  );

/** Values without an order, or numbers in one, some of which may not be there. */
function column(rows: number): fc.Arbitrary<Array<number | string>> {
  const size = { minLength: rows, maxLength: rows };
  const integers = fc.array(fc.integer({ min: 0, max: 3 }), size);
  const numbers = fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom(0.5, 1.5)), size);
  const ordered = fc.oneof(
    ...[integers, numbers].flatMap((items) => [
      items.map((all) => all.sort((a, b) => a - b)),
      items.map((all) => all.sort((a, b) => b - a)),
    ])
  );
  const holes = fc.array(fc.boolean(), size);
  const holed = fc
    .tuple(ordered, holes)
    .map(([items, are]) => items.map((item, i) => (are[i] === true ? 'null' : item)));
  return fc.oneof(fc.array(value, size), numbers, integers, ordered, holed);
}

function foldAll(rows: readonly MetadataRow[]): TableStats {
  const stats = createTableStats();
  for (const row of rows) {
    foldRow(stats, row, listNulls(row));
  }
  return stats;
}

/** Nulls are the only JSON here. */
function listNulls(row: MetadataRow): ReadonlySet<string> {
  return new Set([...row].filter(([, item]) => item === 'null').map(([name]) => name));
}

function columnOf(rows: readonly MetadataRow[], name: string): Array<number | string> {
  return rows.flatMap((row) => row.get(name) ?? []);
}

/** The first row with this value, counted from 1. */
function findRow(rows: readonly MetadataRow[], name: string, item: number | undefined): number | undefined {
  return item === undefined ? undefined : rows.findIndex((row) => row.get(name) === item) + 1;
}

function isNumber(item: number | string): item is number {
  return typeof item === 'number';
}

describe('foldRow', () => {
  it('gives what a look at all rows gives', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name }), { maxLength: 8 }),
        (entries) => {
          const rows = entries.map((row) => new Map(row));
          const stats = foldAll(rows);
          expect(stats.rows).toBe(rows.length);
          expect([...stats.columns.keys()]).toEqual([...new Set(rows.flatMap((row) => [...row.keys()]))]);
          for (const [name, found] of stats.columns) {
            const items = columnOf(rows, name);
            const numbers = items.filter(isNumber).map((item) => item + 0);
            const min = numbers.length > 0 ? Math.min(...numbers) : undefined;
            const max = numbers.length > 0 ? Math.max(...numbers) : undefined;
            expect(found).toEqual({
              count: items.length,
              numeric: numbers.length,
              integer: numbers.filter((item) => item % 1 === 0).length,
              json: items.filter((item) => item === 'null').length,
              inexact: 0,
              nulls: items.filter((item) => item === 'null').length,
              falling: numbers.every((item, i) => i === 0 || item <= (numbers[i - 1] ?? 0)),
              rising: numbers.every((item, i) => i === 0 || item >= (numbers[i - 1] ?? 0)),
              distinct: Math.min(2, new Set(numbers).size),
              ...{ min, max },
              sum: numbers.reduce((sum, item) => sum + item, 0),
              minRow: findRow(rows, name, min),
              maxRow: findRow(rows, name, max),
              last: typeof items.at(-1) === 'number' ? numbers.at(-1) : items.at(-1),
            });
          }
        }
      ),
      { numRuns: randomCases(1000) }
    );
  });

  it('keeps a long text short', () => {
    const stats = foldAll([new Map([['a', '\u{1f600}'.repeat(1000)]])]);
    expect(stats.columns.get('a')?.last).toBe(`${'\u{1f600}'.repeat(49)}…`);
  });
});

describe('the statistics as JSON', () => {
  it('come back as they were, in the same words', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const text = formatTableStats(foldAll(rows));
        const back = parseTableStats(text);
        expect(back).toEqual(foldAll(rows));
        expect([...(back?.columns.keys() ?? [])]).toEqual([...foldAll(rows).columns.keys()]);
        expect(back && formatTableStats(back)).toBe(text);
      })
    );
  });

  it('go on folding after they came back, from any number and any text', () => {
    const anyValue = fc.oneof(
      value,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\ud800', '\udfff'.repeat(200), 'x'.repeat(200))
    );
    const anyKey = fc.oneof(key, fc.string({ unit: 'binary' }), fc.constant('\ud800'));
    const rows = fc.array(fc.array(fc.tuple(anyKey, anyValue), { maxLength: 4 }).map((entries) => new Map(entries)));
    fc.assert(
      fc.property(rows, rows, (first, second) => {
        const stats = parseTableStats(formatTableStats(foldAll(first)));
        expect(stats).toEqual(foldAll(first));
        for (const row of second) {
          foldRow(stats ?? createTableStats(), row, listNulls(row));
        }
        const expected = foldAll([...first, ...second]);
        expect(stats).toEqual(expected);
        expect([...(stats?.columns ?? [])]).toEqual([...expected.columns]);
      }),
      { numRuns: randomCases(300) }
    );
  });

  it.each([
    '',
    'null',
    '{}',
    '{"rows":1}',
    '{"rows":-1,"columns":[]}',
    '{"rows":1,"columns":{}}',
    '{"rows":1,"columns":[1]}',
    '{"rows":1,"columns":[["a",{}]]}',
  ])('are not read from %j', (text) => {
    expect(parseTableStats(text)).toBeUndefined();
  });
});

/** The ladder of the design, read off the values that are there; of its last rung, each kind of column. */
const LADDER: ReadonlyArray<readonly [rung: number, isOn: (name: string, items: readonly Cell[]) => boolean]> = [
  [1, (name, items) => name === 'progress' && items.some(isNumber)],
  [2, (name, items) => name === 'epoch' && items.some(isNumber)],
  [3, (_name, items) => items.every(Number.isInteger) && isMonotone(items, (a, b) => a <= b)],
  [4, (_name, items) => items.every(isNumber) && isMonotone(items, (a, b) => a <= b)],
  [5, (_name, items) => items.every(Number.isInteger) && isMonotone(items, (a, b) => a >= b)],
  [6, (_name, items) => items.every(isNumber) && isMonotone(items, (a, b) => a >= b)],
  [7, (_name, items) => items.every(Number.isInteger)],
  [7, (_name, items) => items.every(isNumber)],
  [7, () => true],
];

type Cell = number | string;

function isMonotone(items: readonly Cell[], isOrdered: (a: Cell, b: Cell) => boolean): boolean {
  return new Set(items).size >= 2 && items.every((item, i) => i === 0 || isOrdered(items[i - 1] ?? 0, item));
}

/** Names in the order in which people sort these. */
const SORTED = ['(b.c)', '10', '__proto__', 'A', 'a', '\u00e4', 'B', 'Epoch', 'epoch', 'progress', 'step'];
const LAST = ['\uff21', '\u{1f600}'];

/** What the ladder says of these rows: the columns that may be X, best first. */
function rankColumns(rows: readonly MetadataRow[]): Array<{ name: string; rung: number }> {
  const ranked = [...SORTED, ...LAST].flatMap((name, order) => {
    const items = columnOf(rows, name).filter((item) => item !== 'null');
    if (!items.some(isNumber)) return [];
    const place = LADDER.findIndex(([, isOn]) => isOn(name, items));
    const rung = LADDER[place]?.[0] ?? 0;
    const isFlat = rung === 7 && new Set(items.filter(isNumber)).size === 1;
    return [{ name, rung, rank: [rung, Number(isFlat), place, Number(items.length < rows.length), order] }];
  });
  return ranked
    .sort((a, b) => a.rank.map((item, i) => item - (b.rank[i] ?? 0)).find((difference) => difference !== 0) ?? 0)
    .map(({ name, rung }) => ({ name, rung }));
}

describe('inferXAxis', () => {
  it('chooses what the ladder says, with the runners-up in its order', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const ranked = rankColumns(rows);
        const numeric = [...(rows[0]?.keys() ?? [])].filter((name) => columnOf(rows, name).some(isNumber));
        const choice = inferXAxis(foldAll(rows));
        // A column alone has nothing to be drawn against it.
        const expected = numeric.length < 2 ? [] : ranked;
        expect(choice && { name: choice.key, rung: choice.rung }).toEqual(expected[0]);
        expect(choice?.runnersUp ?? []).toEqual(expected.slice(1).map(({ name }) => name));
      }),
      { numRuns: randomCases(3000) }
    );
  });

  it.each<[number, string, Record<string, Array<number | string>>, string]>([
    [
      1,
      'progress',
      { epoch: [1, 2], progress: [0.5, 0.1], step: [1, 2] },
      'a column named progress that holds numbers',
    ],
    [2, 'epoch', { progress: ['a', 'b'], epoch: ['null', 3], step: [1, 2] }, 'a column named epoch that holds numbers'],
    [3, 'step', { Progress: [0.1, 0.2], step: [1, 2], total: [1, 2] }, 'every value is an integer that never falls'],
    [4, 'lr', { step: [1, 1], lr: [0.1, 0.2] }, 'every value is a number that never falls'],
    [5, 'left', { loss: [0.2, 0.1], left: [2, 1] }, 'every value is an integer that never rises'],
    [6, 'loss', { loss: [0.2, 0.1], lr: [0.5, 0.5] }, 'every value is a number that never rises'],
    [7, 'seed', { seed: [2, 1, 2], loss: [0.2, 0.1, 0.3] }, 'every value is an integer'],
    [7, 'loss', { loss: [0.2, 0.1, 0.3], seed: [2, 'a', 1] }, 'every value is a number'],
    [7, 'loss', { loss: [0.2, 'a', 0.1], lr: ['b', 2, 'c'] }, 'some values are numbers'],
    // What is not there says nothing, and of two on one rung that without holes comes first.
    [3, 'step', { 'a (b)': [1, 'null', 2], step: [1, 2, 3] }, 'every value is an integer that never falls'],
    [3, 'step', { loss: [0.1, 0.2, 0.3], step: [1, 'null', 2] }, 'every value is an integer that never falls'],
    [5, 'left', { loss: [0.3, 0.2, 0.1], left: [2, 'null', 1] }, 'every value is an integer that never rises'],
    // A column of one value would draw a vertical line: any other of the last rung comes before it.
    [7, 'loss', { fps: [0, 0, 0], loss: [0.2, 0.1, 0.3] }, 'every value is a number'],
    [7, 'loss', { fps: [0, 0, 0], loss: [0.2, 'a', 0.1] }, 'some values are numbers'],
    [7, 'b', { a: [0.5, 0.5], b: [0, 0], c: [0, 0] }, 'every value is an integer'],
    [2, 'epoch', { epoch: [1, 1], step: [1, 2] }, 'a column named epoch that holds numbers'],
  ])('stands on rung %i with %s', (rung, name, columns, reason) => {
    const rows = (Object.values(columns)[0] ?? []).map(
      (_, i) => new Map(Object.entries(columns).map(([key, items]) => [key, items[i] ?? 0]))
    );
    expect(inferXAxis(foldAll(rows))).toMatchObject({ rung, key: name, reason });
  });

  it.each<[string, Readonly<Record<string, readonly number[]>>, readonly string[], string | undefined]>([
    ['before what never falls', { loss: [1, 2], step: [2, 1] }, ['step'], 'step'],
    ['behind epoch', { epoch: [1, 2], step: [1, 2] }, ['step'], 'epoch'],
    ['the first that moves', { a: [1, 1], b: [1, 2], loss: [1, 2] }, ['a', 'b'], 'b'],
    ['no measure, if it stands still', { step: [1, 1], bpb: [1, 2], loss: [2, 3] }, ['step'], undefined],
    ['of one row', { bpb: [1], step: [2] }, ['step'], 'step'],
  ])('takes the counter that is named: %s', (_case, columns, counters, key) => {
    const rows = Array.from(
      { length: Object.values(columns)[0]?.length ?? 0 },
      (_, i) => new Map(Object.entries(columns).map(([name, values]) => [name, values[i] ?? 0]))
    );
    const stats = parseTableStats(formatTableStats({ ...foldAll(rows), counters }));
    expect(stats && inferXAxis(stats)?.key).toBe(key);
  });

  it('chooses nothing where no column holds a number', () => {
    expect(inferXAxis(createTableStats())).toBeUndefined();
    expect(inferXAxis(foldAll([new Map([['a', 'b']])]))).toBeUndefined();
  });

  it.each(['epoch', 'progress', 'loss'])('chooses nothing where %s is the only column with numbers', (name) => {
    const rows = [1, 2].map(
      (value) => new Map<string, number | string>([...Object.entries({ a: 'b', [name]: value })])
    );
    expect(inferXAxis(foldAll(rows))).toBeUndefined();
  });

  it.each([
    [['Zeta', 'alpha'], 'alpha'],
    [['b', '\u00c4', 'C'], '\u00c4'],
    [['a', 'A'], 'A'],
    [['\u00e9a', 'eb', 'Ea'], 'Ea'],
    [['\u{1f600}', '\uff21'], '\uff21'],
    [['', 'z'], 'z'],
  ])('takes of %j the first in alphabetical order, and never a key without a name: %s', (names, first) => {
    const stats = foldAll([1, 2].map((step) => new Map(names.map((name) => [name, step]))));
    expect(inferXAxis(stats)?.key).toBe(first);
  });

  it('takes no key without a name where it is the only one beside texts', () => {
    const rows = [1, 2].map((step) => new Map<string, number | string>([...Object.entries({ '': step, a: 'b' })]));
    expect(inferXAxis(foldAll(rows))).toBeUndefined();
  });

  it('knows statistics that an older Joblens wrote', () => {
    const column = '"count":2,"numeric":2,"integer":2,"rising":false,"distinct":2,"min":1,"max":2,"last":1';
    const flat = '"count":2,"numeric":2,"integer":2,"rising":true,"distinct":1,"min":1,"max":1,"last":1';
    const stats = parseTableStats(`{"rows":2,"columns":[["a",{${column}}],["b",{${flat}}]]}`);
    expect(stats && inferXAxis(stats)).toMatchObject({ key: 'a', rung: 7, runnersUp: ['b'] });
    expect([...(stats?.columns.values() ?? [])].map(({ falling, nulls }) => [falling, nulls])).toEqual([
      [false, 0],
      [true, 0],
    ]);
  });
});
