import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { compareMeans, type SeededResult } from './mean-difference.js';

function withSeeds(values: readonly number[], first = 1): readonly SeededResult[] {
  return values.map((value, at) => ({ seed: first + at, value }));
}

function withoutSeeds(values: readonly number[]): readonly SeededResult[] {
  return values.map((value) => ({ seed: undefined, value }));
}

describe('the difference of two means', () => {
  it('is that of pairs where seeds are equal, also as text', () => {
    const b = [2, 3, 4.5].map((value, at) => ({ seed: String(at + 1), value })).reverse();
    const found = compareMeans(withSeeds([1, 2, 3]), b);
    // t of two degrees of freedom is 4.3027, and the differences are -1, -1 and -1.5.
    expect(found).toMatchObject({ seeds: [3, 3], pairs: 3 });
    expect(found.difference).toBeCloseTo(-7 / 6, 12);
    expect(found.interval?.low).toBeCloseTo(-7 / 6 - 4.30265 / 6, 4);
    expect(found.interval?.high).toBeCloseTo(-7 / 6 + 4.30265 / 6, 4);
  });

  it("is Welch's where they are not", () => {
    const found = compareMeans(withoutSeeds([27.5, 21, 19, 23.6, 17, 17.9]), withoutSeeds([27.1, 22, 20.8, 23.4]));
    expect(found).toMatchObject({ seeds: [6, 4] });
    expect(found.pairs).toBeUndefined();
    // By the density of t, added up by another program.
    expect(found.difference).toBeCloseTo(-2.325, 9);
    expect(found.interval?.low).toBeCloseTo(-7.21538, 4);
    expect(found.interval?.high).toBeCloseTo(2.56538, 4);
  });

  it.each<[string, readonly SeededResult[], readonly SeededResult[], readonly [number, number]]>([
    ['one run against one', withSeeds([1]), withSeeds([2]), [1, 1]],
    ['two seeds against ten', withSeeds([1, 2]), withSeeds([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), [2, 10]],
    [
      'five runs of one seed',
      [1, 2, 3, 4, 5].map((value) => ({ seed: 7, value })),
      [6, 7, 8, 9, 10].map((value) => ({ seed: 7, value })),
      [1, 1],
    ],
    ['nothing', [], withSeeds([1, 2, 3]), [0, 3]],
  ])('has no interval of %s', (_case, a, b, seeds) => {
    expect(compareMeans(a, b)).toMatchObject({ seeds, interval: undefined });
  });

  it('takes all seeds where few of many are shared, and leaves out what has no partner where most are', () => {
    expect(
      compareMeans(withSeeds([1, 2, 3, 4, 5, 6, 7, 8]), withSeeds([1, 2, 3, 4, 5, 6, 7, 8], 6)).pairs
    ).toBeUndefined();
    expect(compareMeans(withSeeds([1, 2, 3, 4]), withSeeds([1, 2, 3, 4], 2))).toMatchObject({
      pairs: 3,
      difference: 1,
    });
  });

  it('is a point where nothing varies, and finite or unknown for any numbers', () => {
    expect(compareMeans(withoutSeeds([2, 2, 2]), withoutSeeds([1, 1, 1])).interval).toEqual({ low: 1, high: 1 });
    const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 6 });
    fc.assert(
      fc.property(numbers, numbers, fc.boolean(), (a, b, areSeeded) => {
        const results = areSeeded ? withSeeds : withoutSeeds;
        const [{ interval }, other] = [compareMeans(results(a), results(b)), compareMeans(results(b), results(a))];
        if (interval === undefined) return;
        expect([interval.low, interval.high].every(Number.isFinite)).toBe(true);
        expect(interval.low).toBeLessThanOrEqual(interval.high);
        expect(other.interval).toEqual({ low: 0 - interval.high, high: 0 - interval.low });
      }),
      { numRuns: randomCases(300) }
    );
  });
});

/** Mulberry32: the same numbers each time. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('the 95 % interval, over 3 to 10 seeds', () => {
  const random = createRandom(20_26);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const skewed = () => Math.exp(0.5 * normal()) - Math.exp(0.125);
  const experiments = 8 * randomCases(100);

  it.each<[string, () => number, () => number]>([
    ['normal', normal, normal],
    ['normal, three times as wide', normal, () => 3 * normal()],
    ['skewed', skewed, skewed],
    ['skewed, twice as wide', skewed, () => 2 * skewed()],
    ['skewed beside normal', skewed, normal],
  ])('holds the true difference in 93 to 97 of 100 experiments: %s', (_case, drawA, drawB) => {
    for (const results of [withSeeds, withoutSeeds]) {
      let held = 0;
      for (let at = 0; at < experiments; at += 1) {
        const seeds = 3 + (at % 8);
        // What a seed does to both groups alike is in both results of a pair.
        const shared = Array.from({ length: seeds }, () => (results === withSeeds ? 2 * normal() : 0));
        const [a, b] = [drawA, drawB].map((draw) => results(shared.map((part) => part + draw())));
        const { low, high } = compareMeans(a ?? [], b ?? []).interval ?? { low: 1, high: -1 };
        if (low <= 0 && high >= 0) held += 1;
      }
      const percent = (100 * held) / experiments;
      // Luck moves the share of fewer experiments, by three deviations at most.
      const luck = experiments >= 10_000 ? 0 : (3 * 100 * Math.sqrt(0.05 * 0.95)) / Math.sqrt(experiments);
      expect(percent).toBeGreaterThan(93 - luck);
      expect(percent).toBeLessThan(97 + luck);
    }
  });
});
