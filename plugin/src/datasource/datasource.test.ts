import {
  CoreApp,
  type DataFrame,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceInstanceSettings,
  dateTime,
} from '@grafana/data';
import type { ResultSeries } from '@joblens/core/influxql/response';
import { formatRfc3339Nano } from '@joblens/core/point/timestamp';
import { lastValueFrom, type Observable, tap } from 'rxjs';
import { type Answer, createBackend, createResults } from '../../test/fake-backend.js';
import { createTemplates } from '../../test/fake-templates.js';
import { readJoblensMeta, toPlainFields } from '../../test/frame-table.js';
import type { EventsQuery } from '../query-types/events/events.js';
import type { InfluxqlQuery } from '../query-types/influxql/influxql.js';
import type { LogsQuery } from '../query-types/logs/logs.js';
import type { MetadataQuery } from '../query-types/metadata/metadata.js';
import type { JoblensQuery } from '../query-types/parts/query-type.js';
import type { StoryQuery } from '../query-types/events/story.js';
import { JoblensDataSource } from './datasource.js';
import type { JoblensOptions, VariableQuery } from './types.js';

type TestQuery = LogsQuery & MetadataQuery & InfluxqlQuery & EventsQuery & StoryQuery;

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

/** Rows of two tasks, at one time. */
function twoAtOnce(): ResultSeries['values'] {
  const [row = []] = logSeries(1).values;
  return [row, row.map((value) => (value === 'ann' ? 'bob' : value))];
}

