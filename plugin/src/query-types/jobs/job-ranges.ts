import { type Field, FieldType } from '@grafana/data';
import { describeJobsQuery } from '@joblens/core/ask/jobs/describe-jobs';
import { formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import { findJobEndMs, findLastPointNs } from '@joblens/core/ask/jobs/job-end';
import { type JobRecord, readJobs } from '@joblens/core/ask/jobs/jobs';
import { concat, map, type Observable, of, switchMap } from 'rxjs';
import { toMs } from '../../frames/times.js';
import type { JobRange } from '../memory/job-range-memory.js';
import { findLastPoints } from './last-points.js';
import { findLastLife } from './lost-jobs.js';
import type { RunContext } from '../parts/query-type.js';

/** Something that happened to a job. */
interface Happening {
  readonly job: string;
  readonly user: string;
  readonly timeNs: bigint;
}

/** From the start of a job, or its submission, to its end, or to now while it runs. */
export function readJobRange(job: JobRecord, nowMs: number): JobRange {
  return { from: String(Math.floor(readBeginMs(job))), to: readRangeEnd(job, nowMs) };
}

/** A job that waits has no start. A job that was only piped starts with its first line or table. */
export function readStartedMs(job: JobRecord): number | null {
  if (job.startedMs !== undefined) return job.startedMs;
  if (job.state !== undefined || job.submittedMs !== undefined) return null;
  return toMs(job.firstSeenNs ?? job.timeNs);
}

function readBeginMs(job: JobRecord): number {
  return readStartedMs(job) ?? job.submittedMs ?? toMs(job.timeNs);
}

/** The last points are written after the job's end. */
const RANGE_MARGIN_MS = 2000;
/** A job that is only piped has no end: after this long without a line, the page no longer follows it. */
const SILENCE_MS = 60_000;

function readRangeEnd(job: JobRecord, nowMs: number): string {
  const endMs = findJobEndMs(job);
  if (endMs !== undefined) return String(Math.ceil(endMs) + RANGE_MARGIN_MS);
  const lastNs = findLastPointNs(job);
  if (job.state !== undefined || lastNs === undefined) return 'now';
  const lastMs = toMs(lastNs);
  return nowMs - lastMs < SILENCE_MS ? 'now' : String(Math.ceil(lastMs) + RANGE_MARGIN_MS);
}

/**
 * The range of each job that something happened to. It comes twice: first with the range of the panel for jobs that are
 * not known yet, so that nobody waits for links; then as the jobs are described.
 */
export function findJobRanges(
  happenings: readonly Happening[],
  context: Pick<RunContext, 'client' | 'jobRanges' | 'fromNs' | 'toNs' | 'nowMs' | 'monotonicMs'>
): Observable<(happening: Happening) => JobRange> {
  const { client, jobRanges, nowMs } = context;
  const ofPanel = { from: String(toMs(context.fromNs)), to: String(toMs(context.toNs)) };
  const newest = findNewest(happenings);
  const nameIn = (job: Happening): string => `${formatJobKey(job)} ${String(newest.get(formatJobKey(job))?.timeNs)}`;
  const known = new Map([...newest].flatMap(([key, job]) => listKnown(key, jobRanges.get(nameIn(job)))));
  const readFrom = (ranges: ReadonlyMap<string, JobRange>) => (job: Happening) =>
    ranges.get(formatJobKey(job)) ?? ofPanel;
  const unknown = [...newest].filter(([key]) => !known.has(key)).map(([, job]) => job);
  if (unknown.length === 0) return of(readFrom(known));
  const found = unknown.map(({ job, user, timeNs }) => ({ job, user, fromNs: timeNs, toNs: timeNs }));
  const described = client.query([describeJobsQuery(found)]).pipe(
    switchMap(([result]) => findLastLife(readJobs([result]), context)),
    switchMap((records) => findLastPoints(records, context)),
    map((records) => {
      const all = new Map<string, JobRange>(known);
      for (const record of records) {
        const range = readJobRange(record, nowMs);
        const { job, user, timeNs } = newest.get(formatJobKey(record)) ?? record;
        all.set(formatJobKey(record), range);
        const name = nameIn({ job, user, timeNs });
        // One that seems lost may live on.
        const hasEnded = range.to !== 'now' && record.aliveUntilMs === undefined;
        if (hasEnded) jobRanges.set(name, { ...range, characters: name.length + 40 });
      }
      return readFrom(all);
    })
  );
  return concat(of(readFrom(known)), described);
}

function listKnown(key: string, range: JobRange | undefined): ReadonlyArray<readonly [string, JobRange]> {
  return range === undefined ? [] : [[key, range]];
}

/** The newest thing that happened to each job. */
function findNewest(happenings: readonly Happening[]): ReadonlyMap<string, Happening> {
  const newest = new Map<string, Happening>();
  for (const happening of happenings) {
    const known = newest.get(formatJobKey(happening));
    if (known === undefined || happening.timeNs > known.timeNs) newest.set(formatJobKey(happening), happening);
  }
  return newest;
}

/** For links, in Grafana's own panels and in ours; text, so that no panel formats it, and shown by none. */
export function createRangeFields(ranges: readonly JobRange[]): Field[] {
  const field = (name: keyof JobRange): Field => ({
    name,
    type: FieldType.string,
    values: ranges.map((range) => range[name]),
    config: { custom: { hidden: true, hideFrom: { viz: true, legend: true, tooltip: true } } },
  });
  return [field('from'), field('to')];
}
