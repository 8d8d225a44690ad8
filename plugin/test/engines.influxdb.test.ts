import { type DataFrame, type DataQueryRequest, type DataSourceInstanceSettings, dateTime } from '@grafana/data';
import type { Statement } from '@joblens/core/influxql/nodes';
import { printStatements } from '@joblens/core/influxql/print';
import { type QueryResponse, readResults, type StatementResult } from '@joblens/core/influxql/response';
import type { TablePiece } from '@joblens/core/ask/whole-table/table-pieces';
import { readTables, tablesQuery } from '@joblens/core/ask/tables/tables';
import { readWholeTable } from '@joblens/core/ask/whole-table/whole-table';
import { lastValueFrom } from 'rxjs';
import { JoblensDataSource } from '../src/datasource/datasource.js';
import { listStatements } from '../src/query-types/parts/run-reading.js';
import type { JoblensOptions } from '../src/datasource/types.js';
import type { AnalyticsQuery } from '../src/query-types/analytics/analytics.js';
import type { CompareQuery } from '../src/query-types/parts/comparison-query.js';
import type { DiffQuery } from '../src/query-types/compare/diff.js';
import type { GroupsQuery } from '../src/query-types/compare/groups.js';
import type { EventsQuery } from '../src/query-types/events/events.js';
import type { LogsQuery } from '../src/query-types/logs/logs.js';
import type { MetadataQuery } from '../src/query-types/metadata/metadata.js';
import { type JoblensQuery, VARIABLE_KINDS } from '../src/query-types/parts/query-type.js';
import type { JobsQuery } from '../src/query-types/jobs/jobs.js';
import type { SpansQuery } from '../src/query-types/spans/spans.js';
import type { StoryQuery } from '../src/query-types/events/story.js';
import { checkStatements, DATABASE, startStrictStore, type StrictStore, writeStoredJobs } from './engines.js';
import { createTemplates } from './fake-templates.js';
import { readJoblensMeta, toPlainFields } from './frame-table.js';
import { createProxyBackend, PROXY_URL } from './proxy-backend.js';
import { describeWith, type Influxdb, startInfluxdb } from './real-influxdb.js';

type Query = Partial<LogsQuery & MetadataQuery & EventsQuery & AnalyticsQuery & StoryQuery & SpansQuery & JobsQuery> &
  Partial<CompareQuery & GroupsQuery & DiffQuery>;

/** The minutes of the events of Slurm's jobs, and some seconds of the job without summaries. */
const MINUTES = { fromMs: Date.UTC(2023, 10, 14, 22), toMs: Date.UTC(2023, 10, 14, 23) };
const BARE = { fromMs: 1_710_000_001_000, toMs: 1_710_000_020_000 };

/** Some seconds of a job with many spans. */
const SPANS = { fromMs: 1_700_000_100_000, toMs: 1_700_000_110_000 };

const TABLE = { job: 'train', user: 'ann', series: 'epoch,loss,lr' };

/** Without a range: all that is stored. */
type Case = readonly [query: Query, range?: { readonly fromMs: number; readonly toMs: number }];

