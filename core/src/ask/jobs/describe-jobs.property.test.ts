import fc from 'fast-check';
import { findDescribedSinceNs } from './describe-jobs.js';

const DAY_NS = 86_400_000_000_000n;
const WEEK_NS = 7n * DAY_NS;

it('finds a Monday that is one to two weeks before the oldest start', () => {
  const times = fc.bigInt({ min: 3n * WEEK_NS, max: 3000n * WEEK_NS });
  fc.assert(
    fc.property(fc.array(times, { minLength: 1, maxLength: 5 }), (starts) => {
      const sinceNs = findDescribedSinceNs(starts.map((fromNs) => ({ job: '1', user: 'ann', fromNs, toNs: fromNs })));
      const oldestNs = starts.reduce((a, b) => (b < a ? b : a));
      expect(new Date(Number(sinceNs / 1_000_000n)).getUTCDay()).toBe(1);
      expect(sinceNs % DAY_NS).toBe(0n);
      expect(oldestNs - sinceNs).toBeGreaterThanOrEqual(WEEK_NS);
      expect(oldestNs - sinceNs).toBeLessThan(2n * WEEK_NS);
    })
  );
});

it('begins with the epoch for jobs of the first weeks', () => {
  expect(findDescribedSinceNs([{ job: '1', user: 'ann', fromNs: 5n, toNs: 5n }])).toBe(0n);
  expect(findDescribedSinceNs([])).toBe(0n);
});
