import { type DataFrame, type DataQueryRequest, type DataSourceInstanceSettings, dateTime } from '@grafana/data';
import type { ResultSeries } from '@joblens/core/influxql/response';
import { lastValueFrom } from 'rxjs';
import { createBackend, createResults } from '../../../test/fake-backend.js';
import { createTemplates } from '../../../test/fake-templates.js';
import { readJoblensMeta } from '../../../test/frame-table.js';
import { JoblensDataSource } from '../../datasource/datasource.js';
import type { JoblensOptions } from '../../datasource/types.js';
import type { MetadataQuery } from './metadata.js';

const TIME = '2023-11-14T22:13:20Z';
const JOBS = ['a-(1)', "it's 2", 'c.3', 'd "4"'];
const STATS = JSON.stringify({ rows: 1, columns: [] });

/** A store with four jobs: two of each learning rate, all of other seeds. */
function answer(statement: string): readonly ResultSeries[] {
  const [, name = ''] = /FROM "(\w+)"/.exec(statement) ?? [];
  const make = (columns: readonly string[], rowOf: (at: number) => ResultSeries['values'][number]): ResultSeries[] =>
    JOBS.map((job, at) => ({
      ...{ name, tags: { job, user: 'ann', ...(name !== 'job' && { series: 'loss' }) }, columns: ['time', ...columns] },
      values: [[TIME, ...rowOf(at)]],
    }));
  if (name === 'job')
    return make(['state', 'config'], (at) => ['RUNNING', `{"lr": ${at < 2 ? 0.1 : 0.01}, "seed": ${at % 2}}`]);
  if (name === 'job_series') return make(['keys', 'stats', 'rows'], () => ['["loss"]', STATS, 1]);
  if (name === 'job_metadata') return make(['loss'], (at) => [at]);
  return [];
}

async function read(query: Partial<MetadataQuery>, fails = false): Promise<readonly unknown[]> {
  const backend = createBackend((q) => {
    const isOfGroups = q.includes('"config"') || q.includes('FROM "job" ');
    return fails && isOfGroups ? { status: 500 } : createResults(...q.split('; ').map(answer));
  });
  const settings = { url: '/ds', jsonData: {} } as DataSourceInstanceSettings<JoblensOptions>;
  const dataSource = new JoblensDataSource(settings, backend, createTemplates({ by: [], jobs: JOBS }));
  const range = { from: dateTime('2023-11-14'), to: dateTime('2023-11-15'), raw: { from: 'now-1d', to: 'now' } };
  const targets = [{ refId: 'A', queryType: 'metadata', job: '$jobs', ...query }];
  const request = { targets, range, scopedVars: {} } as unknown as DataQueryRequest<MetadataQuery>;
  const { data } = await lastValueFrom(dataSource.query(request));
  const metas = (data as DataFrame[]).map(
    (frame) => readJoblensMeta(frame) as { readonly job: string; readonly group?: unknown }
  );
  return JOBS.map((name) => metas.find(({ job }) => job === name)?.group);
}

it('says the group of the job of each table, by the name of a key without its place', async () => {
  expect(await read({ by: 'config.lr' })).toEqual([...[0.1, 0.1, 0.01, 0.01].map((value) => ({ by: 'lr', value }))]);
});

it('takes the likeliest key where its variable has no value', async () => {
  expect((await read({ by: '$by' }))[3]).toEqual({ by: 'lr', value: 0.01 });
});

it('asks nothing more without a key', async () => {
  expect(await read({})).toEqual([undefined, undefined, undefined, undefined]);
});

it('draws the runs by themselves where their groups cannot be read', async () => {
  expect(await read({ by: 'lr' }, true)).toEqual([undefined, undefined, undefined, undefined]);
});
