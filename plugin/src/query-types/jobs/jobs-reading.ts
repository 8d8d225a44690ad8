import type { Statement } from '@joblens/core/influxql/nodes';
import { printStatement } from '@joblens/core/influxql/print';
import { findJobsQuery, type FindRequest, formatJobKey, selectRange } from '@joblens/core/ask/heartbeats/find-jobs';
import {
  addJobValues,
  type JobRecord,
  jobsQuery,
  type JobsRequest,
  jobValuesQuery,
  readJobs,
} from '@joblens/core/ask/jobs/jobs';
import { addJobBounds, jobBoundsQuery } from '@joblens/core/ask/jobs/told-jobs';
import type { WalkedJob } from '@joblens/core/ask/jobs/walked-jobs';
import { readNamedJobs } from '@joblens/core/ask/jobs/list-jobs';
import {
  combineLatest,
  concat,
  distinctUntilChanged,
  EMPTY,
  map,
  type Observable,
  of,
  shareReplay,
  switchMap,
  tap,
} from 'rxjs';
import type { InfluxdbClient } from '../../store/influxdb-client.js';
import { describeFound } from './describe-found.js';
import { findLastPoints, recallLastPoints } from './last-points.js';
import { findLastLife, recallLastLife } from './lost-jobs.js';
import { printAll, type RunContext } from '../parts/query-type.js';
import { type JobsQuestion, selectFromRange, type Selection } from './select-jobs.js';
import { runReading } from '../parts/run-reading.js';
import { recallValues, rememberValues } from '../parts/shown-values.js';

export interface AskedJobs {
  /** Names; none means the jobs of the range. */
  readonly job: readonly string[];
  readonly user: readonly string[];
  /** The most jobs of a list. */
  readonly limit: number;
  /** Which jobs of the range. Default: the newest. */
  readonly question?: JobsQuestion | undefined;
}

export interface ReadJobs {
  /** Running jobs first, then the newest. */
  readonly jobs: readonly JobRecord[];
  /** How many there are, beyond the limit too. */
  readonly totalJobs: number;
  readonly executedQuery: string;
  /** What a list of a range is a part of. */
  readonly found?: FoundOfRange;
}

export interface FoundOfRange extends Pick<Selection, 'counts' | 'sinceNs' | 'isDone'> {
  /** The number of jobs before the first of the list. */
  readonly offset: number;
  readonly pageSize: number;
}

/** This many jobs of a list, the newest, come with their last metadata values. */
const MAX_JOBS_WITH_VALUES = 200;

/** After this time the lines of described jobs are looked at again: another user's job may have their names. */
const SIGNS_EVERY_MS = 60_000;

/** Named jobs: all that is known of them, if they ran in the range. */
export function describeNamedJobs({ job, user, limit }: AskedJobs, context: RunContext): Observable<ReadJobs> {
  const { client } = context;
  // A configuration may be long: a list does without.
  const request = { job, user, ...selectRange(context), values: false, config: job.length === 1 };
  return findNamedJobs(request, context).pipe(
    switchMap((found) => {
      const list = { totalJobs: found.length, executedQuery: printAll(jobsQuery(request)) };
      return addDetails(found.slice(0, limit), undefined, client).pipe(
        switchMap((jobs) => findLastLife(jobs, context)),
        switchMap((jobs) => findLastPoints(jobs, context)),
        map((jobs) => ({ ...list, jobs }))
      );
    })
  );
}

/** What named jobs say of themselves, with their configurations. */
export function readConfigs({ job, user }: AskedJobs, { client }: RunContext): Observable<ReadJobs> {
  const request = { job, user, values: false, config: true };
  const [descriptions] = jobsQuery(request);
  return client.query([descriptions]).pipe(
    map((results) => {
      const jobs = readJobs(results, request);
      return { jobs, totalJobs: jobs.length, executedQuery: printStatement(descriptions) };
    })
  );
}

