import { type AbsoluteTimeRange, type DataFrame, dateTime, FieldType, toDataFrame } from '@grafana/data';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { firstValueFrom, lastValueFrom, of, throwError, toArray } from 'rxjs';
import { createJobsFrame } from '../query-types/jobs/jobs.js';
import { VIEWS } from '../registry/registry.js';
import type { Emptiness } from '../views/parts/components/EmptyState.js';
import type { Ask } from '../views/view.js';
import { type EmptyPlace, findCause } from './cause.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.UTC(2026, 2, 12, 14);

interface Known extends Partial<JobRecord> {
  /** The times of what else the store has of it. */
  readonly linesMs?: readonly number[];
  readonly rowsMs?: readonly number[];
}

function createFrames(list: readonly Partial<JobRecord>[]): readonly DataFrame[] {
  const jobs = list.map((record) => ({ job: '7', user: 'ann', timeNs: 1n, values: new Map(), ...record }));
  return [createJobsFrame({ refId: 'A', jobs, totalJobs: jobs.length, nowMs: NOW_MS, executedQuery: '' })];
}

function createTimesFrame(timesMs: readonly number[]): readonly DataFrame[] {
  return [toDataFrame({ fields: [{ name: 'time', type: FieldType.time, values: [...timesMs] }] })];
}

/** A store with these jobs, and what it was asked. */
function createAsk(
  known: readonly Known[],
  view: keyof typeof VIEWS = 'jobs',
  undescribedMs: readonly number[] = []
): { ask: Ask; ranges: AbsoluteTimeRange[] } {
  const ranges: AbsoluteTimeRange[] = [];
  const ask: Ask = ({ query = {}, range = { from: 0, to: 0 } }) => {
    ranges.push(range);
    const queryType = query['queryType'] ?? VIEWS[view].needs.queryType;
    const isWithin = (ms: number): boolean => ms >= range.from && ms <= range.to;
    const listTimes = (of: 'linesMs' | 'rowsMs'): number[] => known.flatMap((job) => job[of] ?? []).filter(isWithin);
    if (queryType === 'logs') return of(createTimesFrame(listTimes('linesMs')));
    if (queryType === 'metadata') return of(createTimesFrame(listTimes('rowsMs')));
    if (queryType === 'events') return of(createTimesFrame(undescribedMs));
    const isAsked = ({ user = 'ann' }: Known): boolean => 'user' in query || user === 'ann';
    const found = known.filter(({ startedMs, submittedMs, endedMs = NOW_MS }) => {
      const beginMs = startedMs ?? submittedMs ?? 0;
      return beginMs <= range.to && endedMs >= range.from;
    });
    return of(createFrames(found.filter(isAsked).map(({ linesMs: _lines, rowsMs: _rows, ...record }) => record)));
  };
  return { ask, ranges };
}

function createPlace(view: keyof typeof VIEWS, fromMs: number, toMs: number, job = '7'): EmptyPlace {
  const ends = { from: dateTime(fromMs), to: dateTime(toMs) };
  return { view: VIEWS[view], job, timeRange: { ...ends, raw: ends }, timeZone: 'utc', nowMs: NOW_MS };
}

const find = (ask: Ask, place: EmptyPlace): Promise<Emptiness> => firstValueFrom(findCause(ask, place));

const ENDED: Known = { state: 'COMPLETED', command: 'x', startedMs: NOW_MS - DAY_MS, endedMs: NOW_MS - 23 * HOUR_MS };
const RUNNING: Known = { state: 'RUNNING', command: 'x', startedMs: NOW_MS - HOUR_MS };
const LAST_HOURS = [NOW_MS - 2 * HOUR_MS, NOW_MS] as const;
const LAST_MINUTE = [NOW_MS - 60_000, NOW_MS] as const;
const LONG_AGO = [NOW_MS - 40 * DAY_MS, NOW_MS - 39 * DAY_MS] as const;
const ALL = [NOW_MS - 2 * DAY_MS, NOW_MS] as const;

interface Case {
  readonly name: string;
  readonly of: Known;
  readonly views: ReadonlyArray<'graph' | 'table' | 'log' | 'job'>;
  readonly range: readonly [number, number];
  readonly title: string;
  readonly hint: string | RegExp;
  /** The range that one click leads to, if any. */
  readonly way?: readonly [number, number | 'now'];
}

const EVERY = ['graph', 'table', 'log', 'job'] as const;
const ROWS = ['graph', 'table'] as const;
const WHOLE_ENDED = [NOW_MS - DAY_MS, NOW_MS - 23 * HOUR_MS + 2000] as const;
const WHOLE_RUNNING = [NOW_MS - HOUR_MS, 'now'] as const;

