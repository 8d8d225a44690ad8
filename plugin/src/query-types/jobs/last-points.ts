import type { Statement } from '@joblens/core/influxql/nodes';
import { formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import {
  findLastPointNs,
  lastLinesQuery,
  lastRowQueries,
  readLastLines,
  readLastRow,
} from '@joblens/core/ask/jobs/job-end';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import type { ReadableResult } from '@joblens/core/ask/reading/result-rows';
import { catchError, map, type Observable, of, tap } from 'rxjs';
import { DAY_NS } from '@joblens/core/numbers/time-units';
import { toMs } from '../../frames/times.js';
import type { InfluxdbClient } from '../../store/influxdb-client.js';
import type { RunContext } from '../parts/query-type.js';

/** How long an answer counts as known. A job whose last point is younger is asked for with each refresh. */
const FRESH_MS = 60_000;
const MAX_REMEMBERED = 5000;
/** The most jobs of a list whose newest rows are read, which takes two statements for each. */
const MAX_JOBS_OF_ROWS = 20;

type Found = Pick<JobRecord, 'lastLogNs' | 'lastRowNs'>;

interface LastPoint extends Found {
  readonly atMs: number;
}

const remembered = new WeakMap<InfluxdbClient, Map<string, LastPoint>>();

type Context = Pick<RunContext, 'client' | 'nowMs' | 'monotonicMs'>;

/**
 * The same jobs, those that are over or do not say their state with their newest line, and as far as nothing else tells
 * of them, their newest row. A failure leaves it out.
 */
export function findLastPoints(jobs: readonly JobRecord[], context: Context): Observable<readonly JobRecord[]> {
  const { client, monotonicMs } = context;
  const memory = remembered.get(client) ?? new Map<string, LastPoint>();
  remembered.set(client, memory);
  const open = jobs.filter((job) => isWanted(job) && !isKnown(job, memory, context));
  // The newest line of a job without a state was read when the job was found.
  const ofLines = open.filter(({ state }) => state !== undefined);
  const ofRows = open.filter((job) => jobs.length === 1 || isKnownByRowsAlone(job)).slice(0, MAX_JOBS_OF_ROWS);
  const question = createQuestion(ofLines, ofRows);
  if (question.statements.length === 0) return of(recallLastPoints(jobs, context));
  return client.query(question.statements).pipe(
    tap((results) => {
      const found = question.read(results);
      if (memory.size + open.length > MAX_REMEMBERED) memory.clear();
      for (const job of open) memory.set(formatRunKey(job), { atMs: monotonicMs, ...found(job) });
    }),
    map(() => recallLastPoints(jobs, context)),
    catchError(() => of(jobs))
  );
}

interface Question {
  readonly statements: readonly Statement[];
  readonly read: (results: readonly ReadableResult[]) => (job: JobRecord) => Found;
}

function createQuestion(ofLines: readonly JobRecord[], ofRows: readonly JobRecord[]): Question {
  const lines = ofLines.length === 0 ? [] : [lastLinesQuery(ofLines, findEarliestNs(ofLines))];
  const rows = ofRows.flatMap((job) => lastRowQueries(job).map((statement) => ({ job, statement })));
  return {
    statements: [...lines, ...rows.map(({ statement }) => statement)],
    read: (results) => {
      const lastLines = readLastLines(lines.length === 0 ? undefined : results[0]);
      return (job) => {
        const lastLogNs = lastLines.get(formatJobKey(job));
        const lastRowNs = readLastRow(results.slice(lines.length).filter((_, at) => rows[at]?.job === job));
        return { ...(lastLogNs !== undefined && { lastLogNs }), ...(lastRowNs !== undefined && { lastRowNs }) };
      };
    },
  };
}

/** The same jobs, with what is known already. */
export function recallLastPoints(
  jobs: readonly JobRecord[],
  { client }: Pick<RunContext, 'client'>
): readonly JobRecord[] {
  const memory = remembered.get(client);
  return jobs.map((job) => {
    const known = isWanted(job) ? memory?.get(formatRunKey(job)) : undefined;
    if (known === undefined) return job;
    const { atMs: _atMs, ...last } = known;
    return { ...job, ...last };
  });
}

function isKnownByRowsAlone({ state, lastLogNs, values }: JobRecord): boolean {
  return state === undefined && lastLogNs === undefined && values.size > 0;
}

function isWanted({ state, endedMs, aliveUntilMs }: JobRecord): boolean {
  return state === undefined || (endedMs ?? aliveUntilMs) !== undefined;
}

function isKnown(job: JobRecord, memory: ReadonlyMap<string, LastPoint>, { nowMs, monotonicMs }: Context): boolean {
  const known = memory.get(formatRunKey(job));
  if (known === undefined || monotonicMs - known.atMs >= FRESH_MS) return false;
  const lastNs = findLastPointNs({ ...job, ...known });
  return job.state !== undefined || (lastNs !== undefined && nowMs - toMs(lastNs) >= FRESH_MS);
}

/** A job's own points may be of another clock than its description. */
function findEarliestNs(jobs: readonly JobRecord[]): bigint {
  const [first = 0n, ...others] = jobs.map(({ timeNs }) => timeNs);
  const earliestNs = others.reduce((a, b) => (b < a ? b : a), first) - DAY_NS;
  return earliestNs < 0n ? 0n : earliestNs;
}

/** Another run has another end. */
function formatRunKey(job: JobRecord): string {
  return `${formatJobKey(job)} ${String(job.startedMs)} ${String(job.endedMs ?? job.aliveUntilMs)}`;
}
