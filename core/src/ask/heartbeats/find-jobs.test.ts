import { formatRfc3339Nano } from '../../point/timestamp.js';
import { printStatement } from '../../influxql/print.js';
import type { StatementResult } from '../../influxql/response.js';
import { HEARTBEAT_GRIDS } from '../../schema/heartbeat-point.js';
import { FINEST_GRID, findJobsQuery, readFoundJobs } from './find-jobs.js';
import { findOtherJobsQuery, heartbeatEraQuery, isHeartbeatEra } from '../jobs/find-other-jobs.js';

const HOUR_NS = 3_600_000_000_000n;
const T0 = 1_700_000_000_000_000_000n;
const at = (seconds: number): string => formatRfc3339Nano(T0 + BigInt(seconds) * 1_000_000_000n);

const createHeartbeats = (...values: (string | number | null)[][]): StatementResult => ({
  statement_id: 0,
  series: [{ name: 'job_heartbeat', columns: ['time', 'job', 'user', 'state', 'started'], values }],
});

describe('findJobsQuery', () => {
  it('asks for the slots that the range touches', () => {
    const request = { fromNs: T0, toNs: T0 + HOUR_NS, user: ['ann', 'bob'] };
    expect(printStatement(findJobsQuery(request))).toBe(
      'SELECT "job", "user", "state", "started" FROM "job_heartbeat" ' +
        `WHERE "grid" = '10m' AND ("user" = 'ann' OR "user" = 'bob') ` +
        `AND time >= '2023-11-14T22:10:00Z' AND time < '2023-11-14T23:13:24.294967296Z' ORDER BY time DESC LIMIT 20000`
    );
  });

  it.each([
    [12n, '10m'],
    [13n, '2h'],
    [144n, '2h'],
    [168n, '1d'],
    [100_000n, '1d'],
  ])('asks for a range of %s hours on the grid of %s', (hours, grid) => {
    expect(printStatement(findJobsQuery({ fromNs: T0, toNs: T0 + hours * HOUR_NS }))).toContain(`"grid" = '${grid}'`);
    expect(printStatement(findJobsQuery({ fromNs: T0, toNs: T0 }, FINEST_GRID))).toContain(`"grid" = '10m'`);
  });
});

describe('findOtherJobsQuery', () => {
  it('is bounded in time', () => {
    const statements = findOtherJobsQuery({ fromNs: T0, toNs: T0 + HOUR_NS, user: 'ann' }).map(printStatement);
    expect(statements.map((text) => /FROM "(\w+)"/.exec(text)?.[1])).toEqual([
      ...['job', 'job_log', 'job_series', 'job_event'],
    ]);
    const where = `WHERE "user" = 'ann' AND time >= '2023-11-14T22:13:20Z' AND time <= '2023-11-14T23:13:20Z' GROUP BY`;
    for (const text of statements) expect(text).toContain(where);
  });
});

describe('heartbeatEraQuery', () => {
  it('asks for one heartbeat of the week that ended a week before the range', () => {
    expect(printStatement(heartbeatEraQuery({ fromNs: T0 }))).toBe(
      `SELECT "job" FROM "job_heartbeat" WHERE "grid" = '1d' ` +
        `AND time >= '2023-10-31T22:13:20Z' AND time <= '2023-11-07T22:13:20Z' LIMIT 1`
    );
    expect(printStatement(heartbeatEraQuery({ fromNs: 5n }))).toContain(`time <= '1970-01-01T00:00:00Z'`);
  });

  it('says whether each job of the range has heartbeats', () => {
    expect(isHeartbeatEra(createHeartbeats([at(0), '1', 'ann', null, null]))).toBe(true);
    expect([undefined, { statement_id: 0 }].map(isHeartbeatEra)).toEqual([false, false]);
  });
});

describe('readFoundJobs', () => {
  it('gives each job once, running jobs first, then the newest', () => {
    const found = readFoundJobs([
      createHeartbeats(
        [at(400), '1', 'ann', 'COMPLETED', 1_699_999_000_000],
        [at(-200), '1', 'ann', 'RUNNING', 1_699_999_000_000],
        [at(400), '2', 'ann', 'RUNNING', 1_600_000_000_000],
        [at(-200), 'a␛/', 'bob', null, null],
        [at(-200), '1', 'bob', 'RUNNING', 1_700_000_000_000]
      ),
    ]);
    expect(
      found.map(({ job, user, state, fromNs, toNs }) => [job, user, state, Number((toNs - fromNs) / 1_000_000_000n)])
    ).toEqual([
      ['1', 'bob', 'RUNNING', 0],
      ['2', 'ann', 'RUNNING', 0],
      ['a\\', 'bob', undefined, 0],
      ['1', 'ann', 'COMPLETED', 600],
    ]);
  });

  it.each(HEARTBEAT_GRIDS)('puts jobs that do not say when they started where they last lived ($grid)', (grid) => {
    const slotS = grid.slotMs / 1000;
    const startedMs = (slots: number): number => 1_700_000_000_000 + slots * grid.slotMs;
    const found = readFoundJobs(
      [
        createHeartbeats(
          [at(0), 'began-in-the-last-slot', 'ann', 'COMPLETED', startedMs(0.9)],
          [at(0), 'piped (long)', 'ann', null, null],
          [at(-9 * slotS), 'piped (long)', 'ann', null, null],
          [at(-slotS), 'pipe-d', 'ann', null, null],
          [at(-slotS), 'began-before', 'ann', 'FAILED', startedMs(-0.5)]
        ),
      ],
      grid
    );
    expect(found.map(({ job }) => job)).toEqual(['piped (long)', 'began-in-the-last-slot', 'pipe-d', 'began-before']);
  });

  it('gives the jobs that have something else', () => {
    const series = (name: string, job: string) => ({
      name,
      tags: { job, user: 'ann' },
      columns: ['time', 'last'],
      values: [[at(0), 'x']],
    });
    const found = readFoundJobs([
      { statement_id: 0, series: [series('job', '1')] },
      { statement_id: 1, series: [series('job_log', '1'), series('job_log', '2')] },
      { statement_id: 2 },
    ]);
    expect(found.map(({ job, user }) => [job, user])).toEqual([
      ['2', 'ann'],
      ['1', 'ann'],
    ]);
  });

  it('finds nothing in nothing', () => {
    expect(readFoundJobs([undefined, { statement_id: 0 }])).toEqual([]);
  });
});
