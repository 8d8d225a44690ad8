import { request as httpRequest } from 'node:http';
import { type DataFrame, type DataQueryRequest, type DataSourceInstanceSettings, dateTime } from '@grafana/data';
import { inferXAxis } from '@joblens/core/axis/x-axis';
import { formatPoint } from '@joblens/core/point/line-protocol';
import type { Point } from '@joblens/core/point/point';
import { createHeartbeatPoint, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createJobPoint } from '@joblens/core/schema/job-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import { createMetadataPoints, createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTransitionPoint } from '@joblens/core/schema/transition-point';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import { lastValueFrom } from 'rxjs';
import { JoblensDataSource } from '../src/datasource/datasource.js';
import type { JoblensOptions } from '../src/datasource/types.js';
import type { AnalyticsQuery } from '../src/query-types/analytics/analytics.js';
import type { InfluxqlQuery } from '../src/query-types/influxql/influxql.js';
import type { LogsQuery } from '../src/query-types/logs/logs.js';
import type { MetadataQuery } from '../src/query-types/metadata/metadata.js';
import type { JoblensQuery } from '../src/query-types/parts/query-type.js';
import { createTemplates } from './fake-templates.js';
import { readJoblensMeta, toPlainFields } from './frame-table.js';
import { createProxyBackend, PROXY_URL } from './proxy-backend.js';
import { describeWith, type Influxdb, startInfluxdb } from './real-influxdb.js';

const FROM_MS = 1_700_000_000_000;
const T0 = BigInt(FROM_MS) * 1_000_000n;
const JOB = String.raw`o'hara, "x"=1\ /7`;
const KEYS = ['time', 'fast_rcnn/cls_accuracy', '_a "b"', 'note'];

function createSource(
  target: string,
  jsonData: JoblensOptions = {},
  proxy: { authorization?: string; token?: string; onReply?: (bytes: number) => void; onSend?: () => void } = {}
) {
  const settings = {
    url: PROXY_URL,
    name: 'Joblens',
    jsonData: { database: 'joblens', ...jsonData },
  } as DataSourceInstanceSettings<JoblensOptions>;
  return new JoblensDataSource(
    settings,
    createProxyBackend({ target, ...proxy }),
    createTemplates({ job: JOB, user: ['ann', "b'ob"] })
  );
}

async function run(
  dataSource: JoblensDataSource,
  query: Partial<LogsQuery & MetadataQuery & InfluxqlQuery & AnalyticsQuery>
): Promise<DataFrame[]> {
  const raw = { from: 'now-1m', to: 'now' };
  const range = { from: dateTime(FROM_MS), to: dateTime(FROM_MS + 60_000), raw };
  const request = { targets: [{ refId: 'A', ...query }], range, scopedVars: {}, requestId: 'Q1' };
  const response = await lastValueFrom(dataSource.query(request as unknown as DataQueryRequest<JoblensQuery>));
  expect(response.errors).toBeUndefined();
  return response.data as DataFrame[];
}

function createPoints(): Point[] {
  const source = { job: JOB, user: "b'ob" };
  const series = createSeriesName(KEYS);
  const stats = createTableStats();
  const rows = [0, 1, 2].map(
    (at) =>
      new Map<string, number | string>([
        ['time', at],
        ['fast_rcnn/cls_accuracy', at / 4],
        ['_a "b"', at === 1 ? 'NaN' : at],
        ['note', `line\n${at}`],
      ])
  );
  for (const row of rows) foldRow(stats, row);
  const summary = { series, keys: KEYS, stats, x: inferXAxis(stats)?.key, rows: rows.length, timeNs: T0 + 10n };
  return [
    createJobPoint(source, { name: 'train', state: 'RUNNING', startedMs: FROM_MS, tags: { model: 'a, b' } }, T0),
    ...rows.flatMap((row, at) => createMetadataPoints(source, series, row, T0 + BigInt(at * 1000 + 10))),
    createSeriesPoint(source, summary),
    ...[0, 1, 2, 3].flatMap((at) =>
      createLogPoints(source, {
        stream: at === 3 ? 'stderr' : 'stdout',
        line: `line ${at} 😀`,
        kind: 'output',
        timeNs: T0 + BigInt(at) * 1000n,
      })
    ),
  ];
}