const CASES: readonly Case[] = [
  [{ queryType: 'logs', job: 'train', stream: 'both' }],
  [{ queryType: 'logs', user: 'ann', limit: 3 }],
  [{ queryType: 'logs', job: 'mpi', task: '1' }],
  [{ queryType: 'logs', job: 'train', stream: 'both', slice: { want: 'streams' } }],
  [{ queryType: 'logs', job: 'train', stream: 'both', slice: { want: 'count' } }],
  [{ queryType: 'volume', job: 'train' }],
  [{ queryType: 'jobs' }],
  [{ queryType: 'jobs', user: 'ann' }],
  [{ queryType: 'jobs', question: { search: 'lr=3e-4', offset: 0 } }],
  [{ queryType: 'jobs', job: 'train' }],
  [{ queryType: 'metadata', job: 'train' }],
  [{ queryType: 'metadata', tag: 'experiment=foo' }],
  [{ queryType: 'metadata', tag: 'experiment=foo', by: 'experiment' }],
  [{ queryType: 'metadata', job: 'train', fields: ['loss'] }],
  [{ queryType: 'metadata', job: 'mpi' }],
  [{ queryType: 'metadata', job: 'bare' }],
  [{ queryType: 'metadata', job: 'bare' }, BARE],
  [{ queryType: 'metadata', job: 'train', trend: { points: 20, endsMs: {} } }],
  [{ queryType: 'metadata', job: 'train', limit: 20, page: {} }],
  [{ queryType: 'metadata', job: 'train', limit: 20, page: { order: 'asc', table: TABLE } }],
  [{ queryType: 'metadata', job: 'train', limit: 20, page: { table: TABLE, filters: [['loss', '> 0.01']] } }],
  [{ queryType: 'metadata', job: 'train', limit: 20, page: { table: TABLE, filters: [['loss', 'NaN']] } }],
  [{ queryType: 'metadata', job: 'train', page: { table: TABLE, filters: [['loss', '> 0.01']], isCount: true } }],
  [{ queryType: 'metadata', job: 'train', page: { table: TABLE, sort: { key: 'loss', isDescending: true } } }],
  [{ queryType: 'metadata', job: 'train', rule: { regex: '^step (?<step>[0-9]+)$' } }],
  [{ queryType: 'events', event: 'all' }],
  [{ queryType: 'events', event: 'states' }],
  [{ queryType: 'events', event: 'signals' }],
  [{ queryType: 'events', event: 'notices' }],
  [{ queryType: 'events', event: 'lines', text: '^step [0-9]{3}$' }],
  [{ queryType: 'events', event: 'failures' }],
  [{ queryType: 'events', event: 'topics' }],
  [{ queryType: 'events', event: 'counts' }],
  [{ queryType: 'events', event: 'all', toStates: ['FAILED'], order: 'asc' }],
  [{ queryType: 'events', event: 'all', text: 'memory', limit: 5 }],
  [{ queryType: 'events', event: 'all', tags: ['experiment=foo'], schedulerIds: ['9102'] }],
  [{ queryType: 'story', taskKey: 'inc-1' }],
  [{ queryType: 'spans' }],
  [{ queryType: 'spans', job: 'traced (1)' }, SPANS],
  [{ queryType: 'spans', job: 'traced (1)', category: 'io', worker: '', spanName: 'load' }],
  [{ queryType: 'compare', job: 'train' }],
  [{ queryType: 'compare', tag: 'experiment=foo', job: 'mpi', by: 'experiment', keys: ['loss', 'experiment'] }],
  [{ queryType: 'groups', tag: 'experiment=foo', metric: 'loss' }],
  [{ queryType: 'diff', job: 'train', all: true }],
  [{ queryType: 'why', job: 'train', user: 'ann' }],
  [{ queryType: 'experiments' }],
  [{ queryType: 'experiments', user: 'ann', limit: 1 }],
  [{ queryType: 'diff', tag: 'experiment=foo', stat: 'min' }],
  ...(['throughput', 'utilization', 'nodes', 'waits', 'states', 'usage'] as const).flatMap((report): Case[] => [
    [{ queryType: 'analytics', report }, MINUTES],
    [{ queryType: 'analytics', report }],
    [{ queryType: 'analytics', report, users: ['ann'], tags: ['experiment=foo'] }, MINUTES],
  ]),
];

