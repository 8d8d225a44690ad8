import { type DataFrame, type DataQueryRequest, type DataSourceInstanceSettings, dateTime } from '@grafana/data';
import type { ResultSeries } from '@joblens/core/influxql/response';
import { formatRfc3339Nano } from '@joblens/core/point/timestamp';
import { lastValueFrom } from 'rxjs';
import { createBackend, createResults } from '../../test/fake-backend.js';
import { createTemplates } from '../../test/fake-templates.js';
import type { JoblensQuery } from '../query-types/parts/query-type.js';
import { readJobRows } from '../views/parts/job-rows.js';
import { JoblensDataSource } from './datasource.js';
import type { JoblensOptions } from './types.js';

const HOUR_MS = 3_600_000;
const START_MS = 1_700_000_400_000;
const NOW_MS = START_MS + 20 * HOUR_MS;
const MARGIN_MS = 2000;
const JOB = `run-1.(a) 'b"`;
const tags = { job: JOB, user: 'ann' };

const LOSS = { count: 3, numeric: 3, integer: 0, json: 0, rising: false, distinct: 2, min: 0.25, max: 1, last: 0.25 };
const STATS = JSON.stringify({ rows: 3, columns: [['loss', LOSS]] });

const toTime = (timeMs: number): string => formatRfc3339Nano(BigInt(timeMs) * 1_000_000n);

interface Stored {
  readonly state?: string;
  readonly startedMs?: number;
  readonly endedMs?: number;
  readonly linesMs?: readonly number[];
  readonly rowsMs?: readonly number[];
}

/** A store with one job. */
function createStore({ state, startedMs, endedMs, linesMs = [], rowsMs = [] }: Stored) {
  const series = (
    name: string,
    columns: readonly string[],
    row: ResultSeries['values'][number] = []
  ): ResultSeries[] => (row.length === 0 ? [] : [{ name, tags, columns: ['time', ...columns], values: [row] }]);
  const answers: Readonly<Record<string, (name: string, statement: string) => ResultSeries[]>> = {
    job: (name) =>
      series(
        name,
        ['state', 'started', 'ended'],
        state === undefined ? [] : [toTime(START_MS), state, startedMs ?? null, endedMs ?? null]
      ),
    job_log: (name, statement) => {
      const timeMs = statement.includes('first(') ? Math.min(...linesMs) : Math.max(...linesMs);
      return series(name, ['kind'], linesMs.length === 0 ? [] : [toTime(timeMs), 'output']);
    },
    job_series: (name) => {
      const row = rowsMs.length === 0 ? [] : [toTime(Math.min(...rowsMs)), '["loss"]', STATS, 'loss', 3, null];
      return series(name, ['keys', 'stats', 'x', 'rows', 'paths'], row);
    },
    job_metadata: (name) => series(name, ['loss'], rowsMs.length === 0 ? [] : [toTime(Math.max(...rowsMs)), 1]),
    job_heartbeat: (name) => [
      {
        ...{ name, columns: ['time', 'job', 'user', 'state', 'started'] },
        values: [[toTime(START_MS), JOB, 'ann', state ?? null, startedMs ?? null]],
      },
    ],
  };
  const answer = (statement: string): ResultSeries[] => {
    const [, name = ''] = /FROM "(\w+)"/.exec(statement) ?? [];
    return answers[name]?.(name, statement) ?? [];
  };
  const backend = createBackend((q) => createResults(...q.split('; ').map((one) => answer(one))));
  const settings = { url: '/ds', jsonData: {} } as DataSourceInstanceSettings<JoblensOptions>;
  const dataSource = new JoblensDataSource(settings, backend, createTemplates({}));
  const read = async (atMs: number, job?: string) => {
    jest.spyOn(Date, 'now').mockReturnValue(atMs);
    jest.spyOn(performance, 'now').mockReturnValue(atMs - NOW_MS);
    const range = { from: dateTime(START_MS - HOUR_MS), to: dateTime(atMs), raw: { from: 'now-21h', to: 'now' } };
    const targets = [{ refId: 'A', queryType: 'jobs', ...(job !== undefined && { job }) }];
    const request = { targets, range, scopedVars: {} } as unknown as DataQueryRequest<JoblensQuery>;
    const { data } = await lastValueFrom(dataSource.query(request));
    return readJobRows(data as DataFrame[])[0];
  };
  return { read };
}

afterEach(() => jest.restoreAllMocks());

describe.each([
  ['its page', JOB],
  ['a list', undefined],
])('the end of a job, on %s', (_where, job) => {
  it.each<[string, Stored, { toMs: number | 'now'; durationMs: number }]>([
    [
      'is what was written where no point is newer',
      { state: 'COMPLETED', startedMs: START_MS, endedMs: START_MS + 4000, linesMs: [START_MS + 3000] },
      { toMs: START_MS + 4000, durationMs: 4000 },
    ],
    [
      'is its newest line where a clock was set back before its end',
      { state: 'COMPLETED', startedMs: START_MS, endedMs: START_MS - HOUR_MS + 4000, linesMs: [START_MS + 2000] },
      { toMs: START_MS + 2000, durationMs: 2000 },
    ],
    [
      'is not before its start where a clock was set back and it printed nothing',
      { state: 'FAILED', startedMs: START_MS, endedMs: START_MS - HOUR_MS + 4000 },
      { toMs: START_MS, durationMs: 0 },
    ],
    [
      'is its newest line where the clock of another host is ahead, and what one host measured is how long it ran',
      { state: 'COMPLETED', startedMs: START_MS, endedMs: START_MS + 4000, linesMs: [START_MS + 90_000] },
      { toMs: START_MS + 90_000, durationMs: 4000 },
    ],
    [
      'is the newest row of one without lines that says no state',
      { rowsMs: [START_MS, START_MS + 1000, START_MS + 6000] },
      { toMs: START_MS + 6000, durationMs: 6000 },
    ],
    [
      'is not known of one that prints rows alone and has printed one just now',
      { rowsMs: [START_MS, NOW_MS - 1000] },
      { toMs: 'now', durationMs: NOW_MS - 1000 - START_MS },
    ],
  ])('%s', async (_what, stored, { toMs, durationMs }) => {
    const { read } = createStore(stored);
    for (const atMs of [NOW_MS, NOW_MS + 10_000]) {
      const row = await read(atMs, job);
      const to = toMs === 'now' ? 'now' : String(toMs + MARGIN_MS);
      expect({ to: row?.to, durationMs: row?.durationMs }).toEqual({ to, durationMs });
      expect(row?.endedMs).toBe(stored.endedMs === undefined ? undefined : toMs);
    }
  });
});
