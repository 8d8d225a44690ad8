import { type DataFrame, type DataQueryRequest, type DataSourceInstanceSettings, dateTime } from '@grafana/data';
import type { ResultSeries } from '@joblens/core/influxql/response';
import { formatRfc3339Nano, parseRfc3339Nano } from '@joblens/core/point/timestamp';
import { lastValueFrom } from 'rxjs';
import { createBackend, createResults } from '../../test/fake-backend.js';
import { createTemplates } from '../../test/fake-templates.js';
import type { JoblensQuery } from '../query-types/parts/query-type.js';
import { readJobRows } from '../views/parts/job-rows.js';
import { JoblensDataSource } from './datasource.js';
import type { JoblensOptions } from './types.js';

const [HOUR_MS, SLOT_MS] = [3_600_000, 600_000];
const START_MS = 1_700_000_400_000 - (1_700_000_400_000 % HOUR_MS);
const NOW_MS = START_MS + 20 * HOUR_MS;
const MARGIN_MS = 2000;

const toTime = (timeMs: number): string => formatRfc3339Nano(BigInt(timeMs) * 1_000_000n);

function parseTimeMs(text: string): number {
  return /^\d+$/.test(text) ? Number(text) / 1e6 : Number((parseRfc3339Nano(text.slice(1, -1)) ?? 0n) / 1_000_000n);
}

/** A store with a job that says that it runs, and left heartbeats for a while. */
function createStore(livedMs: number) {
  const beats = Array.from({ length: livedMs / SLOT_MS + 1 }, (_, i) => START_MS + i * SLOT_MS);
  const asked: string[] = [];
  const answer = (statement: string): ResultSeries[] => {
    const [, name = ''] = /FROM "(\w+)"/.exec(statement) ?? [];
    asked.push(name);
    if (name === 'job') {
      const values = [[toTime(START_MS), 'RUNNING', START_MS]];
      return [{ name, tags: { job: '7', user: 'ann' }, columns: ['time', 'state', 'started'], values }];
    }
    if (name === 'job_event') {
      const columns = ['time', 'data', 'job', 'user', 'topic', 'from_state', 'to_state'];
      return [{ name, columns, values: [[toTime(START_MS), '{}', '7', 'ann', 'a (b)', null, null]] }];
    }
    if (name !== 'job_heartbeat') return [];
    const times = [...statement.matchAll(/time >?<?=? ('[^']+'|\d+)/g)].map(([, text = '']) => parseTimeMs(text));
    const [fromMs = 0, toMs = Infinity] = times;
    const found = beats.filter((beat) => beat >= fromMs && beat < toMs);
    const values = found.map((beat) => [toTime(beat), '7', 'ann', 'RUNNING', START_MS]);
    return values.length === 0 ? [] : [{ name, columns: ['time', 'job', 'user', 'state', 'started'], values }];
  };
  const backend = createBackend((q) => createResults(...q.split('; ').map((one) => answer(one))));
  const settings = { url: '/ds', jsonData: {} } as DataSourceInstanceSettings<JoblensOptions>;
  const dataSource = new JoblensDataSource(settings, backend, createTemplates({}));
  const read = async (atMs: number, job?: string) => {
    jest.spyOn(Date, 'now').mockReturnValue(atMs);
    jest.spyOn(performance, 'now').mockReturnValue(atMs - NOW_MS);
    asked.length = 0;
    const range = { from: dateTime(START_MS - HOUR_MS), to: dateTime(atMs), raw: { from: 'now-21h', to: 'now' } };
    const targets = [{ refId: 'A', queryType: 'jobs', ...(job !== undefined && { job }) }];
    const request = { targets, range, scopedVars: {} } as unknown as DataQueryRequest<JoblensQuery>;
    const { data } = await lastValueFrom(dataSource.query(request));
    return readJobRows(data as DataFrame[]);
  };
  /** Where the link of an event of the job ends. */
  const readLinkEnd = async (): Promise<unknown> => {
    jest.spyOn(Date, 'now').mockReturnValue(NOW_MS);
    const range = { from: dateTime(START_MS - HOUR_MS), to: dateTime(NOW_MS), raw: { from: 'now-21h', to: 'now' } };
    const targets = [{ refId: 'A', queryType: 'events', event: 'all', topics: ['a (b)'] }];
    const request = { targets, range, scopedVars: {} } as unknown as DataQueryRequest<JoblensQuery>;
    const { data } = await lastValueFrom(dataSource.query(request));
    return (data as DataFrame[])[0]?.fields.find(({ name }) => name === 'to')?.values[0];
  };
  return { read, readLinkEnd, asked };
}

afterEach(() => jest.restoreAllMocks());

describe.each([
  ['its page', '7'],
  ['a list', undefined],
])('a job whose end nobody wrote, on %s', (_where, job) => {
  it('ends with its last sign of life', async () => {
    const { read } = createStore(HOUR_MS);
    const [row] = await read(NOW_MS, job);
    expect(row).toMatchObject({
      state: 'RUNNING',
      durationMs: HOUR_MS + SLOT_MS,
      reason: 'no sign of life for 18h 50m',
    });
    expect(row?.to).toBe(String(START_MS + HOUR_MS + SLOT_MS + MARGIN_MS));
  });

  it('runs on while it leaves heartbeats', async () => {
    const { read } = createStore(20 * HOUR_MS);
    const [row] = await read(NOW_MS, job);
    expect(row).toMatchObject({ state: 'RUNNING', durationMs: 20 * HOUR_MS, to: 'now', reason: undefined });
  });
});

it('asks for the heartbeats of a job once a minute at most', async () => {
  const { read, asked } = createStore(HOUR_MS);
  await read(NOW_MS, '7');
  expect(asked).toContain('job_heartbeat');
  const [row] = await read(NOW_MS + 10_000, '7');
  expect(asked).not.toContain('job_heartbeat');
  expect(row?.durationMs).toBe(HOUR_MS + SLOT_MS);
  await read(NOW_MS + SLOT_MS, '7');
  expect(asked).toContain('job_heartbeat');
});

it.each([
  ['of a lost job', HOUR_MS, String(START_MS + HOUR_MS + SLOT_MS + MARGIN_MS)],
  ['of a job that lives', 20 * HOUR_MS, 'now'],
])('ends the link of an event %s where the job ends', async (_what, livedMs, to) => {
  await expect(createStore(livedMs).readLinkEnd()).resolves.toBe(to);
});