function write(url: string, points: readonly Point[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${url}/write?db=joblens&precision=ns`, { method: 'POST' }, (incoming) => {
      incoming.resume().on('end', () => resolve(incoming.statusCode ?? 0));
    });
    outgoing.on('error', reject);
    outgoing.end(points.map(formatPoint).join('\n'));
  });
}

describeWith(['influxd'], 'the data source before a real InfluxDB', () => {
  let influxdb: Influxdb | undefined;
  const url = (): string => influxdb?.url ?? 'http://influxdb-did-not-start';

  beforeAll(async () => {
    influxdb = await startInfluxdb();
  });
  afterAll(() => influxdb?.stop());

  it('finds the database empty, then filled', async () => {
    const dataSource = createSource(url());
    expect(await dataSource.testDatasource()).toMatchObject({
      status: 'success',
      message: expect.stringMatching(/no job was logged/) as unknown,
    });
    expect(await write(url(), createPoints())).toBe(204);
    expect(await dataSource.testDatasource()).toMatchObject({
      status: 'success',
      message: expect.stringMatching(/holds logged jobs/) as unknown,
    });
  });

  it('reads the log of a job whose name needs quoting, newest lines first cut, ascending', async () => {
    const frames = await run(createSource(url()), {
      queryType: 'logs',
      job: '$job',
      user: '$user',
      stream: 'both',
      limit: 3,
    });
    expect(toPlainFields(frames[0])[1]).toEqual(['body', 'string', 'line 1 😀', 'line 2 😀', 'line 3 😀']);
    expect(readJoblensMeta(frames[0])).toEqual({ kind: 'logs', job: JOB, limited: true });
    const [stdout] = await run(createSource(url()), { queryType: 'logs', job: '$job' });
    expect(stdout?.length).toBe(3);
  });

  it('reads tables key for key', async () => {
    const [frame] = await run(createSource(url()), { queryType: 'metadata', job: '$job' });
    expect(toPlainFields(frame)).toEqual([
      ['time', 'time', FROM_MS, FROM_MS, FROM_MS],
      ['time', 'number', 0, 1, 2],
      ['fast_rcnn/cls_accuracy', 'number', 0, 0.25, 0.5],
      ['_a "b"', 'number', 0, NaN, 2],
      ['note', 'string', 'line\n0', 'line\n1', 'line\n2'],
    ]);
    expect(readJoblensMeta(frame)).toMatchObject({
      x: { key: 'time', rung: 3 },
      tsNs: [10, 1010, 2010].map((at) => String(T0 + BigInt(at))),
    });
  });

  it('lists jobs with their last values', async () => {
    const [frame] = await run(createSource(url()), { queryType: 'jobs', user: '$user' });
    const cells = Object.fromEntries(toPlainFields(frame).map(([name, , value]) => [name, value]));
    expect(cells).toMatchObject({ job: JOB, user: "b'ob", name: 'train', state: 'RUNNING', tags: 'model=a, b' });
    expect(cells['values']).toMatch(/^time 2, fast_rcnn\/cls_accuracy 0\.5, _a "b" 2/);
  });

  it('sends InfluxQL with variables in every place', async () => {
    const rawQuery = `SELECT count("line") AS n FROM "job_log" WHERE "user" =~ /^$user$/ AND $timeFilter GROUP BY "stream"`;
    const frames = await run(createSource(url()), { queryType: 'influxql', rawQuery });
    expect(frames.map((frame) => [frame.name, toPlainFields(frame)[1]])).toEqual([
      ['job_log {stream: stderr}', ['n', 'number', 1]],
      ['job_log {stream: stdout}', ['n', 'number', 3]],
    ]);
  });

  it.each([
    ['jobs', {}, [JOB]],
    ['users', { job: '$job' }, ["b'ob"]],
    ['fields', { job: '$job' }, KEYS],
    ['series', { job: 'none' }, []],
  ] as const)('finds the %s of the store', async (query, parts, names) => {
    const range = { from: dateTime(FROM_MS), to: dateTime(FROM_MS + 60_000), raw: { from: '', to: '' } };
    expect(await createSource(url()).findNames({ query, ...parts, range })).toEqual({ names, isLimited: false });
  });

  it('counts the jobs of a tag, of an id of the scheduler and from a state', async () => {
    const points = ['a', 'b'].flatMap((job) => {
      const source = { job, user: 'counted' };
      const [begun, ended] = [T0 + 1_000_000_000n, T0 + 9_000_000_000n];
      return [
        createTransitionPoint(source, { origin: 'slurm', fromState: 'PENDING', toState: 'RUNNING' }, begun),
        createTransitionPoint(source, { origin: 'slurm', fromState: 'RUNNING', toState: 'COMPLETED' }, ended),
        createJobPoint(source, { state: 'COMPLETED', tags: { part: job }, schedulerId: `${job}.batch` }, ended),
        createHeartbeatPoint(source, HEARTBEAT_GRIDS[0], FROM_MS + 5000, { state: 'RUNNING' }),
      ];
    });
    expect(await write(url(), points)).toBe(204);
    const query: Partial<AnalyticsQuery> = { queryType: 'analytics', report: 'throughput', users: ['counted'] };
    const count = async (filter: Partial<AnalyticsQuery>): Promise<unknown> => {
      const [frame] = await run(createSource(url()), { ...query, ...filter });
      return frame?.fields[1] === undefined ? 0 : Array.from(frame.fields[1].values).at(-1);
    };
    expect(await Promise.all([count({}), count({ tags: ['part=a'] }), count({ tags: ['part=c'] })])).toEqual([2, 1, 0]);
    expect(await Promise.all([count({ schedulerIds: ['b.batch'] }), count({ schedulerIds: ['b'] })])).toEqual([1, 0]);
    expect(await Promise.all(['RUNNING', 'PENDING'].map((state) => count({ fromStates: [state] })))).toEqual([2, 0]);
  });

  it('finds a job by its name, or a part of it, whenever it ran', async () => {
    const names = async (search: string, fromMs: number) => {
      const range = { from: dateTime(fromMs), to: dateTime(fromMs + 60_000), raw: { from: '', to: '' } };
      return (await createSource(url()).findNames({ query: 'jobs', search, range })).names;
    };
    const [longAgo, part] = [FROM_MS + 30 * 86_400_000, JOB.slice(0, 3)];
    expect([await names(JOB, longAgo), await names(part, longAgo)]).toEqual([[JOB], [JOB]]);
    expect([await names(part, FROM_MS), await names('none such', FROM_MS)]).toEqual([[JOB], []]);
  });

  it.each<[string, Partial<JoblensOptions>, RegExp]>([
    ['a missing database', { database: 'none such' }, /no database "none such" \(database not found: none such\)/],
  ])('says what is wrong: %s', async (_name, jsonData, message) => {
    expect(await createSource(url(), jsonData).testDatasource()).toMatchObject({
      status: 'error',
      message: expect.stringMatching(message) as unknown,
    });
  });

  it('says that nothing listens there', async () => {
    expect(await createSource('http://127.0.0.1:9').testDatasource()).toMatchObject({
      status: 'error',
      message: expect.stringMatching(/cannot be reached/) as unknown,
    });
  });

  it('gives InfluxDB’s own words for a query it cannot read', async () => {
    const request = {
      targets: [{ refId: 'A', queryType: 'influxql', rawQuery: 'SELEKT 1' }],
      range: { from: dateTime(0), to: dateTime(1), raw: { from: dateTime(0), to: dateTime(1) } },
      scopedVars: {},
      requestId: 'Q',
    };
    const response = await lastValueFrom(
      createSource(url()).query(request as unknown as DataQueryRequest<JoblensQuery>)
    );
    expect(response.errors).toEqual([
      { refId: 'A', message: expect.stringContaining('error parsing query: found SELEKT') as unknown },
    ]);
  });

  it('reads the lines around others, each once, and which streams there are', async () => {
    const query = { queryType: 'logs', job: '$job', stream: 'both' } as const;
    const timesNs = [T0 + 1000n, T0 + 2000n].map(String);
    const [around] = await run(createSource(url()), { ...query, limit: 1, slice: { want: 'around', timesNs } });
    expect(toPlainFields(around)[1]?.slice(2)).toEqual(['line 0 😀', 'line 1 😀', 'line 2 😀', 'line 3 😀']);
    const [alone] = await run(createSource(url()), {
      ...{ ...query, limit: 1 },
      slice: { want: 'around', timesNs: [String(T0 + 3000n)] },
    });
    expect(toPlainFields(alone)[1]?.slice(2)).toEqual(['line 2 😀', 'line 3 😀']);
    const [streams] = await run(createSource(url()), { ...query, slice: { want: 'streams' } });
    expect(toPlainFields(streams)[0]?.slice(2)).toEqual(['stderr', 'stdout']);
  });

  it('transfers at most 5% of the first load when a running job is refreshed', async () => {
    const source = { job: 'long', user: 'ann' };
    const createLines = (from: number, count: number): Point[] =>
      Array.from({ length: count }, (_, at) => ({
        stream: 'stdout' as const,
        line: `step ${from + at} loss ${((from + at) / 7).toFixed(4)}`,
        kind: 'output' as const,
        timeNs: T0 + BigInt(from + at) * 1_000_000n,
      })).flatMap((row) => createLogPoints(source, row));
    expect(await write(url(), createLines(0, 5000))).toBe(204);
    const sizes: number[] = [];
    const dataSource = createSource(url(), {}, { onReply: (bytes) => sizes.push(bytes) });
    const read = async (): Promise<unknown[] | undefined> => {
      const [frame] = await run(dataSource, { queryType: 'logs', job: 'long' });
      await new Promise((resolve) => setTimeout(resolve, 600));
      return toPlainFields(frame)[1]?.slice(2);
    };
    await read();
    expect(await write(url(), createLines(4999, 6))).toBe(204);
    expect((await read())?.slice(-2)).toEqual(['step 5003 loss 714.7143', 'step 5004 loss 714.8571']);
    const [fresh] = await run(createSource(url()), { queryType: 'logs', job: 'long' });
    expect(await read()).toEqual(toPlainFields(fresh)[1]?.slice(2));
    expect(sizes).toHaveLength(3);
    expect(Math.max(...sizes.slice(1))).toBeLessThan(0.05 * (sizes[0] ?? 0));
  });

  it('transfers at most 5% of the first load when the tables of a running job are refreshed', async () => {
    const source = { job: 'table', user: 'ann' };
    const keys = ['step', 'loss', 'grad_norm', 'lr', 'throughput'];
    const series = createSeriesName(keys);
    const stats = createTableStats();
    const createRows = (from: number, count: number): Point[] => {
      const points = Array.from({ length: count }, (_, at) => from + at).flatMap((at) => {
        const numbers = [at, Math.sin(at), Math.cos(at), 1 / (at + 1), 1000 + Math.sin(at / 7)];
        const row = new Map<string, number | string>(keys.map((key, place) => [key, numbers[place] ?? 0]));
        if (at % 200 === 7) row.set('loss', 'NaN');
        foldRow(stats, row);
        return createMetadataPoints(source, series, row, T0 + BigInt(at) * 5_000_000n);
      });
      return [...points, createSeriesPoint(source, { series, keys, stats, x: 'step', rows: from + count, timeNs: T0 })];
    };
    expect(await write(url(), createRows(0, 10_000))).toBe(204);
    const sizes: number[] = [];
    let [rounds, isSending] = [0, false];
    const dataSource = createSource(
      url(),
      {},
      {
        onReply: (bytes) => {
          sizes.push(bytes);
          isSending = false;
        },
        // A request after an answer begins another round.
        onSend: () => {
          if (!isSending) rounds += 1;
          isSending = true;
        },
      }
    );
    const countRounds = async (action: () => Promise<unknown>): Promise<number> => {
      rounds = 0;
      await action();
      return rounds;
    };
    const readAll = async (source: JoblensDataSource) =>
      (await run(source, { queryType: 'metadata', job: 'table' })).map(toPlainFields);
    const expectAllTables = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      expect(await readAll(dataSource)).toEqual(await readAll(createSource(url())));
    };
    const read = async (source: JoblensDataSource) => {
      const [frame] = await run(source, { queryType: 'metadata', job: 'table' });
      return { fields: toPlainFields(frame), meta: readJoblensMeta(frame) };
    };
    const measure = async () => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      sizes.length = 0;
      const table = await read(dataSource);
      return { table, bytes: sizes.reduce((sum, size) => sum + size, 0) };
    };
    const first = await measure();
    const expectRefresh = async (): Promise<number> => {
      const { table, bytes } = await measure();
      expect(table).toEqual(await read(createSource(url())));
      return bytes / first.bytes;
    };
    expect(first.table.fields[1]).toHaveLength(2 + 10_000);
    for (const from of [10_000, 10_005, 10_010]) {
      expect(await write(url(), createRows(from, 5))).toBe(204);
      expect(await expectRefresh()).toBeLessThan(0.05);
    }
    expect(await countRounds(() => measure())).toBe(1);
    // A table that nobody expected is read when its description has come.
    const other = createSeriesName(['step', 'acc']);
    const row = new Map([['step', 1] as const, ['acc', 0.5] as const]);
    const summary = { series: other, keys: ['step', 'acc'], stats: createTableStats(), x: 'step', rows: 1 };
    const found = [
      ...createMetadataPoints(source, other, row, T0 + 7n),
      createSeriesPoint(source, { ...summary, timeNs: T0 + 7n }),
    ];
    expect(await write(url(), found)).toBe(204);
    expect(await countRounds(expectAllTables)).toBe(2);
    expect(await countRounds(expectAllTables)).toBe(1);
    // Rows that come late are seen within a minute: near the end they are read again, far back a count finds them.
    const startMs = performance.now();
    const clock = jest.spyOn(performance, 'now');
    const waitMinutes = (minutes: number) => clock.mockReturnValue(startMs + minutes * 61_000);
    const late = new Map([['lr', 1]]);
    waitMinutes(1);
    expect(await write(url(), createMetadataPoints(source, series, late, T0 + 10_010n * 5_000_000n + 1n))).toBe(204);
    expect(await expectRefresh()).toBeLessThan(0.05);
    expect(await write(url(), createMetadataPoints(source, series, late, T0 + 1n))).toBe(204);
    waitMinutes(2);
    expect(await expectRefresh()).toBeGreaterThan(0.9);
    expect(await expectRefresh()).toBeLessThan(0.05);
    clock.mockRestore();
  });

  it('finds the tables of a writer that does not describe them once a minute, and reads their end at a refresh', async () => {
    const source = { job: 'bare', user: 'ann' };
    const createRows = (series: string, from: number, count: number): Point[] =>
      Array.from({ length: count }, (_, at) => from + at).flatMap((at) => {
        const row = new Map([
          ['step', at],
          ['loss', Math.sin(at)],
        ]);
        return createMetadataPoints(source, series, row, T0 + BigInt(at) * 2_000_000n);
      });
    expect(await write(url(), createRows('loss,step', 0, 20_000))).toBe(204);
    const sizes: number[] = [];
    const dataSource = createSource(url(), {}, { onReply: (bytes) => sizes.push(bytes) });
    const read = async () => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      return (await run(dataSource, { queryType: 'metadata', job: 'bare' })).map((frame) => readJoblensMeta(frame));
    };
    const [first] = await read();
    expect(first).toHaveProperty('folded');
    const firstBytes = sizes.splice(0).reduce((sum, bytes) => sum + bytes, 0);
    expect(await write(url(), createRows('loss,step', 20_000, 5))).toBe(204);
    expect(await read()).toHaveLength(1);
    expect(sizes.splice(0).reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(0.05 * firstBytes);
    expect(await write(url(), createRows('other', 0, 5))).toBe(204);
    expect(await read()).toHaveLength(1);
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
    expect(await read()).toHaveLength(2);
    clock.mockRestore();
  });
});
