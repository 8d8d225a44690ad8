import {
  MEASUREMENT,
  addJobValues,
  createColumn,
  createJobPoint,
  createLogPoints,
  createMeasurement,
  createMetadataPoints,
  createSelect,
  createSeriesName,
  createSeriesPoint,
  createTableStats,
  createTagDimension,
  foldRow,
  jobValuesQuery,
  jobsQuery,
  joinRows,
  logQuery,
  namesQuery,
  readJobs,
  readLogLines,
  readNames,
  readTables,
  rowsQueries,
  tablesQuery,
} from '@joblens/core';
import type { JobSource, Point } from '@joblens/core';
import { describeWith } from './components.js';
import { startInfluxdb } from './influxdb.js';
import type { Influxdb } from './influxdb.js';
import { createInfluxqlClient } from './influxql-client.js';
import type { InfluxqlClient } from './influxql-client.js';

const START_NS = 1_700_000_000_123_456_789n;
const SECOND_NS = 1_000_000_000n;

describeWith(['influxd'], 'the queries of the readers on a real InfluxDB', () => {
  let influxdb: Influxdb;
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
    influxdb = await startInfluxdb();
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
  }, 60_000);
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

  it('give the values of a page of jobs afterwards', async () => {
    const request = { user: "o'hara", values: false };
    const jobs = readJobs(await client.ask(...jobsQuery(request)), request);
    expect(jobs.map((job) => job.values.size)).toEqual([0]);
    const [values] = await client.ask(jobValuesQuery(jobs));
    expect(addJobValues(jobs, values)[0]?.values.get('fast_rcnn/cls_accuracy')).toBe(9001);
  });

  it('give the whole log in order, a long line joined from its parts', async () => {
    const [result] = await client.ask(logQuery({ job: '123_4', user: 'ann', order: 'asc', limit: 100 }));
    const lines = readLogLines(result, 100);
    expect(lines.map(({ line }) => (line === longLine ? 'long' : line))).toEqual([
      ...Array.from({ length: 10 }, (_, at) => `line ${String(at)}`),
      'long',
    ]);
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
    const limit = 4;
    const seen: string[] = [];
    let bounds: { fromNs?: bigint; beforeNs?: bigint } = {};
    for (let page = 0; page < 20; page++) {
      const [result] = await client.ask(logQuery({ job: '123_4', user: 'ann', order, limit, ...bounds }));
      const lines = readLogLines(result, limit);
      const last = lines.at(-1);
      if (last === undefined) break;
      seen.push(...lines.map(({ line }) => (line === longLine ? 'long' : line)));
      bounds =
        order === 'desc' ? { beforeNs: last.timeNs } : { fromNs: last.timeNs + (last.line === longLine ? 10n : 1n) };
    }
    const rising = [...Array.from({ length: 10 }, (_, at) => `line ${String(at)}`), 'long'];
    expect(seen).toEqual(order === 'asc' ? rising : rising.toReversed());
  });

  it('give one stream only, and one task only', async () => {
    const [stderr, task] = await client.ask(
      logQuery({ job: '123_4', user: 'ann', streams: ['stderr'], order: 'desc', limit: 100 }),
      logQuery({ job: ['alpha/7', 'none'], task: '1', order: 'desc', limit: 2 })
    );
    expect(readLogLines(stderr).map(({ line }) => line)).toEqual(['line 9', 'line 6', 'line 3', 'line 0']);
    expect(readLogLines(task).map(({ line, task: rank }) => [line, rank])).toEqual([
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
