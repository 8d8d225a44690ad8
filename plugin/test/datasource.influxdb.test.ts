import { request as httpRequest } from 'node:http';
import { type DataFrame, type DataQueryRequest, type DataSourceInstanceSettings, dateTime } from '@grafana/data';
import {
  createJobPoint,
  createLogPoints,
  createMetadataPoints,
  createSeriesName,
  createSeriesPoint,
  createTableStats,
  foldRow,
  formatPoint,
  inferXAxis,
  type Point,
} from '@joblens/core';
import { lastValueFrom } from 'rxjs';
import { JoblensDataSource } from '../src/datasource/datasource.js';
import type { JoblensOptions } from '../src/datasource/types.js';
import type { InfluxqlQuery } from '../src/query-types/influxql.js';
import type { LogsQuery } from '../src/query-types/logs.js';
import type { MetadataQuery } from '../src/query-types/metadata.js';
import type { JoblensQuery } from '../src/query-types/query-type.js';
import { createTemplates } from './fake-templates.js';
import { readJoblensMeta, toPlainFields } from './frame-table.js';
import { createProxyBackend, PROXY_URL } from './proxy-backend.js';

interface Influxdb {
  readonly url: string;
  stop(): Promise<void>;
}
interface Components {
  readonly describeWith: (components: readonly string[], name: string, suite: () => void) => void;
}
interface InfluxdbStarter {
  readonly startInfluxdb: (options?: { auth?: { user: string; password: string } }) => Promise<Influxdb>;
}

// The repository's own test helpers belong to another TypeScript project.
const { describeWith } = jest.requireActual<Components>('../../test/components');
const { startInfluxdb } = jest.requireActual<InfluxdbStarter>('../../test/influxdb');

const FROM_MS = 1_700_000_000_000;
const T0 = BigInt(FROM_MS) * 1_000_000n;
const JOB = String.raw`o'hara, "x"=1\ /7`;
const KEYS = ['time', 'fast_rcnn/cls_accuracy', '_a "b"', 'note'];

function createSource(
  target: string,
  jsonData: JoblensOptions = {},
  secrets: { authorization?: string; token?: string } = {}
) {
  const settings = {
    url: PROXY_URL,
    name: 'Joblens',
    jsonData: { database: 'joblens', ...jsonData },
  } as DataSourceInstanceSettings<JoblensOptions>;
  return new JoblensDataSource(
    settings,
    createProxyBackend({ target, ...secrets }),
    createTemplates({ job: JOB, user: ['ann', "b'ob"] })
  );
}

async function run(
  dataSource: JoblensDataSource,
  query: Partial<LogsQuery & MetadataQuery & InfluxqlQuery>
): Promise<DataFrame[]> {
  const range = { from: dateTime(FROM_MS), to: dateTime(FROM_MS + 60_000) };
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
  }, 60_000);
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
    expect(await createSource(url()).findNames({ query, ...parts })).toEqual(names);
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
      range: { from: dateTime(0), to: dateTime(1) },
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
});

describeWith(['influxd'], 'the data source before an InfluxDB with users', () => {
  const auth = { user: 'reader', password: 'pa ss' };
  const basic = (password: string): string => `Basic ${Buffer.from(`${auth.user}:${password}`).toString('base64')}`;
  let influxdb: Influxdb | undefined;
  const url = (): string => influxdb?.url ?? 'http://influxdb-did-not-start';

  beforeAll(async () => {
    influxdb = await startInfluxdb({ auth });
  }, 60_000);
  afterAll(() => influxdb?.stop());

  it.each([
    ['the right password', basic(auth.password), { status: 'success' }],
    [
      'a wrong password',
      basic('x'),
      { status: 'error', message: expect.stringMatching(/refused the login/) as unknown },
    ],
    ['no password', undefined, { status: 'error', message: expect.stringMatching(/refused the login/) as unknown }],
  ])('tests the login with %s', async (_name, authorization, expected) => {
    const secrets = authorization === undefined ? {} : { authorization };
    expect(await createSource(url(), { auth: 'basic' }, secrets).testDatasource()).toMatchObject(expected);
  });
});