/** State of the job, range of the page, and what is stored. */
const CASES: readonly Case[] = [
  ...[
    { of: RUNNING, hint: 'It has run since 2026-03-12 13:00:00.', way: WHOLE_RUNNING },
    { of: ENDED, hint: 'It ran from 2026-03-11 14:00:00 to 2026-03-11 15:00:00.', way: WHOLE_ENDED },
  ].map((found) => ({
    ...{ name: 'a range before its start', views: EVERY, range: LONG_AGO },
    ...{ title: 'Job 7 had not begun in this time range', ...found },
  })),
  {
    ...{ name: 'a range after its end', of: ENDED, views: EVERY, range: LAST_HOURS, way: WHOLE_ENDED },
    title: 'Job 7 was over before this time range',
    hint: 'It ran from 2026-03-11 14:00:00 to 2026-03-11 15:00:00.',
  },
  {
    ...{ name: 'a range after one whose clock was set back before its end', views: EVERY, range: LAST_MINUTE },
    of: { ...ENDED, endedMs: NOW_MS - DAY_MS - HOUR_MS },
    title: 'Job 7 was over before this time range',
    hint: 'It ran from 2026-03-11 14:00:00 to 2026-03-11 14:00:00.',
    way: [NOW_MS - DAY_MS, NOW_MS - DAY_MS + 2000],
  },
  {
    ...{ name: 'no rows of one whose clock was set back before its end', views: ROWS, range: ALL },
    of: { ...ENDED, endedMs: NOW_MS - 2 * DAY_MS - HOUR_MS },
    ...{ title: 'No metadata', hint: /None of this job is stored[.]$/ },
  },
  {
    ...{ name: 'a range after the last sign of one that was lost', views: EVERY, range: LAST_MINUTE },
    of: { ...RUNNING, startedMs: NOW_MS - DAY_MS, aliveUntilMs: NOW_MS - HOUR_MS },
    title: 'Job 7 was over before this time range',
    hint: 'It ran from 2026-03-11 14:00:00; its last sign of life is from 2026-03-12 13:00:00.',
    way: [NOW_MS - DAY_MS, NOW_MS - HOUR_MS + 2000],
  },
  {
    ...{ name: 'nothing printed by one that runs', of: RUNNING, views: ROWS, range: LAST_MINUTE, way: WHOLE_RUNNING },
    ...{ title: 'No metadata yet', hint: /as soon as/ },
  },
  {
    ...{ name: 'lines alone of one that runs', views: ROWS, range: LAST_MINUTE, way: WHOLE_RUNNING },
    of: { ...RUNNING, linesMs: [NOW_MS - 1000] },
    ...{ title: 'No metadata yet', hint: /as soon as/ },
  },
  {
    ...{ name: 'nothing printed by one that runs', of: RUNNING, views: ['log'], range: LAST_HOURS },
    ...{ title: 'No log lines yet', hint: 'No line of the job is stored so far.' },
  },
  {
    ...{ name: 'a bar alone that is redrawn', views: ['log'], range: LAST_MINUTE, way: WHOLE_RUNNING },
    of: { ...RUNNING, linesMs: [NOW_MS - HOUR_MS + 1000] },
    title: 'No new line in this time range',
    hint: /^The newest line of job 7 is from 2026-03-12 13:00:01[.] A bar that is redrawn/,
  },
  {
    ...{ name: 'older rows', views: ROWS, range: LAST_MINUTE, way: WHOLE_RUNNING },
    of: { ...RUNNING, rowsMs: [NOW_MS - HOUR_MS + 1000] },
    title: 'No new row of metadata in this time range',
    hint: 'The newest row of metadata of job 7 is from 2026-03-12 13:00:01.',
  },
  {
    ...{ name: 'newer lines', views: ['log'], range: [NOW_MS - DAY_MS, NOW_MS - DAY_MS + 1000], way: WHOLE_ENDED },
    of: { ...ENDED, linesMs: [NOW_MS - 23.5 * HOUR_MS] },
    ...{ title: 'No line in this time range', hint: 'The newest line of job 7 is from 2026-03-11 14:30:00.' },
  },
  {
    ...{ name: 'lines that the query leaves out', views: ['log'], range: LAST_HOURS },
    of: { ...RUNNING, linesMs: [NOW_MS - 1000] },
    title: 'No line in this time range that the query asks for',
    hint: 'Job 7 has others in it.',
  },
  {
    ...{ name: 'nothing printed by one that is over', of: ENDED, views: ROWS, range: ALL },
    ...{ title: 'No metadata', hint: /None of this job is stored[.]$/ },
  },
  {
    ...{ name: 'nothing printed by one that is over', of: ENDED, views: ['log'], range: ALL },
    ...{ title: 'No log lines', hint: /^No line of the job is stored: / },
  },
  {
    ...{ name: 'a state and no more', views: ['log', 'graph', 'table'], range: ALL },
    of: { state: 'COMPLETED', startedMs: NOW_MS - HOUR_MS, endedMs: NOW_MS - 1000 },
    ...{ title: 'Only the state of this job is stored', hint: /That is so where logging is switched off/ },
  },
  {
    ...{ name: 'lines beside a state and no more', views: ['log'], range: ALL },
    of: { state: 'COMPLETED', startedMs: NOW_MS - HOUR_MS, endedMs: NOW_MS - 1000, linesMs: [NOW_MS - HOUR_MS] },
    ...{ title: 'No line in this time range that the query asks for', hint: 'Job 7 has others in it.' },
  },
  {
    ...{ name: 'one that only waits', views: EVERY, range: ALL },
    of: { state: 'PENDING', submittedMs: NOW_MS - HOUR_MS },
    ...{ title: 'Job 7 has not started', hint: 'It has waited since 2026-03-12 13:00:00.' },
  },
];

