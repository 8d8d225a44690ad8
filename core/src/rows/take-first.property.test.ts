import fc from 'fast-check';
import { takeFirst } from './take-first.js';

const compare = (a: number, b: number): number => a - b;

test('the first items are those of the sorted list', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.nat(20), (items, count) => {
      expect(takeFirst(items, count, compare)).toEqual(items.toSorted(compare).slice(0, count));
    })
  );
});

test('few of many items are compared about once each', () => {
  const items = Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 100_003);
  let compared = 0;
  takeFirst(items, 200, (a, b) => {
    compared += 1;
    return a - b;
  });
  expect(compared).toBeLessThan(2 * items.length);
});
