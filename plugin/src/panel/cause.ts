import type { DataFrame, TimeRange } from '@grafana/data';
import {
  EMPTY,
  catchError,
  concat,
  concatMap,
  defaultIfEmpty,
  filter,
  from,
  map,
  type Observable,
  of,
  switchMap,
  take,
} from 'rxjs';
import { DAY_MS } from '@joblens/core/numbers/time-units';
import { findTimeField, readValues } from '../frames/field-values.js';
import type { Emptiness } from '../views/parts/components/EmptyState.js';
import { createJobHref } from '../views/parts/job-link.js';
import { type JobRow, readJobRows } from '../views/parts/job-rows.js';
import type { Ask, View } from '../views/view.js';
import { explainJob, explainUndescribed, formatLife } from './job-cases.js';

/** What is known about an empty view. */
export interface EmptyPlace {
  readonly view: View;
  /** The job that the query names, variables filled in; empty for a query about all jobs, undefined for several. */
  readonly job: string | undefined;
  readonly timeRange: TimeRange;
  readonly timeZone: string;
  readonly nowMs: number;
}

/** Jobs are looked for in longer and longer times before the range, so that a look costs what it finds. */
const LOOK_BACK_DAYS = [1, 30, 366];
/** A job's clock may be ahead of the browser's, by any time. */
const AHEAD_MS = 366 * DAY_MS;

/** Asks the store why a view has nothing to show. Emits at most once, and nothing when the store gives no answer. */
export function findCause(ask: Ask, place: EmptyPlace): Observable<Emptiness> {
  const { view, job } = place;
  if (view.needs.queryType === 'jobs' && job === '') return findOtherJobs(ask, place);
  // Nothing is true of all of several jobs.
  if (job === '' || job === undefined) return EMPTY;
  return askForJobs(ask, place, {}).pipe(
    switchMap((rows) => {
      const [row, ...others] = rows;
      if (row === undefined) return findUnknown(ask, { ...place, job });
      return others.length > 0 ? EMPTY : findOfKnown(ask, place, row);
    }),
    catchError(() => EMPTY)
  );
}

/** What narrows the question of a panel beside the names of job and user. */
const ALL_PARTS = {
  ...{ series: undefined, fields: undefined, task: undefined, page: undefined, trend: undefined, rule: undefined },
  // With a tag, a query about all jobs would be about none.
  ...{ tag: undefined, slice: undefined, stream: 'both' },
};

function askForJobs(ask: Ask, { nowMs }: EmptyPlace, query: object): Observable<readonly JobRow[]> {
  const asked = { ...ALL_PARTS, queryType: 'jobs', limit: 2, ...query };
  return ask({ query: asked, range: { from: 1, to: nowMs + AHEAD_MS } }).pipe(take(1), map(readJobRows));
}

function findOfKnown(ask: Ask, place: EmptyPlace, row: JobRow): Observable<Emptiness> {
  const { view, timeRange, timeZone, nowMs } = place;
  const newest =
    view.stored === undefined ? of(undefined) : askForNewest(ask, Number(row.from) - DAY_MS, nowMs + AHEAD_MS);
  return newest.pipe(
    map((newestMs) => {
      const [fromMs, toMs] = [timeRange.from.valueOf(), timeRange.to.valueOf()];
      return explainJob({ view, row, newestMs, fromMs, toMs, nowMs, timeZone });
    })
  );
}

/** The time of the newest line or row, in milliseconds. A page of lines leaves out its last instant. */
function askForNewest(ask: Ask, fromMs: number, toMs: number, query: object = {}): Observable<number | undefined> {
  const asked = { ...ALL_PARTS, limit: 2, ...query };
  return ask({ query: asked, range: { from: fromMs, to: toMs } }).pipe(take(1), map(readNewestMs));
}

function readNewestMs(frames: readonly DataFrame[]): number | undefined {
  return frames
    .map(findTimeField)
    .flatMap((field) => (field === undefined ? [] : (readValues(field) as readonly number[])))
    .reduce<number | undefined>((newest, ms) => (newest === undefined || ms > newest ? ms : newest), undefined);
}

/** Nothing describes the job, as it is asked for: another user's may have its id, or there are rows or events alone. */
function findUnknown(ask: Ask, place: EmptyPlace & { readonly job: string }): Observable<Emptiness> {
  const { job, timeZone, nowMs } = place;
  const others = askForJobs(ask, place, { user: undefined }).pipe(
    concatMap((rows) => rows.slice(0, 1)),
    map((row) => explainOwner(row, timeZone))
  );
  const whatElse = [{ queryType: 'metadata' }, { queryType: 'events', event: 'all' }];
  const undescribed = from(whatElse).pipe(
    concatMap((query) => askForNewest(ask, 1, nowMs + AHEAD_MS, query)),
    filter((newestMs) => newestMs !== undefined),
    take(1),
    defaultIfEmpty(undefined),
    map((newestMs) => explainUndescribed(job, newestMs, timeZone))
  );
  return concat(others, undescribed).pipe(take(1));
}

function explainOwner(row: JobRow, timeZone: string): Emptiness {
  const owner = row.user === '' ? 'nobody' : row.user;
  return {
    title: `Job ${row.job} is that of ${owner}`,
    hint: `This page asks for another user's. ${formatLife(row, timeZone)}`,
    ways: [{ label: `Job ${row.job} of ${owner}`, href: createJobHref(row) }],
  };
}

function findOtherJobs(ask: Ask, { timeRange, timeZone, nowMs }: EmptyPlace): Observable<Emptiness> {
  const [beginMs, endMs] = [timeRange.from.valueOf(), timeRange.to.valueOf()];
  const earlier = LOOK_BACK_DAYS.map((days) => ({ from: beginMs - days * DAY_MS, to: beginMs }));
  const later = endMs < nowMs ? [{ from: endMs, to: nowMs }] : [];
  return from([...earlier, ...later]).pipe(
    concatMap((range) => ask({ query: { limit: 1 }, range }).pipe(take(1))),
    concatMap((frames) => readJobRows(frames).slice(0, 1)),
    map((row) => explainOther(row, timeZone)),
    take(1),
    catchError(() => EMPTY)
  );
}

/** With the day before it, where there may be more. */
function explainOther(row: JobRow, timeZone: string): Emptiness {
  return {
    title: 'No job ran in this time range',
    hint: `The nearest is job ${row.job}. ${formatLife(row, timeZone)}`,
    ways: [{ label: 'Go to that time', from: String(Number(row.from) - DAY_MS), to: row.to }],
  };
}
