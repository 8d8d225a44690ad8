import type { Statement } from '../../influxql/nodes.js';
import type { ReadableResult } from './result-rows.js';

/** A statement that may take long: it goes out in a request of its own, at the same time as the others. */
export interface Apart {
  readonly kind: 'apart';
  readonly statement: Statement;
}

/** What the store is asked; it has one result. */
export type Ask = Statement | Apart;

/** A part of an answer, to be shown while the rest is asked for. */
export interface SoFar<P> {
  readonly soFar: P;
}

/** What a reading yields: all that it asks at once, or a part. */
export type Yielded<P = never, A = Ask> = readonly A[] | SoFar<P>;

/**
 * A question to the store that may take several requests. It yields what it asks at once and gets the results in the
 * same order, or yields a part of its answer and gets none; it returns its answer. A request that fails throws at its
 * yield. The driver of a host sends what is asked, nothing where that is empty, and calls `return` when nobody waits
 * any more.
 */
export type Reading<T, P = never, A = Ask> = Generator<Yielded<P, A>, T, readonly ReadableResult[]>;

/** The same statements, each of which goes out apart. */
export function askApart(statements: readonly Statement[]): readonly Apart[] {
  return statements.map((statement) => ({ kind: 'apart', statement }));
}

/** What is asked in two ways, and how to put the results back in the order in which they were asked for. */
export interface Parted<Of, Rest> {
  readonly of: readonly Of[];
  readonly rest: readonly Rest[];
  readonly join: <R>(ofResults: readonly R[], restResults: readonly R[]) => readonly R[];
}

/** Parts what is asked at once by the way in which it goes out. */
export function partAsked<A, Of extends A>(
  asked: readonly A[],
  isOf: (ask: A) => ask is Of
): Parted<Of, Exclude<A, Of>> {
  return {
    of: asked.filter(isOf),
    rest: asked.filter((ask): ask is Exclude<A, Of> => !isOf(ask)),
    join: (ofResults, restResults) => {
      const [of, rest] = [ofResults.values(), restResults.values()];
      return asked.flatMap((ask) => {
        const next = (isOf(ask) ? of : rest).next();
        return next.done === true ? [] : [next.value];
      });
    },
  };
}

/** The requests that go out at the same time, and how to put their results back in order. */
export interface Requests {
  readonly requests: ReadonlyArray<readonly Statement[]>;
  readonly join: (results: ReadonlyArray<readonly ReadableResult[]>) => readonly ReadableResult[];
}

/** All in one request, but for statements that go apart. Nothing is no request. */
export function planRequests(asked: readonly Ask[]): Requests {
  const parted = partAsked(asked, (ask): ask is Apart => ask.kind === 'apart');
  const apart = parted.of.map(({ statement }) => [statement]);
  if (parted.rest.length === 0) return { requests: apart, join: (results) => results.flat() };
  return {
    requests: [parted.rest, ...apart],
    join: ([rest = [], ...alone]) => parted.join(alone.flat(), rest),
  };
}

/**
 * Reads several things: what they ask at the same time is asked at once. Answers are in the order of the readings, and
 * so are parts, among which are the answers that are there already. A request that fails, fails for all that wait.
 */
export function* together<T, P, A>(
  readings: ReadonlyArray<Reading<T, P, A>>
): Reading<readonly T[], ReadonlyArray<T | P>, A> {
  try {
    let turns = readings.map((reading) => takeTurn(reading, reading.next()));
    let shown: ReadonlyArray<SoFar<P> | undefined> = [];
    while (turns.some(({ answer }) => answer === undefined)) {
      if (turns.some(({ part }, at) => part !== undefined && part !== shown[at]))
        yield { soFar: turns.flatMap(listShown) };
      shown = turns.map(({ part }) => part);
      const resume = yield* send(turns.flatMap(({ asked }) => asked));
      turns = turns.map((turn) =>
        turn.answer === undefined ? takeTurn(turn.reading, resume(turn.reading, turn.asked.length), turn.part) : turn
      );
    }
    return turns.flatMap(({ answer = [] }) => answer);
  } finally {
    for (const reading of readings) reading.return(undefined as never);
  }
}

/** The same reading. All that it yields goes through `pass`; where that gives nothing, nobody hears of it. */
export function* relay<T, P, Q, A>(
  reading: Reading<T, P, A>,
  pass: (yielded: Yielded<P, A>) => Yielded<Q, A> | undefined
): Reading<T, Q, A> {
  try {
    for (let next = reading.next(); ;) {
      if (next.done === true) return next.value;
      const resume = yield* send<A, Q>(pass(next.value) ?? []);
      next = resume(reading, Infinity);
    }
  } finally {
    reading.return(undefined as never);
  }
}

/** The same reading without the parts. */
export function withoutParts<T>(reading: Reading<T, unknown>): Reading<T> {
  return relay<T, unknown, never, Ask>(reading, (yielded) => ('soFar' in yielded ? undefined : yielded));
}

/** A reading between two requests. */
interface Turn<T, P, A> {
  readonly reading: Reading<T, P, A>;
  readonly asked: readonly A[];
  /** The newest. */
  readonly part?: SoFar<P> | undefined;
  /** The only one, once it is there. */
  readonly answer?: readonly [T];
}

/** Goes on to the next request, past all parts, or to the answer. */
function takeTurn<T, P, A>(
  reading: Reading<T, P, A>,
  first: IteratorResult<Yielded<P, A>, T>,
  before?: SoFar<P>
): Turn<T, P, A> {
  let [next, part] = [first, before];
  for (;;) {
    if (next.done === true) return { reading, asked: [], answer: [next.value] };
    if ('soFar' in next.value) part = next.value;
    else if (next.value.length > 0) return { reading, asked: next.value, part };
    next = reading.next([]);
  }
}

function listShown<T, P, A>({ answer, part }: Turn<T, P, A>): ReadonlyArray<T | P> {
  return answer ?? (part === undefined ? [] : [part.soFar]);
}

/** Goes on with a reading that asked: with the next results, or with the failure of its request. */
type Resume = <T, P, A>(reading: Reading<T, P, A>, results: number) => IteratorResult<Yielded<P, A>, T>;

function* send<A, P = never>(yielded: Yielded<P, A>): Generator<Yielded<P, A>, Resume, readonly ReadableResult[]> {
  try {
    const rest = [...(yield yielded)];
    return (reading, results) => reading.next(rest.splice(0, results));
  } catch (error) {
    return (reading) => reading.throw(error);
  }
}
