import type { FindRequest } from '@joblens/core/ask/heartbeats/find-jobs';
import { concat, defer, type Observable, of, switchMap } from 'rxjs';
import { DAY_NS, MINUTE_NS, WEEK_NS } from '@joblens/core/numbers/time-units';
import type { InfluxdbClient } from '../../store/influxdb-client.js';
import type { RunContext } from '../parts/query-type.js';

/** What was found in the descriptions of the jobs of a range, as far as the store was looked through. */
export interface LookedBack<T> {
  readonly found: T;
  /** Back to this time; undefined once the whole range is looked through. */
  readonly sinceNs: bigint | undefined;
}

/**
 * The first look is short, so that something is found soon. For the next ones, a store goes through all jobs of a week,
 * as it keeps them together, however short the look is.
 */
const [FIRST_NS, NEXT_NS] = [DAY_NS, WEEK_NS];
/** What is written may come so late. */
const OPEN_NS = 20n * MINUTE_NS;
/** After this time, everything is looked at again: an import or a deletion may have changed it. */
const FRESH_MS = 600_000;

interface Known<T> {
  readonly atMs: number;
  readonly found: T;
  /** What was looked through. */
  readonly beforeNs: bigint;
  fromNs: bigint;
}

/** What was found for the questions of each data source. */
export interface LookMemory<T> {
  readonly most: number;
  readonly known: WeakMap<InfluxdbClient, Map<string, Known<T>>>;
}

/** @param most so many questions are remembered at most */
export function createLookMemory<T>(most: number): LookMemory<T> {
  return { most, known: new WeakMap() };
}

type Context = Pick<RunContext, 'client' | 'monotonicMs'>;
type Look = Pick<FindRequest, 'fromNs'> & { readonly beforeNs: bigint };

export interface LookQuestion<T> {
  /** Tells it from other questions. */
  readonly name: string;
  readonly memory: LookMemory<T>;
  readonly createFound: () => T;
  /** Adds what the store has of a time, newest first; `endNs`: where the answer ended, unless it has all. */
  readonly ask: (time: Look, found: T) => Observable<bigint | undefined>;
}

/**
 * Looks for something in what describes the jobs of a range, from its end back to its beginning. A question that comes
 * again soon looks only at what is new, and goes on where the one before was left.
 */
export function lookBack<T>(
  question: LookQuestion<T>,
  request: FindRequest,
  context: Context
): Observable<LookedBack<T>> {
  return defer(() => {
    const endNs = request.toNs + 1n;
    const known = recall(question, context);
    if (known === undefined || known.beforeNs > endNs || endNs - known.beforeNs > FIRST_NS) {
      const fresh = { atMs: context.monotonicMs, found: question.createFound(), beforeNs: endNs, fromNs: endNs };
      remember(question, context, fresh);
      return goBack(question, request, fresh);
    }
    return question.ask({ fromNs: known.beforeNs - OPEN_NS, beforeNs: endNs }, known.found).pipe(
      switchMap(() => {
        const longer = { ...known, beforeNs: endNs };
        remember(question, context, longer);
        return goBack(question, request, longer);
      })
    );
  });
}

function goBack<T>(question: LookQuestion<T>, request: FindRequest, known: Known<T>): Observable<LookedBack<T>> {
  const tell = (): LookedBack<T> => ({
    found: known.found,
    sinceNs: known.fromNs > request.fromNs ? known.fromNs : undefined,
  });
  const next = (lengthNs: bigint): Observable<LookedBack<T>> => {
    if (known.fromNs <= request.fromNs) return of(tell());
    const wantedNs = known.fromNs - lengthNs;
    const fromNs = wantedNs > request.fromNs ? wantedNs : request.fromNs;
    const asked = question.ask({ fromNs, beforeNs: known.fromNs }, known.found).pipe(
      switchMap((endNs) => {
        // The point at the end comes again, unless it alone is left.
        known.fromNs = endNs === undefined || endNs >= known.fromNs - 1n ? fromNs : endNs + 1n;
        return next(NEXT_NS);
      })
    );
    return known.fromNs > request.toNs ? asked : concat(of(tell()), asked);
  };
  return next(FIRST_NS);
}

function recall<T>({ name, memory }: LookQuestion<T>, { client, monotonicMs }: Context): Known<T> | undefined {
  const known = memory.known.get(client)?.get(name);
  return known === undefined || monotonicMs - known.atMs >= FRESH_MS ? undefined : known;
}

function remember<T>({ name, memory }: LookQuestion<T>, { client }: Context, known: Known<T>): void {
  const ofClient = memory.known.get(client) ?? new Map<string, Known<T>>();
  memory.known.set(client, ofClient);
  if (ofClient.size >= memory.most && !ofClient.has(name)) ofClient.clear();
  ofClient.set(name, known);
}
