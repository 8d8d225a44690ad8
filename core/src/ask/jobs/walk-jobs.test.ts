import { printStatement } from '../../influxql/print.js';
import type { StatementResult } from '../../influxql/response.js';
import { formatRfc3339Nano } from '../../point/timestamp.js';
import { findHeartbeatNs, findSlotStartMs, HEARTBEAT_GRIDS, type HeartbeatGrid } from '../../schema/heartbeat-point.js';
import { MAX_WALKED_ROWS, listWalkSlots, readWalkSlice, takeWalkSlice, walkQuery } from './walk-jobs.js';
import { addWalkedSlot, sortWalkedJobs, type WalkedJob } from './walked-jobs.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const END_MS = Date.UTC(2026, 1, 3, 15, 47);
const toNs = (timeMs: number): bigint => BigInt(timeMs) * 1_000_000n;
const range = (beforeEndMs: number, endMs = END_MS) => ({ fromNs: toNs(endMs - beforeEndMs), toNs: toNs(endMs) });

const listDays = (slots: ReturnType<typeof listWalkSlots>) => slots.filter(({ grid }) => grid.grid === '1d');
const count = (slots: ReturnType<typeof listWalkSlots>): Readonly<Record<string, number>> =>
  Object.fromEntries(HEARTBEAT_GRIDS.map(({ grid }) => [grid, slots.filter((slot) => slot.grid.grid === grid).length]));

describe('listWalkSlots', () => {
  it.each([0, 1, 11 * MINUTE_MS, HOUR_MS, 13 * HOUR_MS, 7 * DAY_MS, 400 * DAY_MS])(
    'covers a range of %i ms once, whole slots, newest first',
    (lengthMs) => {
      const { fromNs, toNs: endNs } = range(lengthMs);
      const slots = listWalkSlots({ fromNs, toNs: endNs });
      const [newest, oldest] = [slots[0], slots.at(-1)];
      expect(newest?.beforeNs).toBe(toNs(findSlotStartMs(END_MS, HEARTBEAT_GRIDS[0]) + 10 * MINUTE_MS));
      expect(oldest?.fromNs).toBe(toNs(findSlotStartMs(END_MS - lengthMs, HEARTBEAT_GRIDS[0])));
      for (const [at, slot] of slots.slice(1).entries()) expect(slot.beforeNs).toBe(slots[at]?.fromNs);
      for (const { grid, fromNs: startNs, beforeNs } of slots) {
        expect(startNs % toNs(grid.slotMs)).toBe(0n);
        expect(beforeNs - startNs).toBe(toNs(grid.slotMs));
      }
    }
  );

  it.each([
    [-1n, 0n],
    [-86_400_000_000_000n, 0n],
    [-(2n ** 62n), 86_400_000_000_000n],
    [-(2n ** 62n), -(2n ** 61n)],
  ])('ends at 1970, before which nothing is stored: from %i to %i', (fromNs, endNs) => {
    const slots = listWalkSlots({ fromNs, toNs: endNs });
    expect(slots.length).toBeLessThan(300);
    for (const slot of slots) expect(slot.fromNs).toBeGreaterThanOrEqual(0n);
    expect(slots.at(-1)?.fromNs).toBe(endNs < 0n ? undefined : 0n);
  });

  it('has few slots, however long the range', () => {
    expect(count(listWalkSlots(range(7 * DAY_MS)))).toEqual({ '10m': 13, '2h': 11, '1d': 6 });
    expect(count(listWalkSlots(range(400 * DAY_MS)))).toEqual({ '10m': 13, '2h': 11, '1d': 399 });
  });
});

describe('takeWalkSlice', () => {
  it('takes adjacent slots of one grid, as many as have few heartbeats', () => {
    const slots = listWalkSlots(range(7 * DAY_MS));
    expect(takeWalkSlice(slots, 1)).toEqual(slots.slice(0, 2));
    expect(new Set(takeWalkSlice(slots.slice(2), 1).map(({ grid }) => grid.grid))).toEqual(new Set(['10m']));
    expect(takeWalkSlice(slots.slice(2), 5000)).toHaveLength(2);
    expect(takeWalkSlice(slots.slice(2), Infinity)).toHaveLength(1);
    expect(takeWalkSlice([], 1)).toEqual([]);
  });
});

