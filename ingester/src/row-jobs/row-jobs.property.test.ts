import { parseLineProtocol } from '@joblens/core/point/parse-line-protocol';
import type { Point } from '@joblens/core/point/point';
import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { PendingPoints } from '../pipeline/pending-points.js';
import type { StateChange } from '../queue/point-queue.js';
import { StateRegistry } from '../queue/state-registry.js';
import { describeBuckets, findBuckets } from '../testing/bucket-law.js';
import { createFakeClock } from '../testing/fake-clock.js';
import { StoredPoints } from '../testing/stored-points.js';
import { RowJobs } from './row-jobs.js';

const START_NS = 1_700_000_000_000_000_000n;

interface Limits {
  readonly maxTablesOfAll?: number;
  readonly maxJobs?: number;
  readonly maxTables?: number;
}

/** A process with its spool and its store, which may be killed after any record. */
function createProcess(limits: Limits = {}) {
  const clock = createFakeClock();
  const stored = new StoredPoints();
  const kept = new Map<string, string[]>();
  const said: string[] = [];
  const points = new PendingPoints(
    (message) => said.push(message),
    () => undefined
  );
  const keep = ({ key, kind, value }: StateChange): void => {
    if (kind === 'gone') kept.delete(key);
    else kept.set(key, kind === 'whole' ? [value] : [...(kept.get(key) ?? ['no whole state']), value]);
  };
  const start = (): RowJobs =>
    new RowJobs({
      ...{ points, clock, rewrites: () => true, states: new StateRegistry(), maxTables: 1000, ...limits },
      rules: { jobTags: ['job', 'job_id'], user: 'ann' },
      restored: new Map([...kept].map(([key, values]) => [key, [...values]])),
      warn: (message) => said.push(message),
    });
  let jobs = start();
  const commit = (): void => {
    stored.write(points.take().bytes.toString());
    for (const state of jobs.takeStates()) keep(state);
  };
  return {
    ...{ clock, said, kept },
    list: () => stored.list(),
    get size() {
      return jobs.size;
    },
    send(lines: readonly string[]) {
      const parsed = parseLineProtocol(lines.join('\n'), { precision: 'ns', defaultTimeNs: 0n });
      for (const point of parsed.points) {
        const row = jobs.read(point);
        if (row !== undefined) jobs.addRow(row, point.timeNs);
      }
      commit();
    },
    tick(isEnd = false) {
      jobs.writeDue(isEnd);
      commit();
    },
    kill() {
      points.take();
      jobs = start();
    },
  };
}

const of = (points: readonly Point[], measurement: string): Point[] =>
  points.filter((point) => point.measurement === measurement);
/** How many rows the summaries of each job's tables count. */
function countSummed(points: readonly Point[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { tags, fields } of of(points, 'job_series')) {
    const table = `${tags.get('job')} ${tags.get('series')}`;
    sums[table] = (sums[table] ?? 0) + Number(fields.get('rows'));
  }
  return sums;
}

function countRows(points: readonly Point[]): Record<string, number> {
  const rows: Record<string, Set<bigint>> = {};
  for (const { measurement, tags, timeNs } of points) {
    if (measurement !== 'job_metadata' && measurement !== 'job_metadata_text') continue;
    (rows[`${tags.get('job')} ${tags.get('series')}`] ??= new Set()).add(timeNs);
  }
  return Object.fromEntries(Object.entries(rows).map(([table, times]) => [table, times.size]));
}

const SERIES = [
  (i: number) => `loss,job_id=7 iteration=${i}i,value=${Math.sin(i)}`,
  (i: number) => `loss,job_id=7,rank=1 value=${i},iteration=${i}i`,
  (i: number) => `m,job=-7.(b)\\ "x",user=o'hara\\ b a=t,b="text ${i}"`,
  (i: number) => (i % 3 === 0 ? `m,job=7 x=${i}` : `m,job=7 x=${i},y="none"`),
] as const;

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ series: fc.nat(SERIES.length - 1), points: fc.integer({ min: 1, max: 700 }) }) },
  { weight: 2, arbitrary: fc.constantFrom('again', 'kill', 'tick') }
);

