import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { compareCodePoints } from '../point/utf8.js';
import { joinPartialRecords } from './join-rows.js';
import { compareNatural } from './natural-order.js';
import { isDescending, sortNewestFirst } from './newest-first.js';
import { findTurns } from './segments.js';

describe('findTurns', () => {
  const listTurns = (xs: readonly number[]): number[] => {
    const isTurn = findTurns(xs);
    return [...xs.keys()].filter((index) => isTurn(index));
  };

  it.each([
    ['nothing', [], []],
    ['a run', [1, 2, 2, 3], []],
    ['a restarted run', [1, 2, 3, 1, 2], [3]],
    ['one step back', [1, 2, 1], [2]],
    ['a countdown', [3, 2, 2, 1], []],
    ['a restarted countdown', [3, 2, 1, 3, 2, 1], [3]],
    ['one value', [1, 1], []],
  ])('finds where the X of %s turns back', (_name, xs, turns) => {
    expect(listTurns(xs)).toEqual(turns);
  });

  it('leaves no segment that turns back, and starts one only where X does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 9 })), (xs) => {
        const steps = xs.slice(1).map((x, at) => Math.sign(x - (xs[at] ?? x)));
        const balance = steps.reduce((sum, step) => sum + step, 0);
        const backward = balance < 0 ? 1 : -1;
        expect(listTurns(xs)).toEqual(steps.flatMap((step, at) => (step === backward ? [at + 1] : [])));
      })
    );
  });
});

describe('joinPartialRecords', () => {
  const keys = ['a', 'b', 'c'];
  const rows = fc.uniqueArray(
    fc.record({
      timeNs: fc.bigInt(1_700_000_000_000_000_000n, 1_700_000_000_000_000_030n),
      numbers: fc.dictionary(fc.constantFrom(...keys), fc.integer()),
      texts: fc.dictionary(fc.constantFrom(...keys), fc.string()),
    }),
    { selector: (row) => row.timeNs }
  );

  it('gives each row once, whole and in order, however the halves are sorted, up to the limit', () => {
    const order = fc.constantFrom('asc' as const, 'desc' as const);
    fc.assert(
      fc.property(rows, order, fc.boolean(), fc.nat({ max: 12 }), (unsorted, wanted, isReversed, limit) => {
        const newest = sortNewestFirst(unsorted).filter(
          (row) => Object.keys({ ...row.numbers, ...row.texts }).length > 0
        );
        const sorted = wanted === 'desc' ? newest : newest.toReversed();
        const half = (part: 'numbers' | 'texts') => {
          const records = sorted
            .filter((row) => Object.keys(row[part]).length > 0)
            .slice(0, limit)
            .map((row) => ({ timeNs: row.timeNs, values: new Map(Object.entries<number | string>(row[part])) }));
          return isReversed ? records.reverse() : records;
        };
        expect(joinPartialRecords(half('numbers'), half('texts'), { keys, order: wanted, limit })).toEqual(
          sorted.slice(0, limit).map((row) => {
            const values = new Map(keys.map((key) => [key, row.texts[key] ?? row.numbers[key] ?? null]));
            const both = keys.filter((key) => key in row.numbers && key in row.texts);
            const floats = new Map(both.map((key) => [key, row.numbers[key]]));
            return { timeNs: row.timeNs, values, ...(floats.size > 0 && { floats }) };
          })
        );
      })
    );
  });
});

describe('sortNewestFirst', () => {
  it('falls, loses nothing, and keeps the order of equal times', () => {
    const item = fc.record({ timeNs: fc.bigInt(0n, 5n), id: fc.nat() });
    fc.assert(
      fc.property(fc.array(item), (items) => {
        const sorted = sortNewestFirst(items);
        for (const timeNs of new Set(items.map((one) => one.timeNs))) {
          expect(sorted.filter((one) => one.timeNs === timeNs)).toEqual(items.filter((one) => one.timeNs === timeNs));
        }
        expect(sorted.map((one) => one.timeNs)).toEqual(items.map((one) => one.timeNs).sort((a, b) => Number(b - a)));
        expect(isDescending(sorted)).toBe(new Set(items.map((one) => one.timeNs)).size > 1);
      })
    );
  });

  it('tells times apart that are one JSON number', () => {
    const items = [{ timeNs: 2n ** 60n }, { timeNs: 2n ** 60n + 1n }];
    expect(sortNewestFirst(items)).toEqual(items.toReversed());
  });
});

describe('compareNatural', () => {
  const name = fc.string({ unit: fc.constantFrom('a', '0', '1', '9', '_', '/', '😀', '～') });

  it.each([
    ['9', '10'],
    ['job-9', 'job-10'],
    ['123_4', '123_10'],
    ['123', '123_1'],
    ['a', 'b'],
    ['～', '😀'],
  ])('puts %s before %s', (first, second) => {
    expect(compareNatural(first, second)).toBeLessThan(0);
    expect(compareNatural(second, first)).toBeGreaterThan(0);
  });

  it('is a total order', () => {
    fc.assert(
      fc.property(name, name, name, (a, b, c) => {
        expect(Math.sign(compareNatural(a, b))).toBe(-Math.sign(compareNatural(b, a)) + 0);
        expect(compareNatural(a, b) === 0).toBe(compareCodePoints(a, b) === 0);
        if (compareNatural(a, b) < 0 && compareNatural(b, c) < 0) expect(compareNatural(a, c)).toBeLessThan(0);
      }),
      { numRuns: randomCases(1000) }
    );
  });
});
