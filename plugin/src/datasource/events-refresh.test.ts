import { type DataFrame, type DataQueryRequest, type DataSourceInstanceSettings, dateTime } from '@grafana/data';
import type { ResultSeries } from '@joblens/core/influxql/response';
import { formatRfc3339Nano, parseRfc3339Nano } from '@joblens/core/point/timestamp';
import { lastValueFrom } from 'rxjs';
import { createBackend, createResults } from '../../test/fake-backend.js';
import { createTemplates } from '../../test/fake-templates.js';
import { toPlainFields } from '../../test/frame-table.js';
import type { EventsQuery } from '../query-types/events/events.js';
import { createTables } from '../views/parts/components/tables.js';
import { createCellColumns } from '../views/table/model/cell.js';
import { JoblensDataSource } from './datasource.js';
import type { JoblensOptions } from './types.js';

const FROM_MS = 1_700_000_000_000;
const EVENTS = 20;

/** A store with events of jobs, one each second, oldest first; half of the jobs that it describes have ended. */
function createStore(jobs: readonly string[]) {
  const values = jobs.map((job, at): ResultSeries['values'][number] => [
    formatRfc3339Nano(BigInt(FROM_MS + 1000 * at) * 1_000_000n),
    ...['{}', job, 'ann', 'runtimes', null, null],
  ]);
  const columns = ['time', 'data', 'job', 'user', 'topic', 'from_state', 'to_state'];
  const describe = (job: string, endedMs: number | null): ResultSeries => ({
    ...{ name: 'job', tags: { job, user: 'ann' }, columns: ['time', 'state', 'started', 'ended'] },
    values: [[formatRfc3339Nano(0n), endedMs === null ? 'RUNNING' : 'COMPLETED', FROM_MS - 5000, endedMs]],
  });
  const backend = createBackend((q) => {
    if (q.includes('FROM "job" ')) {
      const named = ['ended', 'running'].filter((job) => q.includes(`'${job}'`));
      return createResults(named.map((job) => describe(job, job === 'ended' ? FROM_MS + 30_000 : null)));
    }
    if (q.includes('job_transition')) return createResults([], []);
    const since = readSinceNs(q);
    const found = values.filter(([time]) => (parseRfc3339Nano(String(time)) ?? 0n) >= since).reverse();
    return createResults([{ name: 'job_event', columns, values: found }]);
  });
  const settings = { url: '/ds', jsonData: {} } as DataSourceInstanceSettings<JoblensOptions>;
  const dataSource = new JoblensDataSource(settings, backend, createTemplates({}));
  const add = (job: string): void => {
    const time = formatRfc3339Nano(BigInt(FROM_MS + 1000 * values.length) * 1_000_000n);
    values.push([time, '{}', job, 'ann', 'runtimes', null, null]);
  };
  return { backend, dataSource, add };
}

function readSinceNs(q: string): bigint {
  const [, written = ''] = /time >= (\d+|'[^']+')/.exec(q) ?? [];
  return /^\d+$/.test(written) ? BigInt(written) : (parseRfc3339Nano(written.slice(1, -1)) ?? 0n);
}

afterEach(() => jest.restoreAllMocks());

async function readEvents(dataSource: JoblensDataSource, toMs: number): Promise<DataFrame> {
  jest.spyOn(Date, 'now').mockReturnValue(toMs);
  const query: EventsQuery = { refId: 'A', queryType: 'events', event: 'all', topics: ['runtimes'] };
  const range = { from: dateTime(FROM_MS), to: dateTime(toMs), raw: { from: 'now-1m', to: 'now' } };
  const request = { targets: [query], range, scopedVars: {} } as unknown as DataQueryRequest<EventsQuery>;
  const { data } = await lastValueFrom(dataSource.query(request));
  return data[0] as DataFrame;
}

describe('a list of events', () => {
  it('links each job over its own time, as lists of jobs do', async () => {
    const { dataSource } = createStore(['ended', 'running', 'unknown']);
    const frame = await readEvents(dataSource, FROM_MS + 60_000);
    const [table] = createTables([frame]);
    const job = table && createCellColumns(table, [0, 1, 2], 'utc').find(({ name }) => name === 'job');
    const links = [0, 1, 2].map((row) => job?.readLink(row)?.href);
    expect(links).toEqual([
      `/d/joblens-job?var-job=unknown&var-user=ann&from=${FROM_MS}&to=${FROM_MS + 60_000}`,
      `/d/joblens-job?var-job=running&var-user=ann&from=${FROM_MS - 5000}&to=now&refresh=10s`,
      `/d/joblens-job?var-job=ended&var-user=ann&from=${FROM_MS - 5000}&to=${FROM_MS + 32_000}`,
    ]);
    expect(table?.columns.map(({ name }) => name)).not.toContain('from');
  });

  it('asks for what is new alone when it is refreshed, and for no job that has ended', async () => {
    const { backend, dataSource, add } = createStore(Array.from({ length: EVENTS }, () => 'ended'));
    await readEvents(dataSource, FROM_MS + 60_000);
    const before = backend.sent.length;
    expect(backend.sent.map(({ q }) => q.includes('FROM "job" '))).toContain(true);
    const again = await readEvents(dataSource, FROM_MS + 70_000);
    const refresh = backend.sent.slice(before).map(({ q }) => q);
    expect(refresh.filter((q) => q.includes('FROM "job" '))).toEqual([]);
    const since = refresh.filter((q) => q.includes('job_event')).map(readSinceNs);
    expect(since).toHaveLength(1);
    expect(since[0]).toBeGreaterThan(BigInt(FROM_MS) * 1_000_000n);
    expect(toPlainFields(again)[0]).toHaveLength(2 + EVENTS);
    add('running');
    const [time, job] = toPlainFields(await readEvents(dataSource, FROM_MS + 80_000));
    expect([time?.length, job?.[2]]).toEqual([2 + EVENTS + 1, 'running']);
  });
});
