import fc from 'fast-check';
import { planRounds } from './event-rounds.js';

const text = 'loss';

it('reads the newest sixteenth first, then the rest', () => {
  const plan = planRounds({
    ...{ filter: { text, afterNs: 0n, beforeNs: 1600n }, order: 'newest-first', limit: 10, nowNs: 9999n },
  });
  expect(plan).toEqual([{ afterNs: 1500n }, { beforeNs: 1499n }]);
});

it.each([
  ['no text', { filter: { afterNs: 0n }, nowNs: 1600n }],
  ['a named job', { filter: { text, jobs: ['1'], afterNs: 0n }, nowNs: 1600n }],
  ['all times', { filter: { text }, nowNs: 1600n }],
  ['no clock', { filter: { text, afterNs: 0n } }],
  ['a range of nothing', { filter: { text, afterNs: 1600n }, nowNs: 1600n }],
  ['no limit', { filter: { text, afterNs: 0n }, nowNs: 1600n, limit: Infinity }],
])('reads everything at once with %s', (_what, request) => {
  expect(planRounds({ order: 'newest-first', limit: 10, ...request })).toEqual([{}]);
});

it('covers each instant once, and comes to the end of the list last', () => {
  const span = fc.tuple(fc.bigInt(-1000n, 1000n), fc.bigInt(16n, 1000n));
  const order = fc.constantFrom('newest-first' as const, 'oldest-first' as const);
  fc.assert(
    fc.property(span, order, fc.boolean(), ([afterNs, lengthNs], order, isOpen) => {
      const endNs = afterNs + lengthNs;
      const filter = { text, afterNs, ...(isOpen ? {} : { beforeNs: endNs }) };
      const parts = planRounds({ filter, order, limit: 10, nowNs: endNs });
      const covered = parts.map((part) => ({ afterNs, beforeNs: endNs, ...part }));
      const rising = order === 'oldest-first' ? covered : covered.toReversed();
      expect(rising[0]?.afterNs).toBe(afterNs);
      expect(rising.at(-1)?.beforeNs).toBe(endNs);
      for (const [i, part] of rising.entries()) {
        expect(part.afterNs <= part.beforeNs).toBe(true);
        if (i > 0) expect(part.afterNs).toBe((rising[i - 1]?.beforeNs ?? 0n) + 1n);
      }
    })
  );
});
