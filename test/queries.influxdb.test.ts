import { createColumn, createMeasurement, createSelect, createTagDimension } from '@joblens/core/influxql/build';
import { findJobsQuery, readFoundJobs } from '@joblens/core/ask/heartbeats/find-jobs';
import { findOtherJobsQuery, heartbeatEraQuery, isHeartbeatEra } from '@joblens/core/ask/jobs/find-other-jobs';
import { findRowJobs, rowJobNamesQueries } from '@joblens/core/ask/tables/find-row-jobs';
import { addJobValues, jobsQuery, jobValuesQuery, readJobs } from '@joblens/core/ask/jobs/jobs';
import { logCountQuery, logQuery, type LogRequest, readLogCount, readLogPage } from '@joblens/core/ask/log/log';
import { namesQuery, readNames } from '@joblens/core/ask/jobs/names';
import { joinRows, rowsQueries } from '@joblens/core/ask/tables/rows';
import { readTables, tablesQuery } from '@joblens/core/ask/tables/tables';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createJobPoint } from '@joblens/core/schema/job-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import { type JobSource, MEASUREMENT } from '@joblens/core/schema/measurements';
import { createMetadataPoints, createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import type { Point } from '@joblens/core/point/point';
import { describeWith } from './components.js';
import { createInfluxqlClient, type InfluxqlClient, readAll } from './influxql-client.js';
import { startStoreUnderTest, type StoreUnderTest } from './store-under-test.js';

const START_NS = 1_700_000_000_123_456_789n;
const SECOND_NS = 1_000_000_000n;

describeWith(['influxd'], 'the queries of the readers on a real InfluxDB', () => {
  let influxdb: StoreUnderTest;
  let client: InfluxqlClient;
  const described: JobSource = { job: '123_4', user: "o'hara" };
  const piped: JobSource = { job: '123_4', user: 'ann' };
  const ranked: JobSource = { job: 'alpha/7', user: 'ann', task: '1' };
  const keys = [
    'time',
    'fast_rcnn/cls_accuracy',
    '_x',
    'note',
    ...Array.from({ length: 120 }, (_, at) => `k${String(at)}`),
  ];
  const series = createSeriesName(keys);
  const longLine = '😀'.repeat(40_000);

  beforeAll(async () => {
    influxdb = await startStoreUnderTest();
    client = createInfluxqlClient(influxdb.url);
    const points: Point[] = [];
    const stats = createTableStats();
    for (let at = 0; at < 10; at++) {
      const row = new Map<string, number | string>(keys.map((key, column) => [key, at * 1000 + column]));
      if (at % 2 === 1) row.set('note', `text ${String(at)}`);
      if (at === 4) for (const key of keys) row.set(key, 'only text');
      foldRow(stats, row);
      const timeNs = START_NS + BigInt(at) * SECOND_NS;
      points.push(...createMetadataPoints(described, series, row, timeNs));
      for (const source of [described, piped, ranked]) {
        points.push(
          ...createLogPoints(source, {
            stream: at % 3 === 0 ? 'stderr' : 'stdout',
            line: `line ${String(at)}`,
            kind: 'output',
            timeNs,
          })
        );
      }
    }
    points.push(
      ...createLogPoints(piped, {
        stream: 'stdout',
        line: longLine,
        kind: 'output',
        timeNs: START_NS + 20n * SECOND_NS,
      })
    );
    points.push(createSeriesPoint(described, { series, keys, stats, x: 'time', rows: 10, timeNs: START_NS }));
    points.push(createSeriesPoint(ranked, { series, keys, stats, x: 'time', rows: 10, timeNs: START_NS }));
    const startedMs = 1_700_000_000_000;
    points.push(
      createJobPoint(described, { name: 'train', state: 'running', startedMs, tags: { lr: '0.1' } }, START_NS)
    );
    points.push(
      createJobPoint(
        described,
        { state: 'failed', exitCode: 3, endedMs: startedMs + 60_000 },
        START_NS + 60n * SECOND_NS
      )
    );
    await client.write(points);
  });
  afterAll(async () => {
    await influxdb.stop();
  });

  it('list the jobs, also those that were only piped', async () => {
    const jobs = readJobs(await client.ask(...jobsQuery({})));
    expect(
      jobs.map(({ job, user, state, exitCode, endedMs, tags }) => ({ job, user, state, exitCode, endedMs, tags }))
    ).toEqual([
      { job: 'alpha/7', user: 'ann' },
      { job: '123_4', user: 'ann' },
      { job: '123_4', user: "o'hara", state: 'failed', exitCode: 3, endedMs: 1_700_000_060_000, tags: { lr: '0.1' } },
    ]);
    expect(jobs[1]).toMatchObject({ firstSeenNs: START_NS, lastSeenNs: START_NS + 20n * SECOND_NS + 2n });
    expect([...(jobs[2]?.values ?? [])].slice(0, 4)).toEqual([
      ['time', 9000],
      ['fast_rcnn/cls_accuracy', 9001],
      ['_x', 9002],
      ['note', 'text 9'],
    ]);
  });

  it.each([
    [
      START_NS + 15n * SECOND_NS,
      START_NS + 16n * SECOND_NS,
      [
        ['123_4', 'ann'],
        ['123_4', "o'hara"],
      ],
    ],
    [START_NS + 50n * SECOND_NS, undefined, [['123_4', "o'hara"]]],
    [START_NS + 61n * SECOND_NS, undefined, []],
    [undefined, START_NS - 1n, [['123_4', "o'hara"]]],
    [undefined, START_NS - SECOND_NS, []],
  ])('list the jobs that ran from %s to %s', async (fromNs, toNs, expected) => {
    const request = { fromNs, toNs };
    const jobs = readJobs(await client.ask(...jobsQuery(request)), request);
    expect(jobs.map(({ job, user }) => [job, user])).toEqual(expected);
  });

  it('find the jobs of a range by their heartbeats, and others by what else they have', async () => {
    const livesOn: JobSource = { job: 'silent', user: 'ann' };
    const startMs = Number(START_NS / 1_000_000n);
    const beats = HEARTBEAT_GRIDS.flatMap((grid) =>
      [0, 1, 2].map((slot) =>
        createHeartbeatPoint(livesOn, grid, findSlotStartMs(startMs, grid) + slot * grid.slotMs, { state: 'RUNNING' })
      )
    );
    await client.write(beats);
    const lists = async (fromNs: bigint, toNs: bigint): Promise<string[]> =>
      readFoundJobs(await client.ask(findJobsQuery({ fromNs, toNs, user: 'ann' }))).map(({ job }) => job);
    const minutesNs = (minutes: number): bigint => BigInt(minutes) * 60n * SECOND_NS;
    expect(await lists(START_NS + minutesNs(10), START_NS + minutesNs(11))).toEqual(['silent']);
    expect(await lists(START_NS + minutesNs(30), START_NS + minutesNs(40))).toEqual([]);
    expect(await lists(START_NS + minutesNs(30), START_NS + minutesNs(60 * 24))).toEqual(['silent']);
    const weekNs = minutesNs(7 * 24 * 60);
    const eras = await client.ask(
      ...[0n, 1n, 2n, 3n].map((weeks) => heartbeatEraQuery({ fromNs: START_NS + weeks * weekNs }))
    );
    expect(eras.map(isHeartbeatEra)).toEqual([false, true, true, false]);
    const range = { fromNs: START_NS, toNs: START_NS + SECOND_NS };
    const others = readFoundJobs(await client.ask(...findOtherJobsQuery(range)));
    expect(others.map(({ job, user }) => [job, user]).sort()).toEqual([
      ['123_4', 'ann'],
      ['123_4', "o'hara"],
      ['alpha/7', 'ann'],
    ]);
  });

  it('find the jobs that have rows alone, in the range', async () => {
    const row = (at: number) =>
      new Map<string, number | string>([
        ['step', at],
        ['state', 'none of a job'],
      ]);
    const foreign = { job: 'o\'other "writer"', user: 'bob' };
    await client.write(
      [0n, 5n].flatMap((at) => createMetadataPoints(foreign, 'any', row(1), START_NS + at * SECOND_NS))
    );
    const find = async (fromNs: bigint, user?: string) => {
      const range = { fromNs, toNs: fromNs + SECOND_NS, user };
      const names = await client.ask(...rowJobNamesQueries(range));
      return await readAll(client, findRowJobs(range, names));
    };
    expect(await find(START_NS)).toEqual([{ ...foreign, fromNs: START_NS, toNs: START_NS }]);
    expect(await find(START_NS + 4n * SECOND_NS)).toMatchObject([{ ...foreign, toNs: START_NS + 5n * SECOND_NS }]);
    expect(await find(START_NS + 2n * SECOND_NS)).toEqual([]);
    expect(await find(START_NS, 'ann')).toEqual([]);
  });

  it('give the values of a page of jobs afterwards', async () => {
    const request = { user: "o'hara", values: false };
    const jobs = readJobs(await client.ask(...jobsQuery(request)), request);
    expect(jobs.map((job) => job.values.size)).toEqual([0]);
    const [values] = await client.ask(jobValuesQuery(jobs));
    expect(addJobValues(jobs, values)[0]?.values.get('fast_rcnn/cls_accuracy')).toBe(9001);
  });

  it('give the whole log in order, a long line joined from its parts', async () => {
    const request: LogRequest = { job: '123_4', user: 'ann', order: 'asc', limit: 100 };
    const [result, count] = await client.ask(logQuery(request), logCountQuery(request));
    const { lines } = readLogPage(result, request);
    expect(lines.map(({ line }) => (line === longLine ? 'long' : line))).toEqual([
      ...Array.from({ length: 10 }, (_, at) => `line ${String(at)}`),
      'long',
    ]);
    expect(readLogCount(count, request)).toBe(lines.length);
    expect(lines[1]).toEqual({
      timeNs: START_NS + SECOND_NS,
      job: '123_4',
      user: 'ann',
      stream: 'stdout',
      kind: 'output',
      line: 'line 1',
    });
  });

  it.each(['asc', 'desc'] as const)('page the log without loss or doubles (%s)', async (order) => {
    const seen: string[] = [];
    let edge: Partial<LogRequest> = {};
    let limit = 4;
    for (let page = 0; page < 20; page++) {
      const request: LogRequest = { job: '123_4', user: 'ann', order, limit, ...edge };
      const [result] = await client.ask(logQuery(request));
      const { lines, isEnd } = readLogPage(result, request);
      if (lines.length === 0 && !isEnd) {
        // The parts of a long line fill the page.
        limit *= 2;
        continue;
      }
      seen.push(...lines.map(({ line }) => (line === longLine ? 'long' : line)));
      const timeNs = lines.at(-1)?.timeNs;
      if (isEnd || timeNs === undefined) break;
      edge = order === 'desc' ? { beforeNs: timeNs } : { afterNs: timeNs };
    }
    const rising = [...Array.from({ length: 10 }, (_, at) => `line ${String(at)}`), 'long'];
    expect(seen).toEqual(order === 'asc' ? rising : rising.toReversed());
  });

  it('find the lines that match, and count them', async () => {
    const request: LogRequest = {
      ...{ job: '123_4', user: 'ann', order: 'asc', limit: 100 },
      patterns: ['(?i)LINE', '[2-4]$'],
    };
    const [result, count] = await client.ask(logQuery(request), logCountQuery(request));
    expect(readLogPage(result, request).lines.map(({ line }) => line)).toEqual(['line 2', 'line 3', 'line 4']);
    expect(readLogCount(count, request)).toBe(3);
  });

  it('give one stream only, and one task only', async () => {
    const stderr: LogRequest = { job: '123_4', user: 'ann', streams: ['stderr'], order: 'desc', limit: 100 };
    const task: LogRequest = { job: ['alpha/7', 'none'], task: '1', order: 'desc', limit: 3 };
    const results = await client.ask(logQuery(stderr), logQuery(task));
    expect(readLogPage(results[0], stderr).lines.map(({ line }) => line)).toEqual([
      'line 9',
      'line 6',
      'line 3',
      'line 0',
    ]);
    expect(readLogPage(results[1], task).lines.map(({ line, task: rank }) => [line, rank])).toEqual([
      ['line 9', '1'],
      ['line 8', '1'],
    ]);
  });

  it('give the tables with their keys in the order printed', async () => {
    const [result] = await client.ask(tablesQuery({ job: ['123_4', 'alpha/7'] }));
    expect(
      readTables(result).map(({ job, task, keys: found, x, rows, timeNs }) => [job, task, found, x, rows, timeNs])
    ).toEqual([
      ['123_4', undefined, keys, 'time', 10, START_NS],
      ['alpha/7', '1', keys, 'time', 10, START_NS],
    ]);
  });

  it.each(['asc', 'desc'] as const)('give every row of a table, page by page (%s)', async (order) => {
    const [tables] = await client.ask(tablesQuery({ job: '123_4' }));
    const [table] = readTables(tables);
    if (table === undefined) throw new Error('the table is not there');
    const pages: Array<ReadonlyMap<string, number | string | null>> = [];
    let bounds: { fromNs?: bigint; beforeNs?: bigint } = {};
    for (let page = 0; page < 10; page++) {
      const [numeric, text] = await client.ask(...rowsQueries({ table, order, limit: 3, ...bounds }));
      const rows = joinRows(numeric, text, table.keys, { order, limit: 3 });
      const last = rows.at(-1);
      if (last === undefined) break;
      pages.push(...rows.map(({ values }) => values));
      bounds = order === 'desc' ? { beforeNs: last.timeNs } : { fromNs: last.timeNs + 1n };
    }
    const rising = order === 'asc' ? pages : pages.toReversed();
    expect(rising.map((values) => [values.get('time'), values.get('note'), values.get('k119')])).toEqual(
      Array.from({ length: 10 }, (_, at) =>
        at === 4
          ? ['only text', 'only text', 'only text']
          : [at * 1000, at % 2 === 1 ? `text ${String(at)}` : at * 1000 + 3, at * 1000 + 123]
      )
    );
    expect([...(rising[0]?.keys() ?? [])]).toEqual(keys);
  });

  it('give nulls for a key that no measurement has', async () => {
    const table = { job: '123_4', user: "o'hara", series, keys: ['never', 'time'] };
    const [numeric, text] = await client.ask(...rowsQueries({ table, order: 'desc', limit: 1 }));
    expect(joinRows(numeric, text, table.keys, { limit: 1 })).toEqual([
      {
        timeNs: START_NS + 9n * SECOND_NS,
        values: new Map([
          ['never', null],
          ['time', 9000],
        ]),
      },
    ]);
    const [none] = await client.ask(...rowsQueries({ table, keys: ['never'], order: 'desc' }));
    expect(joinRows(none, none, ['never'])).toEqual([]);
  });

  it.each([
    ['jobs', {}, ['alpha/7', '123_4']],
    ['jobs', { user: "o'hara" }, ['123_4']],
    ['users', {}, ['ann', "o'hara"]],
    ['users', { job: 'alpha/7' }, ['ann']],
    ['series', { job: '123_4' }, [series]],
    ['tasks', { job: 'alpha/7' }, ['1']],
    ['tasks', { job: '123_4' }, []],
    ['series', { fromNs: START_NS, toNs: START_NS + 9n * SECOND_NS }, [series]],
    ['tasks', { fromNs: START_NS, toNs: START_NS + 9n * SECOND_NS }, ['1']],
    ['fields', { job: '123_4' }, keys],
    ['fields', { job: 'none' }, []],
  ] as const)('give the names of %s for %j', async (kind, request, expected) => {
    expect(readNames(kind, await client.ask(...namesQuery({ kind, ...request })))).toEqual(expected);
  });

  it('group by a tag that no point has', async () => {
    const [result] = await client.ask(
      createSelect({
        columns: [createColumn('state')],
        from: [createMeasurement(MEASUREMENT.job)],
        groupBy: { dimensions: [createTagDimension('task')] },
      })
    );
    expect(result?.series?.map(({ tags }) => tags)).toEqual([{ task: '' }]);
  });

  it('keep the rows of a table and of its tasks apart', async () => {
    const written: Point[] = [];
    const writers = [{}, { task: '0' }, { task: '1' }].map((task) => ({ job: 'mixed', user: 'eve', ...task }));
    for (const [n, writer] of writers.entries()) {
      const row = new Map([['n', n]]);
      const rowStats = createTableStats();
      foldRow(rowStats, row);
      written.push(...createMetadataPoints(writer, 'n', row, START_NS));
      written.push(
        createSeriesPoint(writer, { series: 'n', keys: ['n'], stats: rowStats, x: 'n', rows: 1, timeNs: START_NS })
      );
    }
    await client.write(written);
    const [result] = await client.ask(tablesQuery({ job: 'mixed' }));
    const answers = readTables(result).map(async (table) => {
      const [numeric, text] = await client.ask(...rowsQueries({ table, order: 'asc' }));
      const rows = joinRows(numeric, text, table.keys, { order: 'asc' });
      return [table.task, rows.map(({ values }) => values.get('n'))];
    });
    expect(await Promise.all(answers)).toEqual([
      [undefined, [0]],
      ['0', [1]],
      ['1', [2]],
    ]);
  });
});