const TABLES: ResultSeries = {
  name: 'job_series',
  tags: { job: '7', user: 'ann', series: 'loss,time_', task: '' },
  columns: ['time', 'keys', 'stats', 'x', 'rows'],
  values: [[at(0), '["time","loss"]', null, 'time', 3]],
};
const LOSS = { count: 3, numeric: 3, integer: 0, json: 0, rising: false, distinct: 2, min: 0.25, max: 1, last: 0.25 };
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

  it('gives the next newer lines that match, or their number, when a view asks for a slice', async () => {
    const { backend, dataSource } = create((q) =>
      q.includes('count(')
        ? createResults([{ name: 'job_log', columns: ['time', 'rows', 'parts'], values: [[at(0), 7, 2]] }])
        : createResults([{ ...logSeries(3), values: [...logSeries(3).values].reverse() }])
    );
    const query = { refId: 'A', queryType: 'logs', stream: 'both', limit: 2 } as const;
    const afterNs = String(T0 - 5n);
    const newer = await run(dataSource, { ...query, slice: { want: 'asc', afterNs, patterns: ['line [0-9]'] } });
    expect(backend.sent[0]?.q).toContain(`AND time > '${at(-5)}' AND "line" =~ /line [0-9]/ ORDER BY time ASC LIMIT 3`);
    expect(toPlainFields(newer.data[0])[1]).toEqual(['body', 'string', 'line 0', 'line 1']);
    expect(readJoblensMeta(newer.data[0])).toMatchObject({ limited: true });
    const count = await run(dataSource, { ...query, slice: { want: 'count', beforeNs: afterNs } });
    expect(backend.sent[1]?.q).toMatch(new RegExp(`AND time < '${at(-5)}'$`));
    expect(toPlainFields(count.data[0])).toEqual([['lines', 'number', 5]]);
  });

  it('asks with a larger limit where a page holds no whole line', async () => {
    const { backend, dataSource } = create((q) =>
      createResults([{ ...logSeries(1), values: q.endsWith('LIMIT 2') ? twoAtOnce() : twoAtOnce().slice(0, 1) }])
    );
    const { data } = await run(dataSource, { refId: 'A', queryType: 'logs', job: '7', limit: 1 });
    expect(backend.sent.map(({ q }) => /LIMIT (\d+)$/.exec(q)?.[1])).toEqual(['2', '16']);
    expect(toPlainFields(data[0])[1]).toHaveLength(3);
  });

  it('joins numbers and texts of a table under the users’ own names', async () => {
    const { backend, dataSource } = create((q) =>
      q.includes('"job_series"') ? createResults([TABLES]) : createResults([NUMBERS], [TEXTS])
    );
    const { data } = await run(dataSource, { refId: 'B', queryType: 'metadata', job: '$jobs' });
    // The last one asks an index for rows of tables that nobody has described.
    expect(backend.sent.map(({ q }) => q.split(' ')[0])).toEqual(['SELECT', 'SELECT', 'SHOW']);
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

  it('has the tables of which there are rows alone beside those that are described, and looks for them once', async () => {
    const ofIndex = (values: ReadonlyArray<readonly [key: string, value: string]>): ResultSeries[] => [
      { name: 'job_metadata_text', columns: ['key', 'value'], values: values.map((row) => [...row]) },
    ];
    const notes: ResultSeries = {
      name: 'job_metadata_text',
      columns: ['time', 'note'],
      values: [[at(1), 'of another']],
    };
    const counts: ResultSeries = { name: 'job_metadata_text', columns: ['time', 'rows'], values: [[at(0), 1]] };
    const answer = (statement: string): ResultSeries[] => {
      if (statement.includes('"job_series"')) return [TABLES];
      if (statement.startsWith('SHOW')) {
        const names = { job: '7', user: 'ann', series: 'note', task: '' };
        const asked = Object.entries(names).filter(([key, value]) => value !== '' && statement.includes(`"${key}"`));
        return statement.includes('"user" = \'\'') ? [] : ofIndex(asked);
      }
      if (statement.includes("'note'") || statement.includes('*')) {
        if (!statement.includes('"job_metadata_text"')) return [];
        return [statement.includes('count(') ? counts : notes];
      }
      return [statement.includes('_text"') ? TEXTS : NUMBERS];
    };
    const { backend, dataSource } = create((q) => createResults(...q.split('; ').map(answer)));
    const query = { refId: 'B', queryType: 'metadata', job: '7' };
    const { data } = await run(dataSource, query);
    expect(data.map((frame) => frame.name)).toEqual(expect.arrayContaining(['note', 'time, loss']));
    expect(data).toHaveLength(2);
    const known = backend.sent.length;
    expect((await run(dataSource, query)).data.map((frame) => frame.name)).toEqual(data.map((frame) => frame.name));
    expect(backend.sent.slice(known).some(({ q }) => q.includes('SHOW'))).toBe(false);
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
    expect((await run(dataSource, { refId: 'B', queryType: 'metadata', user: 'ann' })).data).toEqual([]);
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
    const heartbeats: ResultSeries = {
      name: 'job_heartbeat',
      columns: ['time', 'job', 'user', 'state', 'started'],
      values: [[at(5), '7', 'ann', 'RUNNING', FROM_MS]],
    };
    const { backend, dataSource } = create((q) => {
      if (q.includes('LIMIT 1') && q.includes(`"grid" = '1d'`)) return createResults([]);
      if (q.includes('"job_heartbeat"')) return createResults([heartbeats]);
      if (q.includes('last('))
        return createResults([{ ...jobs, columns: ['time', 'last'], values: [[at(0), 'x']] }], [], []);
      return createResults([q.includes('"stats"') ? tables : jobs]);
    });
    const responses: DataFrame[][] = [];
    const asked = dataSource.query(request({ refId: 'C', queryType: 'jobs' }));
    await lastValueFrom(asked.pipe(tap(({ data: frames }) => responses.push(frames as DataFrame[]))));
    expect(responses.map(([frame]) => toPlainFields(frame).find(([name]) => name === 'values')?.[2])).toEqual([
      null,
      null,
      null,
      'loss 0.25',
    ]);
    const data = responses.at(-1) ?? [];
    const cells = Object.fromEntries(toPlainFields(data[0]).map(([name, , value]) => [name, value]));
    expect(cells).toMatchObject({
      job: '7',
      user: 'ann',
      name: 'train',
      state: 'COMPLETED',
      duration: 5000,
      values: 'loss 0.25',
    });
    const [find, describe, ...more] = backend.sent.map(({ q }) => q);
    expect(find).toContain(`"grid" = '10m' AND time >= '2023-11-14T22:10:00Z' AND time < '2023-11-14T22:20:00Z`);
    expect(describe).toContain(`FROM "job" WHERE "job" = '7' AND time >= '2023-11-06T00:00:00Z' GROUP BY`);
    // Jobs without heartbeats are looked for meanwhile.
    const inAnyOrder = [
      expect.stringContaining(`FROM "job" WHERE "job" = '7' AND time < '2023-11-06T00:00:00Z' GROUP BY`),
      expect.stringMatching(/FROM "job_heartbeat" .* time <= '2023-11-07T22:10:00Z' LIMIT 1$/),
      expect.stringMatching(/^(SELECT last\(.*? time >= [^;]*(; |$))+/),
      expect.stringContaining(`FROM "job_series" WHERE "job" = '7' GROUP BY`),
      expect.stringMatching(/^SELECT last[(]"kind"[)] FROM "job_log" WHERE "job" = '7' AND time >= /),
    ];
    expect(more).toHaveLength(inAnyOrder.length);
    expect(more).toEqual(expect.arrayContaining(inAnyOrder));
    // A refresh shows the values of the last one for known jobs, until new ones come.
    responses.length = 0;
    const refresh = dataSource.query(request({ refId: 'C', queryType: 'jobs' }));
    await lastValueFrom(refresh.pipe(tap(({ data: frames }) => responses.push(frames as DataFrame[]))));
    const shown = responses.map(([frame]) => toPlainFields(frame).find(([name]) => name === 'values')?.[2]);
    expect(new Set(shown)).toEqual(new Set(['loss 0.25']));
  });

  it('lists jobs without heartbeats too, and looks for them once a minute', async () => {
    const jobs: ResultSeries = {
      name: 'job_log',
      tags: { job: 'old', user: 'ann' },
      columns: ['time', 'last'],
      values: [[at(0), 'output']],
    };
    const { backend, dataSource } = create((q) =>
      q.includes('last(') ? createResults([], [jobs], []) : createResults([])
    );
    const ask = async () => toPlainFields((await run(dataSource, { refId: 'C', queryType: 'jobs' })).data[0]);
    expect((await ask()).find(([name]) => name === 'job')).toEqual(['job', 'string', 'old']);
    expect((await ask()).find(([name]) => name === 'job')).toEqual(['job', 'string', 'old']);
    expect(backend.sent.filter(({ q }) => q.includes('last("state")'))).toHaveLength(1);
  });

  it.each([
    [false, 0],
    [true, 1],
  ])('asks for jobs without heartbeats if the settings say so (%s), once heartbeats are old', async (isSet, asked) => {
    const heartbeats = { name: 'job_heartbeat', columns: ['time', 'job', 'user'], values: [[at(5), '7', 'ann']] };
    const { backend, dataSource } = create(
      (q) => createResults(q.includes('"job_heartbeat"') ? [heartbeats] : [], [], []),
      { otherWriters: isSet }
    );
    await run(dataSource, { refId: 'C', queryType: 'jobs' });
    expect(backend.sent.filter(({ q }) => q.includes('last("state")'))).toHaveLength(asked);
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
    const response = await run(dataSource, { refId: 'A', queryType: 'topology' });
    expect(response.errors?.[0]?.message).toMatch(/has no query type "topology"/);
    expect(backend.sent).toEqual([]);
  });

  it('asks once for what two panels ask alike, with ranges worked out one after the other', async () => {
    const { backend, dataSource } = create(() => createResults([logSeries(3)]));
    const [first, second] = [0, 120].map((laterMs) => {
      const range = {
        from: dateTime(FROM_MS + laterMs),
        to: dateTime(FROM_MS + 60_000 + laterMs),
        raw: { from: 'now-1m', to: 'now' },
      };
      return lastValueFrom(dataSource.query({ ...request({ refId: 'A' }), range }));
    });
    const [one, other] = await Promise.all([first, second]);
    expect(backend.sent).toHaveLength(1);
    expect(one?.data).toEqual(other?.data);
  });

  it('aborts what it asked when the panel asks anew', () => {
    const { backend, dataSource } = create(() => createResults([]));
    dataSource
      .query(request({ refId: 'A' }, { refId: 'B', stream: 'stderr' }))
      .subscribe()
      .unsubscribe();
    expect(backend.sent.map(({ isAborted }) => isAborted)).toEqual([true, true]);
  });

  it('sends through the token route when the settings say so', async () => {
    const { backend, dataSource } = create(() => createResults([]), { database: '', auth: 'token' });
    await run(dataSource, { refId: 'A' });
    expect(backend.sent[0]?.url.pathname).toBe('/ds/token/query');
    expect(backend.sent[0]?.url.searchParams.get('db')).toBe('joblens');
  });
});

describe('JoblensDataSource.query for events', () => {
  const EVENTS: ResultSeries = {
    name: 'job_event',
    columns: ['time', 'data', 'job', 'user', 'topic', 'from_state', 'to_state'],
    values: [
      [at(2_000_001), '{"exit_code":1}', '7', 'ann', 'state', 'RUNNING', 'FAILED'],
      [at(2_000_000), '{"name":"oom"}', '7', 'ann', 'signal', null, null],
      [at(1_000_000), '{}', '7', 'ann', 'state', 'PENDING', 'RUNNING'],
    ],
  };

  it('gives one row an event, the newest first, and says that there are more', async () => {
    const { backend, dataSource } = create(() => createResults([EVENTS]));
    const query: EventsQuery = { refId: 'A', queryType: 'events', event: 'all', jobs: ['$jobs'], toStates: ['FAILED'] };
    const { data } = await run(dataSource, { ...query, text: 'it’s 100%', limit: 2 });
    expect(toPlainFields(data[0])).toEqual([
      ['time', 'time', FROM_MS + 2, FROM_MS + 2],
      ['job', 'string', '7', '7'],
      ['user', 'string', 'ann', 'ann'],
      ['topic', 'string', 'state', 'signal'],
      ['from_state', 'string', 'RUNNING', null],
      ['to_state', 'string', 'FAILED', null],
      ['data', 'string', '{"exit_code":1}', '{"name":"oom"}'],
      ['from', 'string', String(FROM_MS), String(FROM_MS)],
      ['to', 'string', String(FROM_MS + 60_000), String(FROM_MS + 60_000)],
    ]);
    expect(data[0]?.meta?.notices?.map(({ text }) => text)).toEqual(['The newest 2 events; there are older ones.']);
    expect(readJoblensMeta(data[0])).toMatchObject({ kind: 'events', jobColumn: 'job' });
    const [slurms, sent] = backend.sent.map(({ q }) => q);
    expect(slurms).toContain(`"state_source" = 'slurm'`);
    expect(sent).toContain(`("job" = '7' OR "job" = 'o\\'hara')`);
    expect(sent).toContain(`"to_state" = 'FAILED'`);
    expect(sent).toMatch(/ORDER BY time DESC LIMIT 3$/);
    expect(data[0]?.meta?.executedQueryString).toBe(sent);
  });

  it('marks events on graphs where they are annotations', async () => {
    const { dataSource } = create(() => createResults([EVENTS]));
    const asked = request({ refId: 'A', queryType: 'events', event: 'all', job: '7' });
    const scopedVars = { __annotation: { text: '', value: {} } };
    const { data } = (await lastValueFrom(dataSource.query({ ...asked, scopedVars }))) as Response;
    const [text] = toPlainFields(data[0]).filter(([name]) => name === 'text');
    expect(text?.slice(2)).toEqual(['7: PENDING → RUNNING', '7: signal {"name":"oom"}', '7: RUNNING → FAILED']);
  });

  it('gives annotations an end also where they are instants, or Grafana 9.5 drops the ends of regions beside them', async () => {
    const { dataSource } = create(() => createResults([EVENTS]));
    const asked = request({ refId: 'A', queryType: 'events', event: 'all', job: '7' });
    const scopedVars = { __annotation: { text: '', value: {} } };
    const { data } = (await lastValueFrom(dataSource.query({ ...asked, scopedVars }))) as Response;
    const times = Object.fromEntries(toPlainFields(data[0]).map(([name, , ...values]) => [name, values]));
    expect(times['timeEnd']).toEqual(times['time']);
  });

  it('counts events by topic over time, as steps', async () => {
    const bins = (topic: string, values: ResultSeries['values']): ResultSeries => ({
      ...{ name: 'job_event', tags: { topic }, columns: ['time', 'events'], values },
    });
    const { backend, dataSource } = create(() =>
      createResults([bins('state', [[at(0), 2]]), bins('signal', [[at(30_000_000_000), 5]])])
    );
    const { data } = await run(dataSource, { refId: 'A', queryType: 'events', event: 'counts', job: '7' });
    expect(toPlainFields(data[0])).toEqual([
      ['time', 'time', FROM_MS, FROM_MS + 1000, FROM_MS + 30_000, FROM_MS + 31_000],
      ['signal', 'number', 0, 0, 5, 0],
      ['state', 'number', 2, 0, 0, 0],
    ]);
    expect(data[0]?.fields[1]?.config.custom).toMatchObject({ lineInterpolation: 'stepAfter' });
    expect(backend.sent[1]?.q).toContain('GROUP BY time(1s), "topic"');
  });

  it('lists topics with their counts, also for a list to choose from', async () => {
    const count = (topic: string, events: number): ResultSeries => ({
      ...{ name: 'job_event', tags: { topic }, columns: ['time', 'events'], values: [[at(0), events]] },
    });
    const { dataSource } = create((q) =>
      createResults(...(q.includes('count(') ? [[count('a', 1), count('b', 3)]] : []))
    );
    const { data } = await run(dataSource, { refId: 'A', queryType: 'events', event: 'topics', job: '7' });
    expect(toPlainFields(data[0])).toEqual([
      ['topic', 'string', 'b', 'a'],
      ['events', 'number', 3, 1],
    ]);
    const found = await dataSource.findNames({ query: 'topics', job: '7' });
    expect([found.names, found.counts?.get('b')]).toEqual([['b', 'a'], 3]);
  });

  it('lists failures once for each job, with the reasons of their descriptions', async () => {
    const transitions: ResultSeries = {
      name: 'job_transition',
      columns: ['time', 'job', 'name', 'nodes', 'runtime_s', 'to_state', 'user'],
      values: [
        [at(2_000_000), '7', 'train', 4, 90, 'FAILED', 'ann'],
        [at(1_000_000), '7', 'train', 4, 90, 'FAILED', 'ann'],
      ],
    };
    const described: ResultSeries = {
      name: 'job',
      tags: { job: '7', user: 'ann' },
      columns: ['time', 'state', 'reason', 'exit_code', 'started', 'ended'],
      values: [[at(2_000_000), 'FAILED', 'exit code 1: ValueError', 1, FROM_MS - 90_000, FROM_MS + 2]],
    };
    const { backend, dataSource } = create((q) =>
      createResults([q.includes('job_transition') ? transitions : described])
    );
    const { data } = await run(dataSource, { refId: 'A', queryType: 'events', event: 'failures', limit: 5 });
    const cells = Object.fromEntries(toPlainFields(data[0]).map(([name, , ...values]) => [name, values]));
    expect(cells).toMatchObject({
      ...{ time: [FROM_MS + 2], job: ['7'], state: ['FAILED'], reason: ['exit code 1: ValueError'] },
      ...{ runtime: [90], exit_code: [1], from: [String(FROM_MS - 90_000)], to: [String(FROM_MS + 2002)] },
    });
    expect(backend.sent[1]?.q).toContain(`"to_state" = 'TIMEOUT'`);
  });

  it.each([
    ['notices', 2, 3, true],
    ['lines', 2, 3, true],
    ['notices', 3, 3, false],
    ['lines', 4, 3, false],
  ] as const)(
    '%s of a limit of %d among %d say whether there are older ones: %j',
    async (event, limit, count, isLimited) => {
      const { dataSource } = create((q) => {
        const most = Number(/LIMIT (\d+)/.exec(q)?.[1]);
        const series = logSeries(count);
        return createResults([{ ...series, values: series.values.slice(0, most) }]);
      });
      const { data } = await run(dataSource, { refId: 'A', queryType: 'events', event, text: 'line', limit });
      const notices = data[0]?.meta?.notices?.map(({ text }) => text) ?? [];
      expect(notices).toEqual(isLimited ? [`The newest ${limit} events; there are older ones.`] : []);
      expect(data[0]?.length).toBe(Math.min(limit, count));
    }
  );

  it('marks of jobs of one id name the user, and others do not', async () => {
    const { dataSource } = create(() => createResults([{ ...logSeries(1), values: twoAtOnce() }]));
    const query: TestQuery = { refId: 'A', queryType: 'events', event: 'lines', text: 'line' };
    const readTags = ({ data }: Response) =>
      toPlainFields(data[0])
        .find(([name]) => name === 'tags')
        ?.slice(2);
    expect(readTags(await run(dataSource, query))?.toSorted()).toEqual(['7 of ann,stdout', '7 of bob,stdout']);
    const { dataSource: other } = create(() => createResults([logSeries(1)]));
    expect(readTags(await run(other, query))).toEqual(['7,stdout']);
  });

  it('tells the story of a key, oldest first', async () => {
    const row = (offset: number, data: unknown) => [at(offset), JSON.stringify(data), '7', 'ann'];
    const values = [
      row(1, ['inc-1', 'released', 'waiting', { 'sum-1': 'waiting' }, 's-1', 1]),
      row(2, ['other', 'released', 'waiting', {}, 's-2', 1]),
    ];
    const { dataSource } = create(() =>
      createResults([{ name: 'job_event', columns: ['time', 'data', 'job', 'user'], values }])
    );
    const { data } = await run(dataSource, { refId: 'A', queryType: 'story', taskKey: 'sum-1' });
    const cells = Object.fromEntries(toPlainFields(data[0]).map(([name, , ...rest]) => [name, rest]));
    expect(cells).toMatchObject({ key: ['inc-1'], finish: ['waiting'], recommendations: ['sum-1 → waiting'] });
  });

  it('asks for no story by the key that Explore gives each query', () => {
    const { dataSource } = create(() => createResults([]));
    expect(
      dataSource.filterQuery({ refId: 'A', queryType: 'story', key: 'Q-c75b79eb-753f-4b93-932e-b76d0f9292e9-0' })
    ).toBe(false);
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

it.each<[TestQuery, boolean]>([
  [{ refId: 'A', queryType: 'metadata' }, false],
  [{ refId: 'A', queryType: 'metadata', job: '' }, false],
  [{ refId: 'A', queryType: 'metadata', job: '$job' }, true],
  [{ refId: 'A', queryType: 'metadata', user: 'ann' }, true],
  [{ refId: 'A', queryType: 'metadata', series: 'a,b' }, true],
  [{ refId: 'A', queryType: 'jobs' }, true],
])('asks for metadata of chosen jobs alone: %j', (query, isRun) => {
  const { dataSource } = create(() => createResults([]));
  expect(dataSource.filterQuery(query)).toBe(isRun);
});
