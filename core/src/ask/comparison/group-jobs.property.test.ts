import fc from 'fast-check';
import type { ComparedFact } from './compare-jobs.js';
import { groupJobs } from './group-jobs.js';

const value = fc.oneof(fc.constantFrom(0.1, 0.01, 'a-(1)', 'a-(10)', ''), fc.constant(undefined));
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e150, max: 1e150 }),
  fc.constant(undefined)
);

function createFact(kind: ComparedFact['kind'], values: ComparedFact['values']): ComparedFact {
  return { kind, risk: 'config', name: 'x', values, differs: true };
}

it('measures mean and spread of each group as one job after the other does', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(value, number), { maxLength: 30 }), (jobs) => {
      const [given, results] = [jobs.map(([by]) => by), jobs.map(([, result]) => result)];
      const groups = groupJobs(createFact('config', given), [createFact('result', results)]);
      expect(groups.reduce((sum, group) => sum + group.jobs, 0)).toBe(jobs.length);
      expect(new Set(groups.map((group) => group.value)).size).toBe(groups.length);
      for (const { value: shared, spreads } of groups) {
        const numbers = jobs.flatMap(([by, result]) => (by === shared && result !== undefined ? [result] : []));
        const [spread] = spreads;
        expect(spread?.count ?? 0).toBe(numbers.length);
        if (spread === undefined) continue;
        // Welford's way, which needs no sum.
        let [mean, squares] = [0, 0];
        numbers.forEach((one, at) => {
          const before = one - mean;
          mean += before / (at + 1);
          squares += before * (one - mean);
        });
        const scale = Math.max(1e-300, ...numbers.map(Math.abs));
        expect(Math.abs(spread.mean - mean) / scale).toBeLessThan(1e-9);
        expect(spread.deviation === undefined).toBe(numbers.length < 2);
        const deviation = Math.sqrt(squares / (numbers.length - 1));
        if (spread.deviation !== undefined) expect(Math.abs(spread.deviation - deviation) / scale).toBeLessThan(1e-6);
      }
    })
  );
});

it('puts groups in natural order, numbers first and jobs without a value last', () => {
  const by = createFact('config', ['a-(10)', undefined, 0.1, 'a-(2)', 0.01]);
  expect(groupJobs(by, []).map((group) => group.value)).toEqual([0.01, 0.1, 'a-(2)', 'a-(10)', undefined]);
});