describeWith(['influxd'], 'the data source before an engine that refuses what openGemini refuses', () => {
  let influxdb: Influxdb;
  let store: StrictStore;
  let stored: Awaited<ReturnType<typeof writeStoredJobs>>;
  let all = MINUTES;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
    store = await startStrictStore(influxdb.url);
    stored = await writeStoredJobs(influxdb.url, store.url);
    // Not beyond, as curves go on until now.
    all = { fromMs: Date.UTC(2023, 10, 14), toMs: Date.now() };
  });
  afterAll(async () => {
    await store.stop();
    await influxdb.stop();
  });

  function createSource(target: string, jsonData: JoblensOptions): JoblensDataSource {
    const settings = { url: PROXY_URL, name: 'Joblens', jsonData } as DataSourceInstanceSettings<JoblensOptions>;
    return new JoblensDataSource(settings, createProxyBackend({ target }), createTemplates({}));
  }

  /** What both stores give to it, after both have answered. */
  async function askBoth<Answer>(
    jsonData: JoblensOptions,
    ask: (dataSource: JoblensDataSource) => Promise<Answer>
  ): Promise<{ readonly strict: Answer; readonly influxdb: Answer }> {
    // A job of which no end is known gets older.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(all.toMs);
    const [strict, plain] = await Promise.all([store.url, influxdb.url].map((url) => ask(createSource(url, jsonData))));
    clock.mockRestore();
    return { strict: strict as Answer, influxdb: plain as Answer };
  }

  async function read(dataSource: JoblensDataSource, query: Query, { fromMs, toMs } = all): Promise<unknown> {
    const range = { from: dateTime(fromMs), to: dateTime(toMs), raw: { from: 'now-1m', to: 'now' } };
    const request = { targets: [{ refId: 'A', ...query }], range, scopedVars: {}, requestId: 'Q1' };
    const response = await lastValueFrom(dataSource.query(request as unknown as DataQueryRequest<JoblensQuery>));
    expect(response.errors).toBeUndefined();
    return (response.data as DataFrame[]).map((frame) => [toPlainFields(frame), readJoblensMeta(frame)] as const);
  }

  const databases = [
    { database: DATABASE.full },
    { database: DATABASE.fresh },
    { database: DATABASE.others, otherWriters: true },
  ];
  describe.each(databases)('%j', (jsonData) => {
    it.each(CASES.map(([query, range]) => ({ query, range })))('reads the same: %j', async ({ query, range }) => {
      const answers = await askBoth(jsonData, (dataSource) => read(dataSource, query, range));
      expect(answers.strict).toEqual(answers.influxdb);
    });

    it.each(VARIABLE_KINDS)('finds the same %s', async (query) => {
      const range = { from: dateTime(all.fromMs), to: dateTime(all.toMs), raw: { from: '', to: '' } };
      for (const job of ['', 'mpi']) {
        const answers = await askBoth(jsonData, (dataSource) => dataSource.findNames({ query, job, range }));
        expect(answers.strict).toEqual(answers.influxdb);
      }
    });

    it.each(['job', 'user', 'task', 'series', 'stream'])('finds the same values to filter by %s', async (key) => {
      const answers = await askBoth(jsonData, (dataSource) => dataSource.getTagValues({ key }));
      expect(answers.strict).toEqual(answers.influxdb);
    });

    it('tests its settings', async () => {
      const answers = await askBoth(jsonData, (dataSource) => dataSource.testDatasource());
      expect(answers.strict).toMatchObject({ status: answers.influxdb.status });
    });
  });

  /** A long table, which is as long as one of millions of rows to a narrow panel. */
  async function readLongTable(url: string): Promise<readonly TablePiece[]> {
    const ask = async (statements: readonly Statement[]): Promise<readonly StatementResult[]> => {
      const body = new URLSearchParams({ db: DATABASE.full, q: printStatements(statements) });
      return readResults((await (await fetch(`${url}/query`, { method: 'POST', body })).json()) as QueryResponse);
    };
    const [tables] = await ask([tablesQuery({ job: 'train' })]);
    const [table] = readTables(tables);
    if (table === undefined) throw new Error('no table of the job train');
    const [fromNs, toNs] = [BigInt(all.fromMs) * 1_000_000n, BigInt(all.toMs) * 1_000_000n];
    const reading = readWholeTable({ table, keys: ['loss', 'lr'], fromNs, toNs, maxPieces: 30 });
    let next = reading.next();
    while (next.done !== true) next = reading.next('soFar' in next.value ? [] : await ask(listStatements(next.value)));
    return next.value.kind === 'pieces' ? next.value.pieces : [];
  }

  it('reads the same of the ends of a long table, which finer buckets make whole', async () => {
    const [strict, plain] = await Promise.all([store.url, influxdb.url].map(readLongTable));
    expect(strict).toEqual(plain);
    expect(plain?.length).toBeGreaterThan(20);
  });

  it('reads the same when it refreshes what it knows', async () => {
    const sources = [store.url, influxdb.url].map((url) => createSource(url, { database: DATABASE.full }));
    const queries = ['train', 'bare'].map((job) => ({ queryType: 'metadata', job }));
    const readAll = (): Promise<readonly unknown[]> =>
      Promise.all(sources.map(async (source) => Promise.all(queries.map((query) => read(source, query)))));
    const clock = jest.spyOn(performance, 'now');
    await readAll();
    await stored.writeLaterRows();
    // Panels that ask the same within half a second share the answer.
    await new Promise((resolve) => setTimeout(resolve, 600));
    // Once a minute it also counts what it knows.
    clock.mockReturnValue(performance.now() + 61_000);
    const [strict, plain] = await readAll();
    clock.mockRestore();
    expect(strict).toEqual(plain);
  });

  it('never asks what is not on the list of statements', () => {
    expect(store.killedBy).toBeUndefined();
    checkStatements('data-source', store.asked);
  });
});
