import { printStatement } from '../../influxql/print.js';
import type { Point } from '../../point/point.js';
import { compareOldestFirst } from '../../rows/newest-first.js';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '../../schema/heartbeat-point.js';
import { findJobs, listJobs } from './list-jobs.js';
import type { Ask } from '../reading/reading.js';
import type { ReadableResult } from '../reading/result-rows.js';
import { answerReading } from '../testing/answer-reading.js';
import { answerFrom } from '../testing/model-store.js';

const DAY_MS = 86_400_000;
const END_MS = Date.UTC(2026, 1, 3, 15, 47);
/** More than one answer has heartbeats, also on the coarsest grid. */
const JOBS = 21_000;
const RANGE = { fromNs: BigInt(END_MS - 7 * DAY_MS) * 1_000_000n, toNs: BigInt(END_MS) * 1_000_000n };

/** Jobs of a week, each of which lived in one slot; the newest first. */
function createJobs(): { readonly names: readonly string[]; readonly points: readonly Point[] } {
  const names = Array.from({ length: JOBS }, (_, age) => `job-${JOBS - age}.(x)`);
  const points = names.flatMap((job, age) => {
    const startedMs = END_MS - 60_000 - Math.floor((age * 6.9 * DAY_MS) / JOBS);
    const slots = HEARTBEAT_GRIDS.map((grid) => [grid, findSlotStartMs(startedMs, grid)] as const);
    return slots.map(([grid, slotMs]) =>
      createHeartbeatPoint({ job, user: 'ann' }, grid, slotMs, { state: 'COMPLETED', startedMs })
    );
  });
  return { names, points: points.sort(compareOldestFirst) };
}

/** A store of heartbeats alone. */
function createStore(points: readonly Point[]) {
  const asked: string[] = [];
  const answer = (asks: readonly Ask[]): readonly ReadableResult[] =>
    asks.map((ask) => {
      if (ask.kind === 'apart') throw new Error('heartbeats are asked for together');
      asked.push(printStatement(ask));
      return ask.kind === 'select' ? answerFrom(points, ask) : undefined;
    });
  return { asked, answer };
}

describe('the jobs of a range', () => {
  const { names, points } = createJobs();

  it('are all found, however many there are', () => {
    const { answer } = createStore(points);
    const found = answerReading(findJobs(RANGE), answer).map(({ job }) => job);
    expect(found).toHaveLength(JOBS);
    expect(found).toEqual(names);
  });

  it('are the newest where no more are wanted, from few requests', () => {
    const { answer, asked } = createStore(points);
    const found = answerReading(findJobs(RANGE, 500), answer).map(({ job }) => job);
    expect(found.length).toBeGreaterThanOrEqual(500);
    expect(found).toEqual(names.slice(0, found.length));
    expect(asked.filter((text) => text.includes('FROM "job_heartbeat"')).length).toBeLessThan(6);
  });
});

describe('a job of whose time its heartbeats alone tell', () => {
  const [{ slotMs }] = HEARTBEAT_GRIDS;
  const edgeMs = findSlotStartMs(END_MS, HEARTBEAT_GRIDS[2]);
  const names = Array.from({ length: 20 }, (_, i) => `-${i}.4 (x) 'b'`);

  /** The heartbeats of jobs that gave a sign at that time alone. */
  function beatAt(atMs: number): readonly Point[] {
    const slots = HEARTBEAT_GRIDS.map((grid) => [grid, findSlotStartMs(atMs, grid)] as const);
    return names
      .flatMap((job) => slots.map(([grid, slot]) => createHeartbeatPoint({ job, user: 'ann' }, grid, slot, {})))
      .sort(compareOldestFirst);
  }

  // In the first seconds of a slot, its heartbeats lie ahead.
  it.each([0, 1, 500, 4294, 5000, slotMs - 1])('is found %d ms after a slot has begun, and at its end', (laterMs) => {
    for (const [signMs, toMs] of [
      [edgeMs + laterMs, edgeMs + laterMs],
      [edgeMs - 1, edgeMs + laterMs],
      [edgeMs + slotMs + laterMs, edgeMs + slotMs + laterMs],
      [edgeMs, edgeMs + 7 * DAY_MS + laterMs],
    ] as const) {
      const { answer } = createStore(beatAt(signMs));
      const range = { fromNs: BigInt(toMs - 7 * DAY_MS - laterMs) * 1_000_000n, toNs: BigInt(toMs) * 1_000_000n };
      const { jobs } = answerReading(listJobs(range, { isWanted: () => true, limit: 100 }), answer);
      expect(jobs.map(({ job }) => job).sort()).toEqual([...names].sort());
    }
  });
});
