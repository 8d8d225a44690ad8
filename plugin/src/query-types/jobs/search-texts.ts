import { describeJobsQuery } from '@joblens/core/ask/jobs/describe-jobs';
import type { FindRequest, FoundJob } from '@joblens/core/ask/heartbeats/find-jobs';
import { type JobHits, readJobHits, searchDescriptions, searchJobsQuery } from '@joblens/core/ask/jobs/search-jobs';
import { MAX_NAMED_JOBS } from '@joblens/core/ask/reading/selection';
import { concat, defer, type Observable, of, switchMap } from 'rxjs';
import type { InfluxdbClient } from '../../store/influxdb-client.js';
import type { RunContext } from '../parts/query-type.js';

/** The jobs whose descriptions have a word in them, as far as the store was looked through. */
export interface TextHits {
  /** By formatJobKey. */
  readonly keys: ReadonlySet<string>;
  /** Back to this time; undefined once the whole range is looked through. */
  readonly sinceNs: bigint | undefined;
}

const MINUTE_NS = 60_000_000_000n;
const DAY_NS = 1440n * MINUTE_NS;
/**
 * The first look is short, so that something is found soon. For the next ones, a store goes through all jobs of a week,
 * as it keeps them together, however short the look is.
 */
const [FIRST_NS, NEXT_NS] = [DAY_NS, 7n * DAY_NS];
/** What is written may come so late. */
const OPEN_NS = 20n * MINUTE_NS;
/** After this time, everything is looked at again: an import or a deletion may have changed it. */
const FRESH_MS = 600_000;
const MAX_REMEMBERED = 20;

interface Known {
  readonly atMs: number;
  readonly keys: Set<string>;
  /** What was looked through. */
  readonly beforeNs: bigint;
  fromNs: bigint;
}

const remembered = new WeakMap<InfluxdbClient, Map<string, Known>>();

type Context = Pick<RunContext, 'client' | 'monotonicMs'>;

/**
 * Looks for a word in what describes the jobs of a range, from its end back to its beginning. A question that comes
 * again soon looks only at what is new, and goes on where the one before was left.
 */
export function searchTexts(word: string, request: FindRequest, context: Context): Observable<TextHits> {
  return defer(() => {
    const endNs = request.toNs + 1n;
    const known = recall(word, request, context);
    if (known === undefined || known.beforeNs > endNs || endNs - known.beforeNs > FIRST_NS) {
      const fresh = { atMs: context.monotonicMs, keys: new Set<string>(), beforeNs: endNs, fromNs: endNs };
      remember(word, request, context, fresh);
      return searchBack(word, request, context, fresh);
    }
    const newest = { fromNs: known.beforeNs - OPEN_NS, beforeNs: endNs };
    return ask(word, request, newest, context).pipe(
      switchMap(({ keys }) => {
        for (const key of keys) known.keys.add(key);
        remember(word, request, context, { ...known, beforeNs: endNs });
        return searchBack(word, request, context, recall(word, request, context) ?? known);
      })
    );
  });
}

function searchBack(word: string, request: FindRequest, context: Context, known: Known): Observable<TextHits> {
  const tell = (): TextHits => ({
    keys: known.keys,
    sinceNs: known.fromNs > request.fromNs ? known.fromNs : undefined,
  });
  const next = (lengthNs: bigint): Observable<TextHits> => {
    if (known.fromNs <= request.fromNs) return of(tell());
    const wantedNs = known.fromNs - lengthNs;
    const fromNs = wantedNs > request.fromNs ? wantedNs : request.fromNs;
    const asked = ask(word, request, { fromNs, beforeNs: known.fromNs }, context).pipe(
      switchMap(({ keys, endNs }) => {
        for (const key of keys) known.keys.add(key);
        // The point at the end comes again, unless it alone is left.
        known.fromNs = endNs === undefined || endNs >= known.fromNs - 1n ? fromNs : endNs + 1n;
        return next(NEXT_NS);
      })
    );
    return known.fromNs > request.toNs ? asked : concat(of(tell()), asked);
  };
  return next(FIRST_NS);
}

function ask(
  word: string,
  { user }: FindRequest,
  time: { readonly fromNs: bigint; readonly beforeNs: bigint },
  { client }: Context
): Observable<JobHits> {
  return client
    .query([searchJobsQuery({ word, user, ...time })])
    .pipe(switchMap(([result]) => of(readJobHits(result))));
}

/** Looks for a word in what was written of these jobs before a time, so many of them at once. */
export function searchOlderTexts(
  word: string,
  jobs: readonly FoundJob[],
  { fromNs }: FindRequest,
  { client }: Context
): Observable<readonly string[]> {
  const next = (at: number, found: readonly string[]): Observable<readonly string[]> => {
    const some = jobs.slice(at, at + MAX_NAMED_JOBS);
    if (some.length === 0) return of(found);
    return client
      .query([describeJobsQuery(some, { beforeNs: fromNs })])
      .pipe(switchMap(([result]) => next(at + MAX_NAMED_JOBS, [...found, ...searchDescriptions(result, word)])));
  };
  return next(0, []);
}

const formatKey = (word: string, { user }: FindRequest): string => JSON.stringify([word, user]);

function recall(word: string, request: FindRequest, { client, monotonicMs }: Context): Known | undefined {
  const known = remembered.get(client)?.get(formatKey(word, request));
  return known === undefined || monotonicMs - known.atMs >= FRESH_MS ? undefined : known;
}

function remember(word: string, request: FindRequest, { client }: Context, known: Known): void {
  const memory = remembered.get(client) ?? new Map<string, Known>();
  remembered.set(client, memory);
  if (memory.size >= MAX_REMEMBERED) memory.clear();
  memory.set(formatKey(word, request), known);
}
