import { type AbsoluteTimeRange, type DataFrame, dateTime } from '@grafana/data';
import type { JobRecord } from '@joblens/core';
import { firstValueFrom, lastValueFrom, of, throwError, toArray } from 'rxjs';
import { createJobsFrame } from '../query-types/jobs.js';
import { VIEWS } from '../registry/registry.js';
import type { Emptiness } from '../views/parts/EmptyState.js';
import type { Ask } from '../views/view.js';
import { type EmptyPlace, findCause } from './cause.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.UTC(2026, 2, 12, 14);

type Known = Partial<JobRecord> & { readonly startedMs: number };

function createFrames(list: readonly Known[]): readonly DataFrame[] {
  const jobs = list.map((record) => ({ job: '7', user: 'ann', timeNs: 1n, values: new Map(), ...record }));
  return [createJobsFrame({ refId: 'A', jobs, totalJobs: jobs.length, nowMs: NOW_MS, executedQuery: '' })];
}

/** A store with these jobs, and what it was asked. */
function createAsk(known: readonly Known[]): { ask: Ask; ranges: AbsoluteTimeRange[] } {
  const ranges: AbsoluteTimeRange[] = [];
  const ask: Ask = ({ range = { from: 0, to: 0 } }) => {
    ranges.push(range);
    const found = known.filter(({ startedMs, endedMs = NOW_MS }) => startedMs <= range.to && endedMs >= range.from);
    return of(createFrames(found));
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

describe('why the view of a job is empty', () => {
  it.each(['graph', 'table', 'log', 'job'] as const)('%s: no such job, with a way to all jobs', async (view) => {
    await expect(find(createAsk([]).ask, createPlace(view, ...LAST_HOURS))).resolves.toMatchObject({
      title: 'Job 7 is not known',
      ways: [{ href: '/d/joblens-jobs' }],
    });
  });

  it('another time, with a way there', async () => {
    await expect(find(createAsk([ENDED]).ask, createPlace('log', ...LAST_HOURS))).resolves.toMatchObject({
      title: 'Nothing of job 7 in this time range',
      hint: 'It ran from 2026-03-11 14:00:00 to 2026-03-11 15:00:02.',
      ways: [{ from: String(ENDED.startedMs), to: String(NOW_MS - 23 * HOUR_MS + 2000) }],
    });
  });

  it('another time than that of a job that runs: the way follows it', async () => {
    const place = createPlace('log', NOW_MS - 60_000, NOW_MS);
    await expect(find(createAsk([RUNNING]).ask, place)).resolves.toMatchObject({
      ways: [{ from: String(RUNNING.startedMs), to: 'now' }],
    });
  });

  it.each([
    ['graph', 'No metadata yet'],
    ['log', 'No log lines yet'],
  ] as const)('%s: nothing yet', async (view, title) => {
    await expect(find(createAsk([RUNNING]).ask, createPlace(view, ...LAST_HOURS))).resolves.toMatchObject({ title });
  });

  it('nothing at all', async () => {
    const place = createPlace('table', NOW_MS - 2 * DAY_MS, NOW_MS);
    await expect(find(createAsk([ENDED]).ask, place)).resolves.toMatchObject({
      title: 'No metadata in this time range',
    });
  });

  it('logging is off', async () => {
    const { ask } = createAsk([{ state: 'RUNNING', startedMs: NOW_MS - HOUR_MS }]);
    await expect(find(ask, createPlace('log', ...LAST_HOURS))).resolves.toMatchObject({
      title: 'The output of this job is not logged',
    });
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
      hint: 'Job 7 ran from 2026-03-11 14:00:00 to 2026-03-11 15:00:02.',
      ways: [{ from: String(ENDED.startedMs - DAY_MS), to: String(NOW_MS - 23 * HOUR_MS + 2000) }],
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
