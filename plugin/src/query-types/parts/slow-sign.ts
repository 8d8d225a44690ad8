import { connect, map, merge, type Observable, takeUntil, tap, timer } from 'rxjs';
import type { InfluxdbClient } from '../../store/influxdb-client.js';

/** An answer that comes sooner needs no sign that it is awaited. */
const SLOW_MS = 400;
const MAX_REMEMBERED = 100;

const answered = new WeakMap<InfluxdbClient, Set<string>>();

/**
 * The answers to a question, before them a sign if they are slow: Grafana draws nothing of a panel until something has
 * come. A question that was answered before gets none: what is shown of it stays until the next answer.
 */
export function signSlow<T>(
  answers: Observable<T>,
  sign: () => T,
  question: string,
  client: InfluxdbClient
): Observable<T> {
  const known = answered.get(client) ?? new Set<string>();
  answered.set(client, known);
  const noted = answers.pipe(
    tap(() => {
      if (known.size >= MAX_REMEMBERED) known.clear();
      known.add(question);
    })
  );
  if (known.has(question)) return noted;
  return noted.pipe(connect((shared) => merge(timer(SLOW_MS).pipe(map(sign), takeUntil(shared)), shared)));
}
