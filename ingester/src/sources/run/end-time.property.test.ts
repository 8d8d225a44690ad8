import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import { findEndNs, findStartNs } from './end-time.js';
import type { FinalState } from './exit-status.js';

const BASE_MS = 1_790_000_000_000;
const SEVERITY: Readonly<Record<Exclude<FinalState, 'LOST'>, number>> = { COMPLETED: 0, CANCELLED: 1, FAILED: 2 };

const task = fc
  .record({
    state: fc.constantFrom<keyof typeof SEVERITY>('COMPLETED', 'CANCELLED', 'FAILED'),
    code: fc.integer({ min: 1, max: 255 }),
    startedMs: fc.integer({ min: BASE_MS, max: BASE_MS + 2000 }),
    runMs: fc.integer({ min: 1, max: 100_000 }),
  })
  // A cancelled job has run for longer than the time between the starts.
  .map(({ state, code, startedMs, runMs }) => ({
    ...{ state, startedMs, isOneOfMany: true },
    exitCode: state === 'COMPLETED' ? 0 : code,
    endedMs: startedMs + runMs + (state === 'CANCELLED' ? 2001 : 0),
  }));

describe('the newest point of a job', () => {
  it('is that of the worst of its tasks, whenever each began and ended', () => {
    fc.assert(
      fc.property(fc.array(task, { minLength: 1, maxLength: 8 }), fc.nat(7), (tasks, leader) => {
        const said = tasks.filter(({ state }, i) => state !== 'COMPLETED' || i === leader % tasks.length);
        const times = said.map((end) => ({ ...end, timeNs: findEndNs(end) }));
        const newest = times.sort((a, b) => (a.timeNs < b.timeNs ? -1 : 1)).at(-1);
        if (newest === undefined) return;
        const worst = Math.max(...said.map(({ state }) => SEVERITY[state]));
        expect(SEVERITY[newest.state]).toBe(worst);
        const startNs = findStartNs(tasks[leader % tasks.length]?.startedMs ?? 0);
        expect(newest.timeNs > startNs).toBe(true);
        // Failures at about the same time.
        const failed = said.filter(({ state }) => state === 'FAILED');
        if (failed.length > 0 && failed.every(({ endedMs }) => endedMs < BASE_MS + 5000)) {
          expect(newest.exitCode).toBe(Math.max(...failed.map(({ exitCode }) => exitCode)));
        }
      }),
      { numRuns: randomCases(2000) }
    );
  });

  it('is that of Slurm, which knows seconds, where it tells of the same end', () => {
    fc.assert(
      fc.property(task, fc.boolean(), (end, isOneOfMany) => {
        if (end.endedMs < end.startedMs + 10_000) return;
        const slurmNs = BigInt(Math.floor(end.endedMs / 1000)) * 1_000_000_000n + 8n;
        expect(findEndNs({ ...end, isOneOfMany }) < slurmNs).toBe(true);
        expect(findEndNs({ ...end, isOneOfMany }) > findStartNs(end.startedMs)).toBe(true);
      })
    );
  });
});
