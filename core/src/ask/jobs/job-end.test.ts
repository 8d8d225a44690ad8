import { printStatement } from '../../influxql/print.js';
import { findJobDurationMs, findJobEndMs, lastLinesQuery, lastRowQueries, readLastRow } from './job-end.js';
import type { JobRecord } from './jobs.js';

const JOB = `run-1.(a) "b"`;
const START_MS = 1_700_000_000_000;
const atNs = (ms: number): bigint => BigInt(START_MS + ms) * 1_000_000n;
const create = (known: Partial<JobRecord>): JobRecord => ({
  ...{ job: JOB, user: 'ann', timeNs: atNs(0), values: new Map(), startedMs: START_MS },
  ...known,
});

describe('the end of a job and how long it ran', () => {
  it.each<[string, Partial<JobRecord>, number | undefined, number]>([
    ['one that runs', {}, undefined, 9000],
    ['one that has ended', { endedMs: START_MS + 4000, lastLogNs: atNs(3000) }, 4000, 4000],
    ['one of a clock that was set back', { endedMs: START_MS - 3_596_000, lastLogNs: atNs(2000) }, 2000, 2000],
    ['the same, rows alone', { endedMs: START_MS - 3_596_000, lastRowNs: atNs(2500) }, 2500, 2500],
    ['the same, silent', { endedMs: START_MS - 3_596_000 }, 0, 0],
    ['one of two hosts', { endedMs: START_MS + 4000, lastLogNs: atNs(64_000) }, 64_000, 4000],
    ['a lost one', { aliveUntilMs: START_MS + 5000 }, 5000, 5000],
    ['a lost one of another clock', { aliveUntilMs: START_MS + 5000, lastLogNs: atNs(6000) }, 6000, 5000],
  ])('%s', (_name, known, endMs, durationMs) => {
    const job = create(known);
    expect(findJobEndMs(job)).toBe(endMs === undefined ? undefined : START_MS + endMs);
    expect(findJobDurationMs(job, START_MS + 9000)).toBe(durationMs);
  });

  it('asks for the newest line of each, and for the newest row of one', () => {
    const jobs = [create({}), create({ user: 'bob' })];
    expect(printStatement(lastLinesQuery(jobs, 0n))).toBe(
      `SELECT last("kind") FROM "job_log" WHERE "job" = '${JOB}' AND time >= '1970-01-01T00:00:00Z' GROUP BY "job", "user"`
    );
    const names = `"job" = '${JOB}' AND "user" = 'ann'`;
    expect(lastRowQueries(create({ values: new Map([['a.b', 1]]) })).map(printStatement)).toEqual([
      `SELECT "a.b" FROM "job_metadata" WHERE ${names} ORDER BY time DESC LIMIT 1`,
      `SELECT "a.b" FROM "job_metadata_text" WHERE ${names} ORDER BY time DESC LIMIT 1`,
    ]);
    expect(lastRowQueries(create({}))).toEqual([]);
    expect(readLastRow([undefined, undefined])).toBeUndefined();
  });
});
