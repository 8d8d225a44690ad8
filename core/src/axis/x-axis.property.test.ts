import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import type { MetadataRow } from '../table/metadata-row.js';
import type { TableStats } from '../table/table-stats.js';
import { createTableStats, foldRow, formatTableStats, parseTableStats } from '../table/table-stats.js';
import { inferXAxis } from './x-axis.js';

const value = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom(0.5, -0, 1e300, 2.5),
  fc.constantFrom('null', 'a', 'NaN')
);
const key = fc.constantFrom('progress', 'epoch', 'step', 'Epoch', 'a', '\uff21', '\u{1f600}', '__proto__', '10', '');

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

function column(rows: number): fc.Arbitrary<Array<number | string>> {
  const numbers = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom(0.5, 1.5));
  return fc.oneof(
    fc.array(value, { minLength: rows, maxLength: rows }),
    fc.array(numbers, { minLength: rows, maxLength: rows }).map((items) => items.sort((a, b) => a - b)),
    fc
      .array(fc.integer({ min: 0, max: 3 }), { minLength: rows, maxLength: rows })
      .map((items) => items.sort((a, b) => a - b)),
    fc.array(fc.integer({ min: 0, max: 3 }), { minLength: rows, maxLength: rows })
  );
}

function foldAll(rows: readonly MetadataRow[]): TableStats {
  const stats = createTableStats();
  for (const row of rows) {
    foldRow(stats, row);
  }
  return stats;
}

function columnOf(rows: readonly MetadataRow[], name: string): Array<number | string> {
  return rows.flatMap((row) => row.get(name) ?? []);
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
            expect(found).toEqual({
              count: items.length,
              numeric: numbers.length,
              integer: numbers.filter((item) => item % 1 === 0).length,
              json: 0,
              rising: numbers.every((item, i) => i === 0 || item >= (numbers[i - 1] ?? 0)),
              distinct: Math.min(2, new Set(numbers).size),
              min: numbers.length > 0 ? Math.min(...numbers) : undefined,
              max: numbers.length > 0 ? Math.max(...numbers) : undefined,
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
          foldRow(stats ?? createTableStats(), row);
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

/** The ladder of the design, read off the rows themselves. */
const LADDER: ReadonlyArray<(name: string, items: ReadonlyArray<number | string>) => boolean> = [
  (name, items) => name === 'progress' && items.some(isNumber),
  (name, items) => name === 'epoch' && items.some(isNumber),
  (_name, items) => items.every(Number.isInteger) && climbs(items),
  (_name, items) => items.every(isNumber) && climbs(items),
  (_name, items) => items.every(Number.isInteger),
  (_name, items) => items.every(isNumber),
  (_name, items) => items.some(isNumber),
];

function climbs(items: ReadonlyArray<number | string>): boolean {
  return (
    new Set(items.map((item) => Number(item))).size >= 2 &&
    items.every((item, i) => i === 0 || item >= (items[i - 1] ?? 0))
  );
}

describe('inferXAxis', () => {
  it('chooses what the ladder says, with the runners-up in its order', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const names = [...(rows[0]?.keys() ?? [])].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        const found = LADDER.flatMap((isOn, i) =>
          names.filter((name) => isOn(name, columnOf(rows, name))).map((name) => ({ name, rung: i + 1 }))
        ).filter(({ name }, i, all) => all.findIndex((other) => other.name === name) === i);
        const isFlat = ({ name, rung }: (typeof found)[number]): boolean =>
          rung >= 5 && new Set(columnOf(rows, name).filter(isNumber)).size === 1;
        const ranked = [...found.filter((item) => !isFlat(item)), ...found.filter(isFlat)];
        const choice = inferXAxis(foldAll(rows));
        // A column alone has nothing to be drawn against it.
        expect(choice && { name: choice.key, rung: choice.rung }).toEqual(ranked.length < 2 ? undefined : ranked[0]);
        expect(choice?.runnersUp ?? []).toEqual(ranked.slice(1).map(({ name }) => name));
      }),
      { numRuns: randomCases(2000) }
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
    [5, 'step', { step: [2, 1], loss: [0.2, 0.1] }, 'every value is an integer'],
    [6, 'loss', { loss: [0.2, 0.1], lr: [0.5, 0.1] }, 'every value is a number'],
    [7, 'loss', { loss: [0.2, 'null'], lr: ['null', 2] }, 'some values are numbers'],
    // A column of one value would draw a vertical line: any other comes before it, whatever its rung.
    [5, 'step', { frames_per_second: [0, 0], step: [2, 1] }, 'every value is an integer'],
    [6, 'loss', { frames_per_second: [0, 0], loss: [0.2, 0.1] }, 'every value is a number'],
    [5, 'b', { a: [0.5, 0.5], b: [0, 0], c: [0, 0] }, 'every value is an integer'],
    [2, 'epoch', { epoch: [1, 1], step: [1, 2] }, 'a column named epoch that holds numbers'],
  ])('stands on rung %i with %s', (rung, name, columns, reason) => {
    const rows = [0, 1].map((i) => new Map(Object.entries(columns).map(([key, items]) => [key, items[i] ?? 0])));
    expect(inferXAxis(foldAll(rows))).toMatchObject({ rung, key: name, reason });
  });

  it('prefers a text now and then to a number that never changes', () => {
    const rows = [1, 2, 'null'].map((loss) => new Map<string, number | string>([...Object.entries({ rate: 0, loss })]));
    expect(inferXAxis(foldAll(rows))).toMatchObject({ rung: 7, key: 'loss', runnersUp: ['rate'] });
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

  it('says what the sentence of each rung means in the order of names by code point', () => {
    const stats = foldAll([
      new Map([
        ['\u{1f600}', 1],
        ['\uff21', 1],
      ]),
    ]);
    expect(inferXAxis(stats)).toMatchObject({ key: '\uff21', runnersUp: ['\u{1f600}'] });
  });
});
