import { describeJobsQuery } from '@joblens/core/ask/jobs/describe-jobs';
import { type FindRequest, formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import { readSortedPart, type SortedPart, sortedPartQuery, SortedParts } from '@joblens/core/ask/jobs/sorted-parts';
import type { WalkedRange } from '@joblens/core/ask/jobs/walk-range';
import type { WalkedJob } from '@joblens/core/ask/jobs/walked-jobs';
import { MAX_NAMED_JOBS } from '@joblens/core/ask/reading/selection';
import { listConfigValues } from '@joblens/core/metadata/config-values';
import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import type { JobState } from '@joblens/core/rows/fold-job-points';
import { combineLatest, concat, map, type Observable, of, shareReplay, switchMap, takeLast } from 'rxjs';
import { formatState } from '../../frames/state-kind.js';
import type { RunContext } from '../parts/query-type.js';
import { isFacetId, readSortable, type SortKey } from '../../frames/job-order.js';
import { createLookMemory, lookBack } from './look-back.js';

/** What the jobs of a walk are sorted by, as far as the store was looked through. */
export interface SortedWalk {
  readonly read: (job: WalkedJob) => string | number | undefined;
  /** Back to this time; undefined once the whole range is looked through. */
  readonly sinceNs: bigint | undefined;
  readonly isDone: boolean;
}

interface Found {
  readonly parts: SortedParts;
  /** Jobs of which more is known than what was written in the range, by formatJobKey. */
  readonly described: Set<string>;
}

/** What heartbeats tell. */
const READ: Readonly<Partial<Record<SortKey, SortedWalk['read']>>> = {
  state: ({ state, isLiving }) => formatState({ state, to: isLiving ? 'now' : '' }),
  job: ({ job }) => job,
  started: ({ placeMs }) => placeMs,
  user: ({ user }) => user,
};

/** Each has what was written of very many jobs. */
const memory = createLookMemory<Found>(2);
/** Until then, an end that was written after a range may be missing. */
const OPEN_NS = 1_200_000_000_000n;

/** What the jobs of a range are sorted by: it comes as soon as something is known of the newest, then with more. */
export function readSortedParts(
  key: SortKey,
  request: FindRequest,
  walks: Observable<WalkedRange>,
  context: RunContext
): Observable<SortedWalk> {
  const known = READ[key];
  if (known !== undefined) return of({ read: known, sinceNs: undefined, isDone: true });
  const part = choosePart(key);
  const looks = lookBack(createQuestion(part, request, context), request, context).pipe(
    shareReplay({ bufferSize: 1, refCount: true })
  );
  const read = (found: Found) => createRead(key, found.parts, context.nowMs);
  const whole = combineLatest([looks.pipe(takeLast(1)), walks.pipe(takeLast(1))]).pipe(
    switchMap(([{ found, sinceNs }, { jobs }]) =>
      describeOpen(part, [...jobs.values()], found, { request, context }).pipe(
        map(() => ({ read: read(found), sinceNs, isDone: true }))
      )
    )
  );
  return concat(looks.pipe(map(({ found, sinceNs }) => ({ read: read(found), sinceNs, isDone: false }))), whole);
}

function choosePart(key: SortKey): SortedPart {
  if (isFacetId(key)) return key.startsWith('tag:') ? 'tags' : 'config';
  return key === 'nodes' ? 'nodes' : 'times';
}

function createQuestion(part: SortedPart, { user }: FindRequest, { client }: RunContext) {
  return {
    name: JSON.stringify([part, user]),
    memory,
    createFound: (): Found => ({ parts: new SortedParts(), described: new Set() }),
    ask: (time: { readonly fromNs: bigint; readonly beforeNs: bigint }, { parts }: Found) =>
      client.query([sortedPartQuery({ part, user, ...time })]).pipe(
        map(([result]) => {
          const { points, endNs } = readSortedPart(part, result);
          parts.add(points);
          return endNs;
        })
      ),
  };
}

/** Adds what was written before the range of jobs that lived when it began, and after it of those that lived on. */
function describeOpen(
  part: SortedPart,
  jobs: readonly WalkedJob[],
  { parts, described }: Found,
  { request, context }: { readonly request: FindRequest; readonly context: RunContext }
): Observable<unknown> {
  const { fromNs, toNs } = request;
  const isPast = toNs < BigInt(Math.floor(context.nowMs)) * NS_PER_MS - OPEN_NS;
  const isOpen = ({ startedMs, isLiving }: WalkedJob): boolean =>
    startedMs === undefined || startedMs < Number(fromNs / NS_PER_MS) || (isPast && isLiving);
  const open = jobs.filter((job) => isOpen(job) && !described.has(formatJobKey(job)));
  const next = (at: number): Observable<unknown> => {
    const some = open.slice(at, at + MAX_NAMED_JOBS);
    if (some.length === 0) return of(undefined);
    return context.client.query([describeJobsQuery(some, { config: part === 'config' })]).pipe(
      switchMap(([result]) => {
        parts.add(readSortedPart(part, result).points);
        for (const job of some) described.add(formatJobKey(job));
        return next(at + MAX_NAMED_JOBS);
      })
    );
  };
  return next(0);
}

function createRead(key: SortKey, parts: SortedParts, nowMs: number): SortedWalk['read'] {
  return (job) => readPart(key, job, parts.read(formatJobKey(job)) ?? {}, nowMs);
}

function readPart(key: SortKey, job: WalkedJob, state: JobState, nowMs: number): string | number | undefined {
  if (key === 'nodes') return state.nodes;
  if (key === 'duration') return readDurationMs(job, state, nowMs);
  const name = key.slice(key.indexOf(':') + 1);
  if (key.startsWith('tag:')) return readSortable(state.tags?.[name]);
  const value = listConfigValues(state.config).find(([one]) => one === name)?.[1];
  return value === undefined ? undefined : readSortable(String(value));
}

/** Until the end, or until now while it lives; to its last heartbeat where nobody wrote its end. */
function readDurationMs(job: WalkedJob, state: JobState, nowMs: number): number | undefined {
  const startedMs = state.startedMs ?? job.startedMs;
  if (startedMs === undefined) return undefined;
  const aliveUntilMs = job.isLiving ? nowMs : Number(job.toNs / NS_PER_MS);
  return Math.max(0, (state.endedMs ?? aliveUntilMs) - startedMs);
}
