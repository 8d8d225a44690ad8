import { type FindRequest, formatJobKey, type FoundJob, readFoundJobs } from '@joblens/core/queries/find-jobs';
import { findOtherJobsQuery, heartbeatEraQuery, isHeartbeatEra } from '@joblens/core/queries/find-other-jobs';
import { findRowJobs, rowJobNamesQueries } from '@joblens/core/queries/find-row-jobs';
import { catchError, map, type Observable, of, switchMap, tap } from 'rxjs';
import type { InfluxdbClient } from '../store/influxdb-client.js';
import { printAll, type RunContext } from './query-type.js';
import { runSteps } from './run-steps.js';

/** How long an answer counts as known: the store may have looked at very many series for it. */
const FRESH_MS = 60_000;
const MAX_REMEMBERED = 20;
const NS_PER_SLOT = 600_000_000_000n;

interface Answer {
  readonly atMs: number;
  readonly found: readonly FoundJob[];
}

const remembered = new WeakMap<InfluxdbClient, Map<string, Answer>>();

/** Those that have a description, log lines or described tables, and those that have rows alone. */
function ask(request: FindRequest, client: InfluxdbClient): Observable<readonly FoundJob[]> {
  const statements = findOtherJobsQuery(request);
  return client.query([...statements, ...rowJobNamesQueries(request)]).pipe(
    switchMap((results) => {
      const found = readFoundJobs(results.slice(0, statements.length));
      const rows = findRowJobs(request, results.slice(statements.length));
      return runSteps(rows, { client }).pipe(map(({ done }) => [...found, ...done.jobs]));
    }),
    map(dropRepeats)
  );
}

/** The first sign of a job says most of it. */
function dropRepeats(found: readonly FoundJob[]): readonly FoundJob[] {
  return [...new Map([...found].reverse().map((job) => [formatJobKey(job), job])).values()].reverse();
}

/**
 * The jobs without heartbeats in a range, asked for once a minute at most. Where heartbeats are old news and the
 * settings name no other writers, there are none. A failure leaves them out.
 */
export function findOtherJobs(
  { user, fromNs, toNs }: FindRequest,
  { client, monotonicMs, hasOtherWriters }: Pick<RunContext, 'client' | 'monotonicMs' | 'hasOtherWriters'>
): Observable<readonly FoundJob[]> {
  // Whole slots: a range that moves with the time stays the same question for a while.
  const request = { user, fromNs: fromNs - (fromNs % NS_PER_SLOT), toNs: toNs - (toNs % NS_PER_SLOT) + NS_PER_SLOT };
  const statements = findOtherJobsQuery(request);
  const answers = remembered.get(client) ?? new Map<string, Answer>();
  remembered.set(client, answers);
  const key = printAll(statements);
  const known = answers.get(key);
  if (known !== undefined && monotonicMs - known.atMs < FRESH_MS) return of(known.found);
  const isEra = client.query([heartbeatEraQuery(request)]).pipe(map(([result]) => isHeartbeatEra(result)));
  return (hasOtherWriters ? of(false) : isEra).pipe(
    switchMap((hasNone) => (hasNone ? of([]) : ask(request, client))),
    tap((found) => {
      if (answers.size >= MAX_REMEMBERED) answers.clear();
      answers.set(key, { atMs: monotonicMs, found });
    }),
    catchError(() => of([]))
  );
}
