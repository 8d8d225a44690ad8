import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import type { MetadataRow } from '../table/metadata-row.js';
import { createTableStats, findMean, foldRow, formatTableStats, parseTableStats } from '../table/table-stats.js';
import { countRowsToLook, followX } from './followed-x.js';
import { inferXAxis } from './x-axis.js';

const KEYS = ['loss (a-b)', 'x.y', 'step', '__proto__', 'z "q"'];
const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1, max: 1 }),
  fc.constantFrom('null', 'text', '9007199254740993', 1e308, -1e308)
);

/** Rows of one table: some columns count up, so that X settles on one of them, soon or late. */
const table = fc
  .tuple(
    fc.shuffledSubarray(KEYS, { minLength: 1 }),
    fc.array(fc.array(value, { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 40 }),
    fc.nat({ max: 20 })
  )
  .map(([keys, rows, from]) =>
    rows.map(
      (row, at) => new Map(keys.map((key, i) => [key, key === 'step' && at >= from ? at - from : (row[i] ?? 0)]))
    )
  );

function toNumber(cell: number | string | undefined): number | undefined {
  return cell === '9007199254740993' ? Number(cell) : typeof cell === 'number' ? cell + 0 : undefined;
}

function listJson(row: MetadataRow): ReadonlySet<string> {
  return new Set([...row].filter(([, cell]) => typeof cell === 'string' && cell !== 'text').map(([key]) => key));
}

it('looks at X after 1, 2, 4, 8, … rows', () => {
  const looks = Array.from({ length: 70 }, (_, row) => row).filter((row) => countRowsToLook(row) === 1);
  expect(looks).toEqual([0, 1, 3, 7, 15, 31, 63]);
  expect(countRowsToLook(2 ** 31 - 5)).toBe(5);
});

it('finds the rows of the smallest and the largest numbers, their X and the sum, whatever is restarted', () => {
  fc.assert(
    fc.property(table, fc.array(fc.nat({ max: 40 }), { maxLength: 3 }), (rows, restarts) => {
      let stats = createTableStats();
      let x: string | undefined;
      let since = 0;
      rows.forEach((row, at) => {
        if (restarts.includes(at)) stats = parseTableStats(formatTableStats(stats)) ?? createTableStats();
        foldRow(stats, row, listJson(row));
        followX(stats);
        const chosen = inferXAxis(stats)?.key;
        if (Number.isInteger(Math.log2(at + 1)) && chosen !== x) [x, since] = [chosen, at + 1];
      });
      expect(stats.x).toBe(x);
      for (const [key, column] of stats.columns) {
        const numbers = rows.map((row) => toNumber(row.get(key)));
        const given = numbers.filter((number) => number !== undefined);
        const sums = given.map((_, at) => given.slice(0, at + 1).reduce((sum, number) => sum + number, 0));
        expect(column.sum).toBe(sums.every(Number.isFinite) ? (sums.at(-1) ?? 0) : undefined);
        for (const [row, best, bestX] of [
          [column.minRow, column.min, column.minX],
          [column.maxRow, column.max, column.maxX],
        ] as const) {
          expect(row).toBe(best === undefined ? undefined : numbers.indexOf(best) + 1);
          const ofRow = x === undefined ? undefined : toNumber(rows[(row ?? 0) - 1]?.get(x));
          // What came while another X was followed may be unknown, but is never another's.
          if (bestX !== undefined || (row ?? 0) > since) expect(bestX).toBe(ofRow);
        }
      }
    }),
    { numRuns: randomCases(1000) }
  );
});

it('knows X at the best from the first row on where X is a counter', () => {
  const stats = createTableStats();
  const losses = [0.5, 0.9, 0.2, 0.7];
  losses.forEach((loss, at) => {
    foldRow(stats, new Map(Object.entries({ loss, acc: 1 - loss, step: 10 * at })));
    followX(stats);
  });
  expect(stats.columns.get('loss')).toMatchObject({ minX: 20, maxX: 10, minRow: 3, maxRow: 2 });
  expect(stats.columns.get('acc')).toMatchObject({ minX: 10, maxX: 20 });
  expect(stats.columns.get('step')).toMatchObject({ minX: 0, maxX: 30, sum: 60 });
});

it('has the mean of a million numbers to the tenth digit', () => {
  const stats = createTableStats();
  const row = new Map<string, number>();
  for (let at = 0; at < 1_000_000; at += 1) foldRow(stats, row.set('a', 0.1 + (at % 10)));
  const column = stats.columns.get('a');
  expect(Math.abs((column === undefined ? NaN : (findMean(column) ?? NaN)) / 4.6 - 1)).toBeLessThan(1e-10);
});

describe('statistics that an older Joblens wrote', () => {
  const column = '"count":3,"numeric":3,"integer":3,"rising":false,"distinct":2,"min":1,"max":4,"last":2';
  const text = `{"rows":3,"columns":[["a-b (c)",{${column}}],["text",{"count":3,"numeric":0,"integer":0,"json":0,"rising":true,"distinct":0,"last":"x"}]]}`;

  it('tell neither mean nor rows', () => {
    const stats = parseTableStats(text);
    const found = stats?.columns.get('a-b (c)');
    expect(found).toMatchObject({ min: 1, max: 4, last: 2 });
    expect([found?.sum, found?.minRow, found?.maxRow, found?.minX, found?.maxX]).toEqual(Array(5).fill(undefined));
    expect(found && findMean(found)).toBeUndefined();
    expect(stats && formatTableStats(stats)).toContain(`{${column}}`);
  });

  it('go on: what is better from then on has its row, and no mean is made up', () => {
    const stats = parseTableStats(text) ?? createTableStats();
    for (const a of [3, 0, 7]) {
      foldRow(
        stats,
        new Map<string, number | string>([
          ['a-b (c)', a],
          ['text', 'x'],
        ])
      );
      followX(stats);
    }
    expect(stats.columns.get('a-b (c)')).toMatchObject({ min: 0, minRow: 5, max: 7, maxRow: 6, sum: undefined });
    expect(stats.columns.get('text')?.sum).toBe(0);
  });
});
