import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import type { SpoolEvent } from './testing/spool-event.js';
import { SpoolRun } from './testing/spool-run.js';

const RUNS = randomCases(120);

const make = fc.record({
  kind: fc.constant('make' as const),
  source: fc.nat(2),
  points: fc.nat(3),
  bytes: fc.constantFrom(0, 10, 60, 200),
  isHeld: fc.boolean(),
});
const event: fc.Arbitrary<SpoolEvent> = fc.oneof(
  { weight: 30, arbitrary: make },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), source: fc.nat(2) }) },
  { weight: 20, arbitrary: fc.record({ kind: fc.constantFrom('turn' as const, 'read' as const, 'release' as const) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('readAhead' as const) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(10, 60, 3000, 5000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('slow' as const, 'fast' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('break' as const), writes: fc.boolean(), syncs: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('repair' as const, 'restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cut' as const), seed: fc.nat() }) }
);

describe('the spool', () => {
  it(
    'gives after any crash the records that were durable, whole, in order, with exactly their states',
    async () => {
      const total = { sequences: 0, crashes: 0, faults: 0, records: 0 };
      await fc.assert(
        fc.asyncProperty(fc.array(event, { maxLength: 60, size: 'max' }), async (events) => {
          const run = new SpoolRun();
          await run.start();
          for (const each of events) await run.apply(each);
          await run.finish();
          total.sequences += 1;
          total.crashes += run.counts.crashes;
          total.faults += run.counts.faults;
          total.records += run.counts.records;
        }),
        { numRuns: RUNS }
      );
      expect(total.crashes).toBeGreaterThan(RUNS / 10);
      if (RUNS > 1000) process.stderr.write(`${JSON.stringify(total)}\n`);
    },
    RUNS * 1000
  );
});
