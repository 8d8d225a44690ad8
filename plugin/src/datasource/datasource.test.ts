import {
  CoreApp,
  type DataFrame,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceInstanceSettings,
  dateTime,
} from '@grafana/data';
import { formatRfc3339Nano, type ResultSeries } from '@joblens/core';
import { lastValueFrom, type Observable } from 'rxjs';
import { type Answer, createBackend, createResults } from '../../test/fake-backend.js';
import { createTemplates } from '../../test/fake-templates.js';
import { readJoblensMeta, toPlainFields } from '../../test/frame-table.js';
import type { InfluxqlQuery } from '../query-types/influxql.js';
import type { LogsQuery } from '../query-types/logs.js';
import type { MetadataQuery } from '../query-types/metadata.js';
import type { JoblensQuery } from '../query-types/query-type.js';
import { JoblensDataSource } from './datasource.js';
import type { JoblensOptions, VariableQuery } from './types.js';

type TestQuery = LogsQuery & MetadataQuery & InfluxqlQuery;

const FROM_MS = 1_700_000_000_000;
const T0 = BigInt(FROM_MS) * 1_000_000n;

function create(answer: (q: string) => Answer, jsonData: JoblensOptions = { database: 'joblens' }) {
  const backend = createBackend(answer);
  const settings = {
    url: '/ds',
    name: 'Joblens',
    uid: 'joblens',
    jsonData,
  } as DataSourceInstanceSettings<JoblensOptions>;
  const templates = createTemplates({ job: '7', jobs: ['7', "o'hara"] });
  return { backend, dataSource: new JoblensDataSource(settings, backend, templates) };
}

function request(...targets: TestQuery[]): DataQueryRequest<JoblensQuery> {
  const range = { from: dateTime(FROM_MS), to: dateTime(FROM_MS + 60_000), raw: { from: 'now-1m', to: 'now' } };
  return { targets, range, scopedVars: {}, requestId: 'Q7' } as unknown as DataQueryRequest<JoblensQuery>;
}

/** An answer with the frames' own type: Grafana's has any. */
type Response = Omit<DataQueryResponse, 'data'> & { readonly data: DataFrame[] };

async function run(dataSource: JoblensDataSource, ...targets: TestQuery[]): Promise<Response> {
  return lastValueFrom(dataSource.query(request(...targets)));
}

const at = (offset: number): string => formatRfc3339Nano(T0 + BigInt(offset));

function logSeries(count: number): ResultSeries {
  const columns = ['time', 'line', 'ansi', 'kind', 'part', 'stream', 'task', 'job', 'user'];
  const values = Array.from({ length: count }, (_, index) => [
    at(index * 1000),
    `line ${index}`,
    null,
    'output',
    null,
    'stdout',
    null,
    '7',
    'ann',
  ]);
  return { name: 'job_log', columns, values: values.reverse() };
}

const TABLES: ResultSeries = {
  name: 'job_series',
  tags: { job: '7', user: 'ann', series: 'loss,time_', task: '' },
  columns: ['time', 'keys', 'stats', 'x', 'rows'],
  values: [[at(0), '["time","loss"]', null, 'time', 3]],
};
const LOSS = { count: 3, numeric: 3, integer: 0, rising: false, distinct: 2, min: 0.25, max: 1, last: 0.25 };
const STATS = { rows: 3, columns: [['loss', LOSS]] };
const NUMBERS: ResultSeries = {
  name: 'job_metadata',
  columns: ['time', 'time_', 'loss'],
  values: [
    [at(3_000_000), 3, null],
    [at(2_000_000), 2, 0.5],
    [at(1_000_000), 1, 0.6],
  ],
};
const TEXTS: ResultSeries = {
  name: 'job_metadata_text',
  columns: ['time', 'time_', 'loss'],
  values: [[at(3_000_000), null, 'NaN']],
};

