import { formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { addLastLife, findLostJobs, mayBeLost } from '@joblens/core/ask/jobs/lost-jobs';
import { catchError, map, type Observable, of, tap } from 'rxjs';
import type { InfluxdbClient } from '../../store/influxdb-client.js';
import type { RunContext } from '../parts/query-type.js';
import { runReading } from '../parts/run-reading.js';

/** How long the answer for a job counts as known: heartbeats come every ten minutes. */
const FRESH_MS = 60_000;
const MAX_REMEMBERED = 5000;

interface Life {
  readonly atMs: number;
  /** Undefined while it lives. */
  readonly aliveUntilMs: number | undefined;
}

const remembered = new WeakMap<InfluxdbClient, Map<string, Life>>();

/** The same jobs, with what is known already of the last signs of life of those whose end nobody wrote. */
export function recallLastLife(
  jobs: readonly JobRecord[],
  { client, nowMs }: Pick<RunContext, 'client' | 'nowMs'>
): readonly JobRecord[] {
  const memory = remembered.get(client);
  const known = jobs.flatMap((job) => {
    const untilMs = mayBeLost(job, nowMs) ? memory?.get(formatLifeKey(job))?.aliveUntilMs : undefined;
    return untilMs === undefined ? [] : [[formatJobKey(job), untilMs] as const];
  });
  return known.length === 0 ? jobs : addLastLife(jobs, { aliveUntilMs: new Map(known) });
}

/** The same, asked for where it is not known; once a minute at most. A failure leaves it out. */
export function findLastLife(
  jobs: readonly JobRecord[],
  context: Pick<RunContext, 'client' | 'nowMs' | 'monotonicMs'>
): Observable<readonly JobRecord[]> {
  const { client, nowMs, monotonicMs } = context;
  const memory = remembered.get(client) ?? new Map<string, Life>();
  remembered.set(client, memory);
  const isKnown = (job: JobRecord): boolean =>
    monotonicMs - (memory.get(formatLifeKey(job))?.atMs ?? -Infinity) < FRESH_MS;
  const open = jobs.filter((job) => mayBeLost(job, nowMs) && !isKnown(job));
  if (open.length === 0) return of(recallLastLife(jobs, context));
  return runReading(() => findLostJobs(open, nowMs), context).pipe(
    tap(({ aliveUntilMs }) => {
      if (memory.size + open.length > MAX_REMEMBERED) memory.clear();
      for (const job of open)
        memory.set(formatLifeKey(job), { atMs: monotonicMs, aliveUntilMs: aliveUntilMs.get(formatJobKey(job)) });
    }),
    map(() => recallLastLife(jobs, context)),
    catchError(() => of(jobs))
  );
}

/** Another run is another life. */
function formatLifeKey(job: JobRecord): string {
  return `${formatJobKey(job)} ${String(job.startedMs)}`;
}
