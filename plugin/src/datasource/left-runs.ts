import { defer, finalize, type Observable, ReplaySubject, share, timer } from 'rxjs';

/** A host lets go of a question a moment before it asks again; who left for good has left by then. */
const LEAVE_MS = 500;
/** After this time, a question that has no answer is asked anew. */
const MAX_AGE_MS = 300_000;

interface Run<T> {
  readonly answers: Observable<T>;
  readonly startedMs: number;
  listeners: number;
}

/** Runs a question, unless the same one is on its way and nobody listens to it any more: then it goes on with that. */
export type LeftRuns<T> = (question: string, start: () => Observable<T>) => Observable<T>;

/**
 * Hosts refresh a question by leaving it and asking it again, with another clock. Where a store takes longer to answer
 * than they wait, no question would ever get an answer. So one that is asked again gets that of the one before, and
 * the next refresh asks for what is newer. Each answer has one listener, since hosts change what they get.
 */
export function createLeftRuns<T>(readMonotonicMs: () => number): LeftRuns<T> {
  const underWay = new Map<string, Set<Run<T>>>();
  const begin = (question: string, start: () => Observable<T>): Run<T> => {
    const runs = underWay.get(question) ?? new Set<Run<T>>();
    underWay.set(question, runs);
    const forget = (): void => {
      runs.delete(run);
      if (runs.size === 0 && underWay.get(question) === runs) underWay.delete(question);
    };
    const answers = defer(start).pipe(
      finalize(forget),
      share({ connector: () => new ReplaySubject<T>(1), resetOnRefCountZero: () => timer(LEAVE_MS) })
    );
    const run: Run<T> = { answers, startedMs: readMonotonicMs(), listeners: 0 };
    runs.add(run);
    return run;
  };
  return (question, start) =>
    defer(() => {
      const isLeft = ({ listeners, startedMs }: Run<T>): boolean =>
        listeners === 0 && readMonotonicMs() - startedMs < MAX_AGE_MS;
      const run = [...(underWay.get(question) ?? [])].find(isLeft) ?? begin(question, start);
      run.listeners += 1;
      return run.answers.pipe(finalize(() => (run.listeners -= 1)));
    });
}