describe('JoblensDataSource.query', () => {
  it('gives the newest lines, oldest first, and says that there are more', async () => {
    const { backend, dataSource } = create(() => createResults([logSeries(4)]));
    const { data } = await run(dataSource, { refId: 'A', queryType: 'logs', job: '$job', limit: 3 });
    expect(backend.sent[0]?.q).toContain(`WHERE "job" = '7' AND "stream" = 'stdout'`);
    expect(backend.sent[0]?.q).toMatch(/ORDER BY time DESC LIMIT 4$/);
    expect(toPlainFields(data[0])[1]).toEqual(['body', 'string', 'line 1', 'line 2', 'line 3']);
    expect(readJoblensMeta(data[0])).toEqual({ kind: 'logs', job: '7', limited: true });
  });

  it.each([
    [undefined, `"stream" = 'stdout'`, true],
    ['stderr', `"stream" = 'stderr'`, true],
    ['both', `"stream" =`, false],
  ] as const)('asks for the stream %p', async (stream, condition, isAsked) => {
    const { backend, dataSource } = create(() => createResults([]));
    await run(dataSource, { refId: 'A', queryType: 'logs', ...(stream === undefined ? {} : { stream }) });
    expect(backend.sent[0]?.q.includes(condition)).toBe(isAsked);
  });

  it('joins numbers and texts of a table under the users’ own names', async () => {
    const { backend, dataSource } = create((q) =>
      q.includes('"job_series"') ? createResults([TABLES]) : createResults([NUMBERS], [TEXTS])
    );
    const { data } = await run(dataSource, { refId: 'B', queryType: 'metadata', job: '$jobs' });
    expect(backend.sent).toHaveLength(2);
    expect(backend.sent[0]?.q).toContain(String.raw`"job" = 'o\'hara'`);
    expect(toPlainFields(data[0])).toEqual([
      ['time', 'time', FROM_MS + 1, FROM_MS + 2, FROM_MS + 3],
      ['time', 'number', 1, 2, 3],
      ['loss', 'number', 0.6, 0.5, NaN],
    ]);
    expect(readJoblensMeta(data[0])).toMatchObject({
      kind: 'metadata',
      series: 'loss,time_',
      x: { key: 'time' },
      totalRows: 3,
    });
  });

  it('takes the newest rows up to the limit, and only the keys asked for', async () => {
    const { backend, dataSource } = create((q) =>
      q.includes('"job_series"') ? createResults([TABLES]) : createResults([NUMBERS], [TEXTS])
    );
    const { data } = await run(dataSource, { refId: 'B', queryType: 'metadata', job: '7', fields: ['time'], limit: 2 });
    expect(backend.sent[1]?.q).not.toContain('"loss"');
    expect(toPlainFields(data[0])).toEqual([
      ['time', 'time', FROM_MS + 2, FROM_MS + 3],
      ['time', 'number', 2, 3],
    ]);
    expect(readJoblensMeta(data[0])).toMatchObject({ totalRows: 3 });
  });

  it('asks for no rows where there is no table', async () => {
    const { backend, dataSource } = create(() => createResults([]));
    expect((await run(dataSource, { refId: 'B', queryType: 'metadata' })).data).toEqual([]);
    expect(backend.sent).toHaveLength(1);
  });

  it('lists jobs', async () => {
    const jobs: ResultSeries = {
      name: 'job',
      tags: { job: '7', user: 'ann' },
      columns: ['time', 'name', 'state', 'started', 'ended'],
      values: [[at(0), 'train', 'COMPLETED', FROM_MS, FROM_MS + 5000]],
    };
    const tables = { ...TABLES, values: [[at(0), '["loss"]', JSON.stringify(STATS), 'loss', 3]] };
    const { backend, dataSource } = create((q) =>
      q.includes('"stats"') ? createResults([tables]) : createResults([jobs], [], [], [])
    );
    const { data } = await run(dataSource, { refId: 'C', queryType: 'jobs' });
    const cells = Object.fromEntries(toPlainFields(data[0]).map(([name, , value]) => [name, value]));
    expect(cells).toMatchObject({
      job: '7',
      user: 'ann',
      name: 'train',
      state: 'COMPLETED',
      duration: 5000,
      values: 'loss 0.25',
    });
    expect(backend.sent).toHaveLength(2);
  });

  it('sends InfluxQL as written, with its variables filled in', async () => {
    const { backend, dataSource } = create(() => createResults([{ name: 'x', columns: ['n'], values: [[1]] }]));
    const { data } = await run(dataSource, {
      refId: 'D',
      queryType: 'influxql',
      rawQuery: `SELECT * FROM x WHERE job = '$job'`,
    });
    expect(backend.sent[0]?.q).toBe(`SELECT * FROM x WHERE job = '7'`);
    expect(toPlainFields(data[0])).toEqual([['n', 'number', 1]]);
  });

  it('gives one query’s error beside the other’s data', async () => {
    const { dataSource } = create((q) =>
      q.includes('broken') ? { status: 502, statusText: 'Bad Gateway' } : createResults([logSeries(1)])
    );
    const response = await run(
      dataSource,
      { refId: 'A', queryType: 'logs' },
      { refId: 'B', queryType: 'influxql', rawQuery: 'broken' }
    );
    expect(response.data).toHaveLength(1);
    const expected = { refId: 'B', message: expect.stringMatching(/^InfluxDB cannot be reached/) as unknown };
    expect(response).toMatchObject({ errors: [expected], error: expected });
  });

  it('says which variable has too many values, without asking the store', async () => {
    const { backend, dataSource } = create(() => createResults([]));
    const response = await run(dataSource, { refId: 'A', queryType: 'influxql', rawQuery: `x = '$jobs'` });
    expect(response.errors?.[0]?.message).toMatch(/2 values where the query takes one/);
    expect(backend.sent).toEqual([]);
  });

  it('runs neither hidden nor empty queries', async () => {
    const { backend, dataSource } = create(() => createResults([]));
    const response = await run(
      dataSource,
      { refId: 'A', hide: true },
      { refId: 'B', queryType: 'influxql', rawQuery: ' ' }
    );
    expect(response).toEqual({ data: [] });
    expect(backend.sent).toEqual([]);
  });

  it('says that it does not know the query type of a newer version', async () => {
    const { backend, dataSource } = create(() => createResults([]));
    const response = await run(dataSource, { refId: 'A', queryType: 'spans' });
    expect(response.errors?.[0]?.message).toMatch(/has no query type "spans"/);
    expect(backend.sent).toEqual([]);
  });

  it('aborts what it asked when the panel asks anew', () => {
    const { backend, dataSource } = create(() => createResults([]));
    dataSource
      .query(request({ refId: 'A' }, { refId: 'B' }))
      .subscribe()
      .unsubscribe();
    expect(backend.sent.map(({ request: { requestId }, isAborted }) => [requestId, isAborted])).toEqual([
      ['Q7/A', true],
      ['Q7/B', true],
    ]);
  });

  it('sends through the token route when the settings say so', async () => {
    const { backend, dataSource } = create(() => createResults([]), { database: '', auth: 'token' });
    await run(dataSource, { refId: 'A' });
    expect(backend.sent[0]?.url.pathname).toBe('/ds/token/query');
    expect(backend.sent[0]?.url.searchParams.get('db')).toBe('joblens');
  });
});

