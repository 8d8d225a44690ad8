import {
  addJobBounds,
  addJobValues,
  compareJobs,
  describeJobsQuery,
  findJobsQuery,
  type FindRequest,
  FINEST_GRID,
  formatJobKey,
  type FoundJob,
  isLimitedFind,
  jobBoundsQuery,
  type JobRecord,
  jobsQuery,
  jobValuesQuery,
  printStatement,
  readFoundJobs,
  readJobs,
  type Statement,
} from '@joblens/core';
import { concat, EMPTY, map, type Observable, of, switchMap } from 'rxjs';
import type { InfluxdbClient } from '../store/influxdb-client.js';
import { findOtherJobs } from './other-jobs.js';
import { printAll, type RunContext } from './query-type.js';

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

/** Named jobs: all that is known of them, if they ran in the range. */
export function readNamedJobs({ job, user, limit }: AskedJobs, context: RunContext): Observable<ReadJobs> {
  const { client, fromNs, toNs } = context;
  // A configuration may be long: a list does without.
  const request = { job, user, fromNs, toNs, values: false, config: job.length === 1 };
  const statements = jobsQuery(request);
  return client.query(statements).pipe(
    switchMap((results) => {
      const found = readJobs(results, request);
      const list = { totalJobs: found.length, executedQuery: printAll(statements) };
      return addDetails(found.slice(0, limit), { user, fromNs, toNs }, client).pipe(map((jobs) => ({ ...list, jobs })));
    })
  );
}

/**
 * The jobs that lived in the range, found by their heartbeats and then described by name: their cost does not depend on
 * how many jobs the store has. The list comes twice: as soon as the jobs are described, and then with their last
 * metadata values and with the jobs that have no heartbeats.
 */
export function readJobsOfRange({ user, limit }: AskedJobs, context: RunContext): Observable<ReadJobs> {
  const { client, fromNs, toNs } = context;
  const request: FindRequest = { user, fromNs, toNs };
  return findByHeartbeats(request, client).pipe(
    switchMap((found) =>
      describe(found.slice(0, limit), request, client).pipe(
        switchMap((jobs) => {
          const list = { jobs, totalJobs: found.length, executedQuery: printStatement(findJobsQuery(request)) };
          // Where nothing is found, perhaps nobody leaves heartbeats.
          const searched = found.length === 0 ? { ...context, hasOtherWriters: true } : context;
          const whole = findOtherJobs(request, searched).pipe(
            switchMap((others) => addOthers(list, found, others)),
            switchMap((all) =>
              addDetails(all.jobs, request, client).pipe(map((detailed) => ({ ...all, jobs: detailed })))
            )
          );
          return concat(jobs.length === 0 ? EMPTY : of(list), whole);
        })
      )
    )
  );

  function addOthers(list: ReadJobs, found: readonly FoundJob[], others: readonly FoundJob[]): Observable<ReadJobs> {
    const known = new Set(found.map(formatJobKey));
    const more = others.filter((job) => !known.has(formatJobKey(job)));
    return describe(more.slice(0, limit), request, client).pipe(
      map((described) => ({
        ...list,
        jobs: [...list.jobs, ...described].sort(compareJobs).slice(0, limit),
        totalJobs: found.length + more.length,
      }))
    );
  }
}

/** On the finest grid, the newest jobs are among the newest heartbeats, however many there are. */
function findByHeartbeats(request: FindRequest, client: InfluxdbClient): Observable<FoundJob[]> {
  return client.query([findJobsQuery(request)]).pipe(
    switchMap((results) =>
      isLimitedFind(results) ? client.query([findJobsQuery(request, FINEST_GRID)]) : of(results)
    ),
    map(readFoundJobs)
  );
}

function describe(
  found: readonly FoundJob[],
  request: FindRequest,
  client: InfluxdbClient
): Observable<readonly JobRecord[]> {
  if (found.length === 0) return of([]);
  return client.query([describeJobsQuery(found)]).pipe(map((results) => readJobs(results, request, found)));
}

function addDetails(
  list: readonly JobRecord[],
  request: FindRequest,
  client: InfluxdbClient
): Observable<readonly JobRecord[]> {
  const newest = list.slice(0, MAX_JOBS_WITH_VALUES);
  if (newest.length === 0) return of(list);
  const bounds: Statement[] = jobBoundsQuery(newest, request);
  return client.query([jobValuesQuery(newest), ...bounds]).pipe(
    map(([values, ...results]) => {
      const valued = [...addJobValues(newest, values), ...list.slice(newest.length)];
      return bounds.length === 0 ? valued : addJobBounds(valued, results);
    })
  );
}
