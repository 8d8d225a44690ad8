import fc from 'fast-check';
import { selectRank } from './select-rank.js';

it('finds the value that sorting would put there', () => {
  const number = fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: 0, max: 3 }));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 60 }), fc.nat(59), (values, rank) => {
      const sorted = Float64Array.from(values).sort();
      // -0 and 0 are the same number.
      expect((selectRank(Float64Array.from(values), rank) || 0) + 0).toEqual((sorted[rank] ?? NaN) || 0);
    }),
    { numRuns: 1000 }
  );
});

it('has no value beyond the last one', () => {
  expect(selectRank(Float64Array.from([]), 0)).toBeNaN();
  expect(selectRank(Float64Array.from([1, 2]), 2)).toBeNaN();
});