describe('JoblensDataSource names', () => {
  const users: ResultSeries = {
    name: 'job',
    columns: ['key', 'value'],
    values: [
      ['user', 'bob'],
      ['user', 'ann'],
    ],
  };

  it.each([
    [
      'users',
      'users',
      [
        { text: 'ann', value: 'ann' },
        { text: 'bob', value: 'bob' },
      ],
    ],
    [
      'a query object',
      { query: 'users', job: '$job' },
      [
        { text: 'ann', value: 'ann' },
        { text: 'bob', value: 'bob' },
      ],
    ],
  ])('metricFindQuery with %s', async (_name, query, expected) => {
    const { dataSource } = create(() => createResults([users]));
    expect(await dataSource.metricFindQuery(query)).toEqual(expected);
  });

  type VariableRequest = DataQueryRequest<VariableQuery>;

  it.each<[string, (dataSource: JoblensDataSource, asked: VariableRequest) => Observable<DataQueryResponse>]>([
    ['calls it on its object', (dataSource, asked) => dataSource.variables.query(asked)],
    // public/app/features/variables/query/queryRunners.ts of 9.5 hands the function over, runRequest.ts calls it.
    ['calls it alone, as 9.5', ({ variables: { query } }, asked) => query(asked)],
  ])('fills a dashboard variable, with another variable in its query, in a Grafana that %s', async (_name, call) => {
    const { backend, dataSource } = create(() => createResults([users]));
    const target = { refId: 'v', query: 'users' as const, job: '$job' };
    const answer = await lastValueFrom(call(dataSource, { ...request(), targets: [target] }));
    expect(toPlainFields(answer.data[0] as DataFrame)).toEqual([
      ['text', 'string', 'ann', 'bob'],
      ['value', 'string', 'ann', 'bob'],
    ]);
    expect(backend.sent[0]?.q).toContain(`"job" = '7'`);
  });

  it('rejects with the reason when the store does not answer', async () => {
    const { dataSource } = create(() => ({ status: 401 }));
    await expect(dataSource.findNames({ query: 'jobs' })).rejects.toThrow(/refused the login/);
  });
});

describe('JoblensDataSource in the editors', () => {
  const { dataSource } = create(() => createResults([]));
  const fillIn = (query: TestQuery): TestQuery[] => dataSource.interpolateVariablesInQueries([query], {});

  it.each([
    [CoreApp.Explore, { queryType: 'logs', stream: 'both' }],
    [CoreApp.PanelEditor, { queryType: 'metadata' }],
  ])('starts in %s with', (app, query) => {
    expect(dataSource.getDefaultQuery(app)).toEqual(query);
  });

  it.each<[TestQuery, string]>([
    [{ refId: 'A', queryType: 'logs', job: '7', user: 'ann' }, 'logs · 7 · ann'],
    [{ refId: 'A' }, 'logs'],
    [{ refId: 'A', queryType: 'influxql', rawQuery: 'SELECT 1' }, 'SELECT 1'],
  ])('shows %p as %s', (query, text) => {
    expect(dataSource.getQueryDisplayText(query)).toBe(text);
  });

  it('fills variables of an InfluxQL text in as its places need it, and leaves the time filter', () => {
    const rawQuery = `job = '$job' AND $timeFilter AND x =~ /$jobs/`;
    const [query] = fillIn({ refId: 'A', rawQuery });
    expect(query?.rawQuery).toBe(`job = '7' AND $timeFilter AND x =~ /(7|o'hara)/`);
  });

  it('leaves a variable with several values where one field holds it', () => {
    const [query] = fillIn({ refId: 'A', job: '$jobs' });
    expect(query).toEqual({ refId: 'A', job: '$jobs' });
  });

  it('fills variables in when a panel’s query goes to Explore', () => {
    const [query] = fillIn({ refId: 'A', queryType: 'logs', job: '$job' });
    expect(query).toEqual({ refId: 'A', queryType: 'logs', job: '7' });
  });
});
