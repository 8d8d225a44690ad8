import {
  addJobBounds,
  addJobValues,
  chooseGrid,
  compareJobs,
  findJobsQuery,
  type FindRequest,
  FINEST_GRID,
  formatJobKey,
  type FoundJob,
  type HeartbeatGrid,
  isLimitedFind,
  jobBoundsQuery,
  type JobRecord,
  jobsQuery,
  type JobsRequest,
  jobValuesQuery,
  printStatement,
  readFoundJobs,
  readJobs,
  type Statement,
} from '@joblens/core';
import { concat, EMPTY, filter, map, type Observable, of, switchMap, tap } from 'rxjs';
import type { InfluxdbClient } from '../store/influxdb-client.js';
import { describeFound } from './describe-found.js';
import { findLastPoints, recallLastPoints } from './last-points.js';
import { findLastLife, recallLastLife } from './lost-jobs.js';
import { findOtherJobs } from './other-jobs.js';
import { printAll, type RunContext } from './query-type.js';
import { recallValues, rememberValues } from './shown-values.js';

export interface AskedJobs {
  /** Names; none means the jobs of the range. */
  readonly job: readonly string[];
  readonly user: readonly string[];
  /** The most jobs of a list. */
  readonly limit: number;
}

export interface ReadJobs {
  /** Running jobs first, then the newest. */
  readonly jobs: readonly JobRecord[];
  /** How many there are, beyond the limit too. */
  readonly totalJobs: number;
  readonly executedQuery: string;
}

/** This many jobs of a list, the newest, come with their last metadata values. */
const MAX_JOBS_WITH_VALUES = 200;

/** After this time the lines of described jobs are looked at again: another user's job may have their names. */
const SIGNS_EVERY_MS = 60_000;

/** Named jobs: all that is known of them, if they ran in the range. */
export function readNamedJobs({ job, user, limit }: AskedJobs, context: RunContext): Observable<ReadJobs> {
  const { client, fromNs, toNs } = context;
  // A configuration may be long: a list does without.
  const request = { job, user, fromNs, toNs, values: false, config: job.length === 1 };
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

/** A refresh asks for their descriptions alone, while these say everything. */
function findNamedJobs(request: JobsRequest, context: RunContext): Observable<readonly JobRecord[]> {
  const { client, describedJobs, monotonicMs } = context;
  const statements = jobsQuery(request);
  const question = JSON.stringify([request.job, request.user]);
  const known = describedJobs.get(question);
  const findAll = (): Observable<readonly JobRecord[]> =>
    client.query(statements).pipe(
      map((results) => {
        const found = readJobs(results, request);
        const jobs = found.every(isDescribed) ? found.length : 0;
        describedJobs.set(question, { jobs, foundAtMs: monotonicMs, characters: question.length });
        return found;
      })
    );
  if (known === undefined || known.jobs === 0 || monotonicMs - known.foundAtMs >= SIGNS_EVERY_MS) return findAll();
  return client.query([statements[0]]).pipe(
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
 * how many jobs the store has. The list comes as soon as the jobs are described, again if there is more to say of them,
 * and then with their last metadata values and with the jobs that have no heartbeats.
 */
export function readJobsOfRange({ user, limit }: AskedJobs, context: RunContext): Observable<ReadJobs> {
  const { client, fromNs, toNs } = context;
  const request: FindRequest = { user, fromNs, toNs };
  return findByHeartbeats(request, client).pipe(
    switchMap((found) =>
      describeFound(found.slice(0, limit), request, context).pipe(
        switchMap(({ jobs, isWhole }) => {
          const list = { jobs, totalJobs: found.length, executedQuery: printStatement(findJobsQuery(request)) };
          const known = recallLastLife(recallValues(jobs, client), context);
          const early = of({ ...list, jobs: recallLastPoints(known, context) });
          if (!isWhole) return early;
          // Where nothing is found, perhaps nobody leaves heartbeats.
          const searched = found.length === 0 ? { ...context, hasOtherWriters: true } : context;
          const whole = findOtherJobs(request, searched).pipe(
            switchMap((others) => addOthers(list, found, others)),
            switchMap((all) =>
              addDetails(all.jobs, request, client).pipe(map((detailed) => ({ ...all, jobs: detailed })))
            ),
            tap((complete) => rememberValues(complete.jobs, client)),
            switchMap((complete) =>
              findLastLife(complete.jobs, context).pipe(
                switchMap((living) => findLastPoints(living, context)),
                map((marked) => ({ ...complete, jobs: marked }))
              )
            )
          );
          return concat(jobs.length === 0 ? EMPTY : early, whole);
        })
      )
    )
  );

  function addOthers(list: ReadJobs, found: readonly FoundJob[], others: readonly FoundJob[]): Observable<ReadJobs> {
    const known = new Set(found.map(formatJobKey));
    const more = others.filter((job) => !known.has(formatJobKey(job)));
    return describeFound(more.slice(0, limit), request, context).pipe(
      filter(({ isWhole }) => isWhole),
      map((described) => ({
        ...list,
        jobs: [...list.jobs, ...described.jobs].sort(compareJobs).slice(0, limit),
        totalJobs: found.length + more.length,
      }))
    );
  }
}

/** On the finest grid, the newest jobs are among the newest heartbeats, however many there are. */
function findByHeartbeats(request: FindRequest, client: InfluxdbClient): Observable<FoundJob[]> {
  const ask = (grid: HeartbeatGrid) => client.query([findJobsQuery(request, grid)]);
  const grid = chooseGrid(request);
  return ask(grid).pipe(
    switchMap((results) =>
      isLimitedFind(results)
        ? ask(FINEST_GRID).pipe(map((finest) => readFoundJobs(finest, FINEST_GRID)))
        : of(readFoundJobs(results, grid))
    )
  );
}

/** The last values and, for jobs of a `request` that was answered without, their first and last lines. */
function addDetails(
  list: readonly JobRecord[],
  request: FindRequest | undefined,
  client: InfluxdbClient
): Observable<readonly JobRecord[]> {
  const newest = list.slice(0, MAX_JOBS_WITH_VALUES);
  if (newest.length === 0) return of(list);
  const bounds: Statement[] = request === undefined ? [] : jobBoundsQuery(newest, request);
  return client.query([jobValuesQuery(newest), ...bounds]).pipe(
    map(([values, ...results]) => {
      const valued = [...addJobValues(newest, values), ...list.slice(newest.length)];
      return bounds.length === 0 ? valued : addJobBounds(valued, results);
    })
  );
}