const heartbeat = (
  job: string,
  timeMs: number,
  grid: HeartbeatGrid,
  state: string | null,
  startedMs: number | null
) => [
  formatRfc3339Nano(findHeartbeatNs({ job, user: 'ann' }, findSlotStartMs(timeMs, grid))),
  ...[job, 'ann', state, startedMs],
];

const createAnswer = (values: ReturnType<typeof heartbeat>[]): StatementResult => ({
  statement_id: 0,
  series: [{ name: 'job_heartbeat', columns: ['time', 'job', 'user', 'state', 'started'], values }],
});

describe('walkQuery', () => {
  const [, , COARSE] = HEARTBEAT_GRIDS;

  it('asks for a slice of a grid, newest first', () => {
    const slice = listDays(listWalkSlots(range(7 * DAY_MS))).slice(0, 2);
    expect(printStatement(walkQuery(slice, "o'b"))).toBe(
      'SELECT "job", "user", "state", "started" FROM "job_heartbeat" ' +
        `WHERE "grid" = '1d' AND "user" = 'o\\'b' AND time >= '2026-02-01T00:00:00Z' AND time < '2026-02-03T00:00:00Z' ` +
        `ORDER BY time DESC LIMIT ${MAX_WALKED_ROWS}`
    );
    expect(printStatement(walkQuery(slice, undefined, true))).not.toContain('LIMIT');
  });

  it('counts only slots that came whole', () => {
    const slice = listDays(listWalkSlots(range(7 * DAY_MS))).slice(0, 3);
    const row = (job: string, timeMs: number) => heartbeat(job, timeMs, COARSE, 'COMPLETED', timeMs);
    const days = [
      row('a.1', END_MS - DAY_MS),
      ...Array.from({ length: MAX_WALKED_ROWS - 1 }, () => row('b', END_MS - 2 * DAY_MS)),
    ];
    const { walked, isLimited } = readWalkSlice(slice, createAnswer(days));
    expect([isLimited, walked.map(([, jobs]) => jobs.map(({ job }) => job))]).toEqual([true, [['a.1']]]);
    expect(readWalkSlice(slice, createAnswer(days), true).walked).toHaveLength(3);
    expect(readWalkSlice(slice, createAnswer(days.slice(0, 2))).isLimited).toBe(false);
  });

  it('finds each job of the range once, with its newest state, running and living ones first', () => {
    const request = range(7 * DAY_MS);
    const slots = listWalkSlots(request);
    const [fine] = HEARTBEAT_GRIDS;
    const known = new Map<string, WalkedJob>();
    const tell = (slot: (typeof slots)[number] | undefined, ...rows: ReturnType<typeof heartbeat>[]) => {
      for (const [one, jobs] of readWalkSlice(slot === undefined ? [] : [slot], createAnswer(rows)).walked)
        addWalkedSlot(known, one, jobs, request);
    };
    const [yesterday, before] = listDays(slots);
    tell(slots[0], heartbeat('runs (1)', END_MS, fine, 'RUNNING', END_MS - 3 * DAY_MS));
    tell(
      slots[1],
      heartbeat('pipe-lives', END_MS - 10 * MINUTE_MS, fine, null, null),
      heartbeat('later', END_MS - 10 * MINUTE_MS, fine, 'RUNNING', END_MS + 1)
    );
    const dayMs = END_MS - DAY_MS;
    tell(
      yesterday,
      heartbeat('runs (1)', dayMs, COARSE, 'PENDING', null),
      heartbeat('pipe-lives', dayMs, COARSE, null, null),
      heartbeat('piped', dayMs, COARSE, null, null),
      heartbeat('ended', dayMs, COARSE, 'COMPLETED', dayMs - HOUR_MS)
    );
    tell(before, heartbeat('runs (1)', dayMs - DAY_MS, COARSE, 'PENDING', null));
    const sorted = sortWalkedJobs(known.values());
    expect(sorted.map(({ job, state, isLiving }) => [job, state, isLiving])).toEqual([
      ['pipe-lives', undefined, true],
      ['runs (1)', 'RUNNING', true],
      ['piped', undefined, false],
      ['ended', 'COMPLETED', false],
    ]);
  });
});