describe('why the view of a job is empty', () => {
  const each = CASES.flatMap((one) => one.views.map((view) => [one.name, one.of.state ?? '-', view, one] as const));

  it.each(each)('%s, %s, in the view %s', async (_name, _state, view, { of: known, range, title, hint, way }) => {
    const said = await find(createAsk([known], view).ask, createPlace(view, ...range));
    expect(said.title).toBe(title);
    expect(said.hint).toMatch(hint);
    expect((said.ways ?? []).map((one) => 'from' in one && [one.from, one.to])).toEqual(
      way === undefined ? [] : [way.map(String)]
    );
  });

  it.each(EVERY)('%s: no such job, with a way to all jobs', async (view) => {
    await expect(find(createAsk([], view).ask, createPlace(view, ...LAST_HOURS))).resolves.toMatchObject({
      title: 'Job 7 is not known',
      ways: [{ href: '/d/joblens-jobs' }],
    });
  });

  it('is known where another user has one of its id', async () => {
    const { ask } = createAsk([{ ...ENDED, user: 'bob' }], 'log');
    await expect(find(ask, createPlace('log', ...LAST_HOURS))).resolves.toMatchObject({
      title: 'Job 7 is that of bob',
      ways: [{ label: 'Job 7 of bob' }],
    });
  });

  it.each(EVERY)('%s: is known by its events alone', async (view) => {
    const { ask } = createAsk([], view, [NOW_MS - DAY_MS]);
    await expect(find(ask, createPlace(view, ...LAST_HOURS))).resolves.toMatchObject({
      title: 'Nothing describes job 7',
      hint: 'Only rows or events of it are stored; the newest is of 2026-03-11 14:00:00.',
    });
  });

  it('is known where its clock is ahead of ours', async () => {
    const { ask } = createAsk([{ ...RUNNING, startedMs: NOW_MS + HOUR_MS }], 'log');
    await expect(find(ask, createPlace('log', ...LAST_HOURS))).resolves.toMatchObject({
      title: 'Job 7 had not begun in this time range',
    });
  });

  it('claims nothing of several jobs at once', async () => {
    const { ask } = createAsk([RUNNING, { ...ENDED, job: '8' }], 'log');
    const causes = findCause(ask, createPlace('log', ...LAST_MINUTE, '{7,8}')).pipe(toArray());
    await expect(lastValueFrom(causes)).resolves.toEqual([]);
  });

  it('says no more than it knows when the store gives no answer', async () => {
    const place = createPlace('log', ...LAST_HOURS);
    const causes = findCause(() => throwError(() => new Error('down')), place).pipe(toArray());
    await expect(lastValueFrom(causes)).resolves.toEqual([]);
  });
});

describe('why a list of jobs is empty', () => {
  it('leads to the job before, and looks no further back than it must', async () => {
    const { ask, ranges } = createAsk([ENDED]);
    await expect(find(ask, createPlace('jobs', ...LAST_HOURS, ''))).resolves.toMatchObject({
      hint: 'The nearest is job 7. It ran from 2026-03-11 14:00:00 to 2026-03-11 15:00:00.',
      ways: [{ from: String(NOW_MS - 2 * DAY_MS), to: String(NOW_MS - 23 * HOUR_MS + 2000) }],
    });
    expect(ranges).toEqual([{ from: LAST_HOURS[0] - DAY_MS, to: LAST_HOURS[0] }]);
  });

  it('leads to a job after a range of long ago', async () => {
    const place = createPlace('jobs', NOW_MS - 40 * DAY_MS, NOW_MS - 39 * DAY_MS, '');
    await expect(find(createAsk([RUNNING]).ask, place)).resolves.toMatchObject({ ways: [{ to: 'now' }] });
  });

  it('knows nothing of an empty store', async () => {
    const causes = findCause(createAsk([]).ask, createPlace('jobs', ...LAST_HOURS, '')).pipe(toArray());
    await expect(lastValueFrom(causes)).resolves.toEqual([]);
  });
});