/** A refresh asks for their descriptions alone, while these say everything. */
function findNamedJobs(request: JobsRequest, context: RunContext): Observable<readonly JobRecord[]> {
  const { client, describedJobs, monotonicMs } = context;
  const question = JSON.stringify([request.job, request.user]);
  const known = describedJobs.get(question);
  const findAll = (): Observable<readonly JobRecord[]> =>
    runReading(() => readNamedJobs(request), context).pipe(
      tap((found) => {
        const jobs = found.every(isDescribed) ? found.length : 0;
        describedJobs.set(question, { jobs, foundAtMs: monotonicMs, characters: question.length });
      })
    );
  if (known === undefined || known.jobs === 0 || monotonicMs - known.foundAtMs >= SIGNS_EVERY_MS) return findAll();
  return client.query([jobsQuery(request)[0]]).pipe(
    map((results) => readJobs(results, request)),
    switchMap((found) => (found.length === known.jobs && found.every(isDescribed) ? of(found) : findAll()))
  );
}

/** The lines and tables of such a job tell nothing more of when it ran. */
function isDescribed({ state, startedMs, submittedMs }: JobRecord): boolean {
  return state !== undefined && (startedMs ?? submittedMs) !== undefined;
}

/**
 * The jobs that lived in the range, found by their heartbeats and then described by name: their cost does not depend on
 * how many jobs the store has. A page of them comes as soon as it is described, again if there is more to say of it,
 * and as more of the range is looked through.
 */
export function readJobsOfRange(asked: AskedJobs, context: RunContext): Observable<ReadJobs> {
  const { fromNs, toNs, isOpen } = context;
  const { user, limit, question = { search: '', offset: 0 } } = asked;
  const request: FindRequest = { user, fromNs, toNs, isOpen };
  const executedQuery = printStatement(findJobsQuery(request));
  const selections = selectFromRange(request, question, limit, context).pipe(
    shareReplay({ bufferSize: 1, refCount: true })
  );
  const pages = selections.pipe(
    distinctUntilChanged((a, b) => formatPage(a) === formatPage(b)),
    switchMap(({ page, isDone }) =>
      page.length === 0 && !isDone && question.search === '' ? EMPTY : describePage(page)
    )
  );
  return combineLatest([selections, pages]).pipe(
    map(([{ total, counts, sinceNs, isDone }, jobs]) => ({
      ...{ jobs, totalJobs: total, executedQuery },
      found: { counts, sinceNs, isDone, offset: question.offset, pageSize: limit },
    }))
  );

  function describePage(page: readonly WalkedJob[]): Observable<readonly JobRecord[]> {
    return describeFound(page, request, context).pipe(
      switchMap(({ jobs, isWhole }) => {
        const early = of(recallLastPoints(recallLastLife(recallValues(jobs, context.client), context), context));
        if (!isWhole) return early;
        const whole = addDetails(jobs, request, context.client).pipe(
          tap((complete) => rememberValues(complete, context.client)),
          switchMap((complete) => findLastLife(complete, context)),
          switchMap((living) => findLastPoints(living, context))
        );
        return concat(jobs.length === 0 ? EMPTY : early, whole);
      }),
      map((jobs) => orderAs(page, jobs, question))
    );
  }
}

/** A page is described anew when it has other jobs, or one has changed its state. */
function formatPage({ page, isDone }: Selection): string {
  return JSON.stringify([page.length === 0 && isDone, ...page.map(({ job, user, state }) => [job, user, state])]);
}

/** In an order that a person chose, the page stays as it was selected. */
function orderAs(
  page: readonly WalkedJob[],
  jobs: readonly JobRecord[],
  { order }: JobsQuestion
): readonly JobRecord[] {
  if (order === undefined) return jobs;
  const places = new Map(page.map((job, at) => [formatJobKey(job), at]));
  const placeOf = (job: JobRecord): number => places.get(formatJobKey(job)) ?? page.length;
  return [...jobs].sort((a, b) => placeOf(a) - placeOf(b));
}

/** The last values and, for jobs of a `request` that was answered without, their first and last lines. */
function addDetails(
  list: readonly JobRecord[],
  request: FindRequest | undefined,
  client: InfluxdbClient
): Observable<readonly JobRecord[]> {
  const newest = list.slice(0, MAX_JOBS_WITH_VALUES);
  if (newest.length === 0) return of(list);
  const bounds: Statement[] = request === undefined ? [] : jobBoundsQuery(newest, selectRange(request));
  return client.query([jobValuesQuery(newest), ...bounds]).pipe(
    map(([values, ...results]) => {
      const valued = [...addJobValues(newest, values), ...list.slice(newest.length)];
      return bounds.length === 0 ? valued : addJobBounds(valued, results);
    })
  );
}
