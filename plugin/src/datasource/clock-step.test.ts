import { type DataQueryRequest, type DataSourceInstanceSettings, dateTime } from '@grafana/data';
import type { ResultSeries } from '@joblens/core/influxql/response';
import { formatRfc3339Nano } from '@joblens/core/point/timestamp';
import { encodeFieldKey } from '@joblens/core/schema/field-name';
import { lastValueFrom } from 'rxjs';
import { createBackend, createResults } from '../../test/fake-backend.js';
import { createTemplates } from '../../test/fake-templates.js';
import type { JoblensQuery } from '../query-types/parts/query-type.js';
import { JoblensDataSource } from './datasource.js';
import type { JoblensOptions } from './types.js';

const HOUR_MS = 3_600_000;
const NOW_MS = 1_700_000_000_000;
const FROM_MS = NOW_MS - 20 * HOUR_MS;
const TAGS = { job: 'o(d "d.-1', user: 'ann' };

const toTime = (timeMs: number): string => formatRfc3339Nano(BigInt(timeMs) * 1_000_000n);

const series = (name: string, columns: readonly string[], rows: ResultSeries['values']): ResultSeries[] => [
  { name, tags: TAGS, columns: ['time', ...columns], values: rows },
];

/** Lines and rows, newest first: more than a refresh reads again. */
const createRows = (...values: readonly (string | number)[]): ResultSeries['values'] =>
  Array.from({ length: 200 }, (_, at) => [toTime(NOW_MS - HOUR_MS - 1000 * at), ...values]);

/** A store with a job that says that it runs, lines, events and rows that nobody describes. */
function answer(statement: string): ResultSeries[] {
  const [, name = ''] = /FROM "(\w+)"/.exec(statement) ?? [];
  if (statement.includes('count(')) return [];
  switch (name) {
    case 'job':
      return series(name, ['state', 'started'], [[toTime(FROM_MS), 'RUNNING', FROM_MS]]);
    case 'job_log':
      return series(name, ['text', 'stream', 'first'], createRows('x', 'stdout', 'output'));
    case 'job_event':
      return [
        {
          name,
          columns: ['time', 'data', 'job', 'user', 'topic', 'from_state', 'to_state'],
          values: createRows('{}', TAGS.job, TAGS.user, 'a "b" (c)', '', ''),
        },
      ];
    case 'job_series': {
      const loss = {
        count: 200,
        numeric: 200,
        integer: 200,
        json: 0,
        rising: false,
        distinct: 1,
        min: 1,
        max: 1,
        last: 1,
      };
      const stats = JSON.stringify({ rows: 200, columns: [['loss', loss]] });
      const values = [[toTime(FROM_MS), '["loss"]', stats, 200]];
      return [{ name, tags: { ...TAGS, series: 'f00', task: '' }, columns: ['time', 'keys', 'stats', 'rows'], values }];
    }
    case 'job_metadata':
      return [
        {
          name,
          columns: ['time', encodeFieldKey('loss')],
          values: createRows(1),
        },
      ];
    default:
      return [];
  }
}

/** What each of some refreshes asks, so many ms after the first; before the second, the wall clock is set. */
async function play(query: object, stepMs: number): Promise<readonly (readonly string[])[]> {
  jest.useFakeTimers({ now: NOW_MS });
  const backend = createBackend((q) => createResults(...q.split('; ').map((one) => answer(one))));
  const settings = { url: '/ds', jsonData: {} } as DataSourceInstanceSettings<JoblensOptions>;
  const dataSource = new JoblensDataSource(settings, backend, createTemplates({}));
  const asked: string[][] = [];
  const read = async (): Promise<void> => {
    const range = { from: dateTime(FROM_MS), to: dateTime(NOW_MS), raw: { from: 'a', to: 'b' } };
    const request = { targets: [{ refId: 'A', ...query }], range, scopedVars: {} };
    const before = backend.sent.length;
    const answered = lastValueFrom(dataSource.query(request as unknown as DataQueryRequest<JoblensQuery>));
    await jest.advanceTimersByTimeAsync(5000);
    const { errors } = await answered;
    expect(errors).toBeUndefined();
    const statements = backend.sent.slice(before).flatMap(({ q }) => q.split('; '));
    asked.push(statements.map((one) => one.replace(/time >?<?=? (?:'[^']*'|\d+)/g, 'TIME')));
  };
  await read();
  jest.setSystemTime(Date.now() + stepMs);
  // The 5 s of each reading count, too.
  for (const waitMs of [15_000, 5000, 45_000, 55_000, 600_000]) {
    await jest.advanceTimersByTimeAsync(waitMs);
    await read();
  }
  jest.useRealTimers();
  return asked;
}

afterEach(() => jest.useRealTimers());

describe.each([
  ['a named job', { queryType: 'jobs', job: TAGS.job }],
  ['a list of jobs', { queryType: 'jobs' }],
  ['a log', { queryType: 'logs', job: TAGS.job, limit: 100 }],
  ['a list of events', { queryType: 'events', event: 'all', topics: ['a "b" (c)'], limit: 100 }],
  ['the newest rows', { queryType: 'metadata', job: TAGS.job, limit: 100 }],
  ['a whole table', { queryType: 'metadata', job: TAGS.job }],
])('%s', (_name, query) => {
  it('is asked for as often whichever way the clock of the machine is set', async () => {
    const steady = await play(query, 0);
    // Something is remembered between refreshes, and asked again later.
    expect(new Set(steady.map((statements) => statements.join('\n'))).size).toBeGreaterThan(1);
    await expect(play(query, -HOUR_MS)).resolves.toEqual(steady);
    await expect(play(query, HOUR_MS)).resolves.toEqual(steady);
  });
});
