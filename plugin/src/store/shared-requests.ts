import { defer, type Observable, of, ReplaySubject, share, tap, timer } from 'rxjs';

/**
 * Sends each text once to all who ask for it at the same moment. An answer serves for `keepMs` more, since panels of
 * one dashboard start one after the other; an error serves nobody else. When the last of those who ask leaves, the
 * request is aborted.
 */
export function shareRequests<T>(
  send: (text: string) => Observable<T>,
  keepMs: number
): (text: string) => Observable<T> {
  const underWay = new Map<string, Observable<T>>();
  const create = (text: string): Observable<T> => {
    const forget = (): void => {
      underWay.delete(text);
    };
    let isAnswered = false;
    const keep = (): Observable<unknown> => timer(keepMs).pipe(tap(forget));
    return send(text).pipe(
      tap({ next: () => (isAnswered = true), error: forget, unsubscribe: forget }),
      share({
        connector: () => new ReplaySubject<T>(1),
        resetOnComplete: keep,
        // Who takes one answer leaves before the request says that it is complete.
        resetOnRefCountZero: () => (isAnswered ? keep() : of(true)),
      })
    );
  };
  return (text) =>
    defer(() => {
      const request = underWay.get(text) ?? create(text);
      underWay.set(text, request);
      return request;
    });
}
