import { dateTimeFormat, type TimeRange } from '@grafana/data';
import { EMPTY, catchError, concatMap, from, map, type Observable, take } from 'rxjs';
import type { Emptiness } from '../views/parts/EmptyState.js';
import { type JobRow, readJobRows } from '../views/parts/job-rows.js';
import { JOBS_PAGE } from '../views/parts/job-link.js';
import { readStateKind } from '../views/parts/job-state.js';
import type { Ask, View } from '../views/view.js';

/** What is known about an empty view. */
export interface EmptyPlace {
  readonly view: View;
  /** The job that the query names, variables filled in; empty for a query about all jobs. */
  readonly job: string;
  readonly timeRange: TimeRange;
  readonly timeZone: string;
  readonly nowMs: number;
}

const DAY_MS = 86_400_000;
/** Jobs are looked for in longer and longer times before the range, so that a look costs what it finds. */
const LOOK_BACK_DAYS = [1, 30, 366];

/** Asks the store why a view has nothing to show. Emits at most once, and nothing when the store gives no answer. */
export function findCause(ask: Ask, place: EmptyPlace): Observable<Emptiness> {
  const { view, job } = place;
  if (view.needs.queryType === 'jobs' && job === '') return findOtherJobs(ask, place);
  if (job === '') return EMPTY;
  const query = { queryType: 'jobs', limit: 1, series: undefined, fields: undefined };
  return ask({ query, range: { from: 1, to: place.nowMs } }).pipe(
    take(1),
    map((frames) => explainJob(readJobRows(frames)[0], place)),
    catchError(() => EMPTY)
  );
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
    hint: `Job ${row.job} ran ${formatRange(row, timeZone)}.`,
    ways: [{ label: 'Go to that time', from: String(Number(row.from) - DAY_MS), to: row.to }],
  };
}

/** `row` is the job as the store knows it, at any time. */
function explainJob(row: JobRow | undefined, place: EmptyPlace): Emptiness {
  const { view, job, timeRange, timeZone } = place;
  if (row === undefined) {
    return {
      title: `Job ${job} is not known`,
      hint: 'Nothing is stored under this id. Perhaps its owner has not opted in.',
      ways: [{ label: 'All jobs', href: JOBS_PAGE }],
    };
  }
  if (!isWhollyShown(row, timeRange)) {
    return {
      title: `Nothing of job ${job} in this time range`,
      hint: `It ran ${formatRange(row, timeZone)}.`,
      ways: [{ label: 'Show the whole job', from: row.from, to: row.to }],
    };
  }
  if (isSilenced(row)) {
    return {
      title: 'The output of this job is not logged',
      hint: 'Its owner has switched logging off (mode `disabled`), so only its state is stored.',
    };
  }
  const isRunning = readStateKind(row) === 'running';
  return isRunning && view.emptiness.whileRunning !== undefined ? view.emptiness.whileRunning : view.emptiness;
}

/** A job's clock and that of the store may differ a little. */
const TOLERANCE_MS = 5000;

function isWhollyShown({ from: fromMs, to }: JobRow, timeRange: TimeRange): boolean {
  const endsInTime = to === 'now' ? timeRange.to.valueOf() : Number(to);
  return (
    timeRange.from.valueOf() <= Number(fromMs) + TOLERANCE_MS && endsInTime <= timeRange.to.valueOf() + TOLERANCE_MS
  );
}

/** In the mode `disabled` a job's state is stored, and neither command nor folder nor host. */
function isSilenced({ state, command, host, workdir, values }: JobRow): boolean {
  return state !== undefined && [command, host, workdir, values].every((part) => part === undefined);
}

function formatRange({ from: fromMs, to }: JobRow, timeZone: string): string {
  const format = (ms: string): string => dateTimeFormat(Number(ms), { timeZone });
  return to === 'now' ? `since ${format(fromMs)}` : `from ${format(fromMs)} to ${format(to)}`;
}
