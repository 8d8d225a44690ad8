import { type DataQueryRequest, type DataSourceInstanceSettings, dateTime } from '@grafana/data';
import type { ResultSeries } from '@joblens/core/influxql/response';
import { formatRfc3339Nano } from '@joblens/core/point/timestamp';
import { lastValueFrom } from 'rxjs';
import { createBackend, createResults } from '../../test/fake-backend.js';
import { createTemplates } from '../../test/fake-templates.js';
import type { JoblensQuery } from '../query-types/parts/query-type.js';
import { JoblensDataSource } from './datasource.js';
import type { JoblensOptions } from './types.js';

const FROM_MS = 1_700_000_000_000;

/** A store with a job that has printed a line, and says its state or not. */
function createStore() {
  let state: string | null = 'RUNNING';
  const backend = createBackend((q) => createResults(...q.split('; ').map((one) => answer(one))));
  const answer = (statement: string): ResultSeries[] => {
    const [, name = ''] = /FROM "(\w+)"/.exec(statement) ?? [];
    const columns = name === 'job' ? ['time', 'state', 'started'] : ['time', 'first'];
    const values = name === 'job' ? [state, FROM_MS] : ['output'];
    if (name === 'job_series' || (name === 'job' && state === null)) return [];
    const time = formatRfc3339Nano(BigInt(FROM_MS) * 1_000_000n);
    return [{ name, tags: { job: '7', user: 'ann' }, columns, values: [[time, ...values]] }];
  };
  const settings = { url: '/ds', jsonData: {} } as DataSourceInstanceSettings<JoblensOptions>;
  const dataSource = new JoblensDataSource(settings, backend, createTemplates({}));
  const read = async (atMs: number, job = '7') => {
    jest.spyOn(Date, 'now').mockReturnValue(atMs);
    jest.spyOn(performance, 'now').mockReturnValue(atMs - FROM_MS);
    const range = { from: dateTime(FROM_MS), to: dateTime(atMs), raw: { from: 'now-1h', to: dateTime(atMs) } };
    const targets = [{ refId: 'A', queryType: 'jobs', job }];
    const request = { targets, range, scopedVars: {} } as unknown as DataQueryRequest<JoblensQuery>;
    const before = backend.sent.length;
    const { data } = await lastValueFrom(dataSource.query(request));
    // An index tells which names others have.
    const asked = backend.sent.slice(before).flatMap(({ q }) => q.split('; ').filter((one) => !one.startsWith('SHOW')));
    const measurements = asked.map((q) => /FROM "(\w+)"/.exec(q)?.[1]);
    // The last values are asked for each time, unless somebody else has just done so.
    return {
      jobs: (data[0] as { length: number }).length,
      asked: measurements.filter((name) => name !== 'job_series'),
    };
  };
  const describe = (next: string | null): void => {
    state = next;
  };
  return { read, describe };
}

afterEach(() => jest.restoreAllMocks());

const EVERYTHING = ['job', 'job_log', 'job_log'];

describe('a refresh of a named job', () => {
  it('asks for its description alone, and for lines of others of its name once a minute', async () => {
    const { read } = createStore();
    const atMs = FROM_MS + 60_000;
    await expect(read(atMs)).resolves.toEqual({ jobs: 1, asked: EVERYTHING });
    await expect(read(atMs + 59_000)).resolves.toEqual({ jobs: 1, asked: ['job'] });
    await expect(read(atMs + 60_000)).resolves.toEqual({ jobs: 1, asked: EVERYTHING });
  });

  it('asks for the lines of a job that does not say its state each time, and at once when it no longer does', async () => {
    const { read, describe: describeJob } = createStore();
    const atMs = FROM_MS + 60_000;
    await read(atMs);
    describeJob(null);
    const { jobs, asked } = await read(atMs + 10_000);
    expect([jobs, asked]).toEqual([1, ['job', ...EVERYTHING, 'job_event']]);
    expect((await read(atMs + 20_000)).asked).toEqual(EVERYTHING);
  });
});
