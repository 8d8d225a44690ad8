import {
  type Ask,
  partAsked,
  planRequests,
  type Reading,
  relay,
  type Yielded,
} from '@joblens/core/ask/reading/reading';
import type { ReadableResult } from '@joblens/core/ask/reading/result-rows';
import type { Statement } from '@joblens/core/influxql/nodes';
import { catchError, combineLatest, concat, defer, finalize, map, type Observable, of, switchMap } from 'rxjs';
import type { NewestRows } from '../../store/refresh-page.js';
import { printAll, type RunContext } from './query-type.js';

/** Rows that never change are asked for as such: a refresh then transfers only what is new. */
export type StoreAsk = Ask | NewestRows;

/** What was read, and the statements that asked for it. */
export interface RunAnswer<T> {
  readonly answer: T;
  readonly executedQuery: string;
}

export function isRows(ask: StoreAsk): ask is NewestRows {
  return 'select' in ask;
}

type Client = Pick<RunContext, 'client'>;

/** Runs a reading for each who subscribes, until it ends or nobody waits: its parts and its answer. */
export function runReading<T, P = never>(begin: () => Reading<T, P>, context: Client): Observable<T | P> {
  return drive(begin, (asked) => sendStatements(asked, context));
}

/** The same for one that asks for the newest rows of the range, too. */
export function runRowsReading<T, P = never>(
  begin: () => Reading<T, P, StoreAsk>,
  context: Pick<RunContext, 'client' | 'newestRows' | 'fromNs' | 'toNs' | 'monotonicMs'>
): Observable<T | P> {
  return drive(begin, (asked) => {
    const { of: rows, rest, join } = partAsked(asked, isRows);
    return combineLatest([
      sendStatements(rest, context),
      context.newestRows.read(rows, context, context.monotonicMs),
    ]).pipe(map(([answers, pages]) => join(pages, answers)));
  });
}

function drive<T, P, A>(
  begin: () => Reading<T, P, A>,
  send: (asked: readonly A[]) => Observable<readonly ReadableResult[]>
): Observable<T | P> {
  return defer(() => {
    const reading = begin();
    const follow = (next: IteratorResult<Yielded<P, A>, T>): Observable<T | P> => {
      if (next.done === true) return of(next.value);
      if ('soFar' in next.value)
        return concat(
          of(next.value.soFar),
          defer(() => follow(reading.next([])))
        );
      return send(next.value).pipe(
        map((results) => () => reading.next(results)),
        catchError((error: unknown) => of(() => reading.throw(error))),
        switchMap((resume) => follow(resume()))
      );
    };
    return follow(reading.next()).pipe(finalize(() => reading.return(undefined as never)));
  });
}

function sendStatements(asked: readonly Ask[], { client }: Client): Observable<readonly ReadableResult[]> {
  const { requests, join } = planRequests(asked);
  return requests.length === 0
    ? of([])
    : combineLatest(requests.map((request) => client.query(request))).pipe(map(join));
}

/** Statements that a frame tells of, which may come from thousands. */
const MAX_TOLD = 20;

/** A reading with the statements that it asks, the first ones if they are many. */
export function* withQuery<T, P>(reading: Reading<T, P>): Reading<RunAnswer<T>, P> {
  const asked: Statement[] = [];
  const answer = yield* relay(reading, (yielded) => {
    if (!('soFar' in yielded)) asked.push(...listStatements(yielded).slice(0, MAX_TOLD - asked.length));
    return yielded;
  });
  return { answer, executedQuery: printAll(asked) };
}

/** The statements of what is asked. */
export function listStatements(asked: readonly Ask[]): readonly Statement[] {
  return asked.map((ask) => (ask.kind === 'apart' ? ask.statement : ask));
}
