import type { ResultSeries } from '@joblens/core/influxql/response';
import { describeJobsQuery, findDescribedSinceNs, splitDescriptions } from '@joblens/core/ask/jobs/describe-jobs';
import { type FindRequest, formatJobKey, type FoundJob, selectRange } from '@joblens/core/ask/heartbeats/find-jobs';
import { type JobRecord, readJobs } from '@joblens/core/ask/jobs/jobs';
import { concat, map, type Observable, of, switchMap } from 'rxjs';
import type { InfluxdbClient } from '../../store/influxdb-client.js';
import type { RunContext } from '../parts/query-type.js';

export interface DescribedJobs {
  readonly jobs: readonly JobRecord[];
  /** False while what was written long before is missing: tags, for example, or the name of a job that waits. */
  readonly isWhole: boolean;
}

/** How long what was written long before counts as known. An import or a deletion may change it. */
const FRESH_MS = 60_000;
const MAX_REMEMBERED = 5000;

interface Older {
  readonly atMs: number;
  /** None where a job has nothing that old. */
  readonly series: ResultSeries | undefined;
}

const remembered = new WeakMap<InfluxdbClient, Map<string, Older>>();

/**
 * Describes the jobs that were found. A description may be of any time, but nearly all of it was written since the jobs
 * started, and a store of a year gives that in a sixth of the time. So the jobs come with it first, and once more with
 * what is older, which then counts as known for a minute.
 */
export function describeFound(
  found: readonly FoundJob[],
  request: FindRequest,
  { client, monotonicMs }: Pick<RunContext, 'client' | 'monotonicMs'>
): Observable<DescribedJobs> {
  if (found.length === 0) return of({ jobs: [], isWhole: true });
  const sinceNs = findDescribedSinceNs(found);
  const known = recallOlder(found, sinceNs, client, monotonicMs);
  const unknown = found.filter((job) => !known.has(formatJobKey(job)));
  const describe = (newer: readonly ResultSeries[], older: ReadonlyMap<string, Older>): readonly JobRecord[] => {
    const series = [...[...older.values()].flatMap((job) => job.series ?? []), ...newer];
    return readJobs([{ statement_id: 0, series }], selectRange(request), found);
  };
  return client.query([describeJobsQuery(found, { fromNs: sinceNs })]).pipe(
    switchMap(([result]) => {
      const newer = result?.series ?? [];
      const early = of({ jobs: describe(newer, known), isWhole: unknown.length === 0 });
      if (unknown.length === 0) return early;
      const whole = client.query([describeJobsQuery(unknown, { beforeNs: sinceNs })]).pipe(
        map(([answer]) => {
          const series = splitDescriptions(answer);
          const learnt = unknown.map(
            (job) => [formatJobKey(job), { atMs: monotonicMs, series: series.get(formatJobKey(job)) }] as const
          );
          rememberOlder(learnt, sinceNs, client);
          return { jobs: describe(newer, new Map([...known, ...learnt])), isWhole: true };
        })
      );
      return concat(early, whole);
    })
  );
}

const formatOlderKey = (sinceNs: bigint, jobKey: string): string => `${String(sinceNs)} ${jobKey}`;

function recallOlder(
  found: readonly FoundJob[],
  sinceNs: bigint,
  client: InfluxdbClient,
  monotonicMs: number
): ReadonlyMap<string, Older> {
  const memory = remembered.get(client);
  return new Map(
    found.flatMap((job) => {
      const jobKey = formatJobKey(job);
      const older = memory?.get(formatOlderKey(sinceNs, jobKey));
      return older === undefined || monotonicMs - older.atMs >= FRESH_MS ? [] : [[jobKey, older] as const];
    })
  );
}

function rememberOlder(
  learnt: ReadonlyArray<readonly [jobKey: string, older: Older]>,
  sinceNs: bigint,
  client: InfluxdbClient
): void {
  const memory = remembered.get(client) ?? new Map<string, Older>();
  if (memory.size + learnt.length > MAX_REMEMBERED) memory.clear();
  for (const [jobKey, older] of learnt) memory.set(formatOlderKey(sinceNs, jobKey), older);
  remembered.set(client, memory);
}
