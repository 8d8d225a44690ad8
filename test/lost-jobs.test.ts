import { createHeartbeatPoint, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createJobPoint } from '@joblens/core/schema/job-point';
import type { Point } from '@joblens/core/point/point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { joblens } from './joblens-command.js';

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const SLOT_MS = 10 * MINUTE_MS;
const NOW_MS = Date.now();

/** A job that says it runs, and its heartbeats for so long. */
function createJob(source: JobSource, startedMs: number, { livedMs, saysStart = true }: Case): Point[] {
  const beats = livedMs === undefined ? [] : HEARTBEAT_GRIDS;
  const description = { state: 'RUNNING', ...(saysStart && { startedMs }) };
  return [
    createJobPoint(source, description, BigInt(startedMs) * 1_000_000n),
    ...beats.flatMap((grid) => {
      const slots: number[] = [];
      const first = startedMs - (startedMs % grid.slotMs);
      for (let slotMs = first; slotMs <= startedMs + (livedMs ?? 0); slotMs += grid.slotMs) slots.push(slotMs);
      return slots.map((slotMs) => createHeartbeatPoint(source, grid, slotMs, description));
    }),
  ];
}

interface Case {
  readonly job: string;
  readonly user: string;
  /** Before now. */
  readonly startedMs: number;
  /** Undefined: without any heartbeat. */
  readonly livedMs: number | undefined;
  readonly isLost: boolean;
  /** Not every writer says when a job started. */
  readonly saysStart?: boolean;
}

const JOBS: readonly Case[] = [
  { job: 'died (1).x', user: 'ann', startedMs: 20 * HOUR_MS, livedMs: HOUR_MS, isLost: true },
  { job: 'long ago', user: 'ann', startedMs: 60 * 24 * HOUR_MS, livedMs: 3 * HOUR_MS, isLost: true },
  { job: 'at once', user: "o'hara", startedMs: 5 * HOUR_MS, livedMs: 0, isLost: true },
  { job: 'alive', user: 'ann', startedMs: 20 * HOUR_MS, livedMs: 20 * HOUR_MS, isLost: false },
  { job: 'silent', user: 'ann', startedMs: 20 * HOUR_MS, livedMs: undefined, isLost: false },
  { job: 'young', user: 'ann', startedMs: 15 * MINUTE_MS, livedMs: 0, isLost: false },
  { job: '-no start', user: 'ann', startedMs: 20 * HOUR_MS, livedMs: HOUR_MS, isLost: true, saysStart: false },
  {
    job: 'no start, alive',
    user: 'ann',
    startedMs: 9 * HOUR_MS,
    livedMs: 9 * HOUR_MS,
    isLost: false,
    saysStart: false,
  },
  { job: 'same-id', user: 'ann', startedMs: 9 * HOUR_MS, livedMs: HOUR_MS, isLost: true },
  { job: 'same-id', user: 'bob', startedMs: 8 * HOUR_MS, livedMs: 8 * HOUR_MS, isLost: false },
];

describeWith(['influxd'], 'jobs whose end nobody wrote', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(
      JOBS.flatMap((one) => createJob({ job: one.job, user: one.user }, NOW_MS - one.startedMs, one))
    );
  });
  afterAll(() => pair.stop());

  async function read<Row>(...args: readonly string[]): Promise<readonly Row[]> {
    const { influxdb, embedded } = await pair.both((url) => joblens(args, url));
    return [influxdb, embedded].map(({ code, stdout }) => {
      expect(code).toBe(0);
      return JSON.parse(stdout) as Row;
    });
  }

  /** To the end of the slot of the last heartbeat, or to now. */
  function expectLength(lengthS: number | undefined, { startedMs, livedMs = 0, isLost, saysStart }: Case): void {
    if (saysStart === false) {
      expect(lengthS).toBeUndefined();
      return;
    }
    const lengthMs = (lengthS ?? NaN) * 1000;
    const leastMs = isLost ? livedMs : startedMs;
    expect(lengthMs).toBeGreaterThanOrEqual(leastMs - 1);
    // A test may take a while.
    expect(lengthMs).toBeLessThanOrEqual(leastMs + (isLost ? SLOT_MS : HOUR_MS));
  }

  it.each(JOBS)('$job of $user: the report ends with the last sign of life: $isLost', async (one) => {
    const reports = await read<{ durationS?: number; aliveUntilMs?: number }>(
      ...['report', '--user', one.user, '--json', 'job', '--', one.job]
    );
    for (const { durationS, aliveUntilMs } of reports) {
      expectLength(durationS, one);
      expect(aliveUntilMs !== undefined).toBe(one.isLost);
    }
  });

  it.each([['30h'], ['90d']])('lists of %s end them there too', async (after) => {
    const { influxdb, embedded } = await pair.both((url) => joblens(['jobs', '--after', after, '--json'], url));
    for (const { code, stdout } of [influxdb, embedded]) {
      expect(code).toBe(0);
      type Row = { job: string; user: string; took_s?: number; reason?: string };
      const rows = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Row);
      const listed = JOBS.filter(({ startedMs }) => after === '90d' || startedMs < 30 * HOUR_MS);
      expect(rows.map(({ job, user }) => `${job} ${user}`).sort()).toEqual(
        listed.map(({ job, user }) => `${job} ${user}`).sort()
      );
      for (const one of listed) {
        const row = rows.find(({ job, user }) => job === one.job && user === one.user);
        expectLength(row?.took_s, one);
        expect(row?.reason ?? '').toMatch(one.isLost ? /^no sign of life since 20/ : /^$/);
      }
    }
  });
});