describe('the jobs of points', () => {
  it('store each row once and sum them up truly, however often they are sent, and killed in between', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.boolean(), (steps, hasFewTables) => {
        const process = createProcess(hasFewTables ? { maxTablesOfAll: 2, maxJobs: 5 } : {});
        let [sent, count] = [[] as string[], 0];
        for (const one of steps) {
          if (one === 'again') process.send(sent);
          else if (one === 'kill') process.kill();
          else if (one === 'tick') void process.clock.advance(2000).then(() => undefined);
          else {
            const format = SERIES[one.series] ?? SERIES[0];
            sent = Array.from({ length: one.points }, () => `${format((count += 1))} ${START_NS + BigInt(count)}`);
            process.send(sent);
          }
          process.tick();
        }
        process.tick(true);
        const points = process.list();
        const rows = countRows(points);
        expect(countSummed(points)).toEqual(rows);
        expect(Object.values(rows).reduce((sum, each) => sum + each, 0)).toBe(count);
        if (!hasFewTables) expect(describeBuckets(points)).toEqual(findBuckets(points));
        expect(process.said).toEqual([]);
      }),
      { numRuns: randomCases(60) }
    );
  });

  it('keep rows that come late as rows, and the table goes on', () => {
    const process = createProcess();
    for (const second of [1, 2, 5, 3, 5, 6])
      process.send([`m,job=7 x=${second} ${START_NS + BigInt(second) * 10n ** 9n}`]);
    process.tick(true);
    expect(of(process.list(), 'job_metadata').map(({ fields }) => fields.get('x'))).toEqual([1, 2, 3, 5, 6]);
    expect(Object.values(countSummed(process.list()))).toEqual([5]);
  });

  it('sum rows up truly whatever the order in which they come, also again, and killed in between', () => {
    const places = fc.array(
      fc.record({ second: fc.nat({ max: 120 }), then: fc.constantFrom('', '', '', 'kill', 'tick') }),
      {
        minLength: 1,
        maxLength: 200,
      }
    );
    const valueOf = (second: number): number => ((second * 37) % 101) - 50;
    fc.assert(
      fc.property(places, (sent) => {
        const process = createProcess();
        const send = (second: number): void =>
          process.send([
            `a\\ (b),job=o'h\\ 7 step=${second},v=${valueOf(second)} ${START_NS + BigInt(second) * 10n ** 9n}`,
          ]);
        for (const { second, then } of sent) {
          send(second);
          if (then === 'kill') process.kill();
          else if (then === 'tick') process.tick();
        }
        process.tick(true);
        const seconds = [...new Set(sent.map(({ second }) => second))];
        const values = seconds.map(valueOf);
        const newest = Math.max(...seconds);
        const [summary, ...others] = of(process.list(), 'job_series');
        expect(others).toEqual([]);
        const { rows, columns } = JSON.parse(String(summary?.fields.get('stats'))) as {
          readonly rows: number;
          readonly columns: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>]>;
        };
        expect([rows, summary?.fields.get('rows')]).toEqual([seconds.length, seconds.length]);
        expect(new Map(columns).get('v')).toMatchObject({
          ...{ count: seconds.length, numeric: seconds.length, last: valueOf(newest) },
          ...{ min: Math.min(...values), max: Math.max(...values) },
          sum: values.reduce((sum, value) => sum + value, 0),
        });
        // X is still found: late rows do not say that it falls.
        expect(new Map(columns).get('step')).toMatchObject({ rising: true, last: newest });
      }),
      { numRuns: randomCases(100) }
    );
  });

  it('do not count rows that are older than what is remembered, as they may have been counted', () => {
    const process = createProcess();
    const send = (from: number, to: number): void =>
      process.send(Array.from({ length: to - from }, (_, i) => `m,job=7 x=${from + i} ${START_NS + BigInt(from + i)}`));
    send(300, 1000);
    send(0, 300);
    send(900, 1000);
    process.kill();
    send(0, 1000);
    process.tick(true);
    expect(Object.values(countRows(process.list()))).toEqual([1000]);
    expect(Object.values(countSummed(process.list()))).toEqual([700]);
  });

  it('do not count a row of the far future, which would make all others late', () => {
    const process = createProcess();
    process.send([`m,job=7 x=1 ${START_NS * 2n}`, `m,job=7 x=2 ${START_NS}`, `m,job=7 x=3 ${START_NS + 1n}`]);
    process.tick(true);
    expect(Object.values(countRows(process.list()))).toEqual([3]);
    expect(Object.values(countSummed(process.list()))).toEqual([2]);
  });

  it('hold a bounded number of jobs and tables, and go on with those that were let go', () => {
    const process = createProcess({ maxTablesOfAll: 10, maxJobs: 20 });
    for (let round = 0; round < 3; round += 1) {
      for (let job = 0; job < 60; job += 1) {
        process.send([`m,job=${job} x=1 ${START_NS + BigInt(round * 60 + job)}`]);
        expect(process.size).toBeLessThanOrEqual(20);
      }
    }
    process.tick(true);
    expect(process.kept.size).toBeLessThanOrEqual(20);
    expect(countSummed(process.list())).toEqual(countRows(process.list()));
    expect(Object.values(countRows(process.list()))).toEqual(Array.from({ length: 60 }, () => 3));
  });

  it('let a job go that sends nothing for a day', async () => {
    const process = createProcess();
    process.send([`m,job=7 x=1 ${START_NS}`]);
    await process.clock.advance(90_000_000);
    process.tick();
    process.kill();
    process.send([`m,job=7 x=1 ${START_NS}`, `m,job=7 x=2 ${START_NS + 5n * 10n ** 9n}`]);
    process.tick(true);
    expect(of(process.list(), 'job_series').map(({ fields }) => fields.get('rows'))).toEqual([1, 1]);
    expect(Object.values(countRows(process.list()))).toEqual([2]);
  });

  it('make no rows of more series than a job may have, and say so once', () => {
    const process = createProcess({ maxTables: 2 });
    for (let i = 0; i < 5; i += 1) process.send([`m,job=7,n=${i} x=1 ${START_NS + BigInt(i)}`]);
    process.tick(true);
    expect(Object.keys(countRows(process.list()))).toHaveLength(2);
    expect(process.said).toEqual(['job 7 of ann: more than 2 series came; points of further ones are no rows']);
  });

  it('leave a heartbeat in each slot in which rows say that they lived', () => {
    const process = createProcess();
    for (const minutes of [0, 1, 11, 12, 200]) {
      process.send([`m,job="7\\ (x)" x=1 ${START_NS + BigInt(minutes) * 60n * 10n ** 9n}`]);
      process.kill();
    }
    const beats = of(process.list(), 'job_heartbeat').filter(({ tags }) => tags.get('grid') === '10m');
    expect(beats.map(({ fields }) => fields.get('job'))).toEqual(['"7 (x)"', '"7 (x)"', '"7 (x)"']);
  });
});
