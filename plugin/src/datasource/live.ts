import { type DataQueryRequest, type DataQueryResponse, dateTime, LoadingState } from '@grafana/data';
import { exhaustMap, map, type Observable, timer } from 'rxjs';
import type { JoblensQuery } from '../query-types/parts/query-type.js';

const POLL_MS = 1000;

type Request = DataQueryRequest<JoblensQuery>;

/**
 * Answers until nobody listens any more, since InfluxDB cannot push. Each answer is the whole (the key is the same),
 * but only what is new is asked for. A slow answer delays the next question.
 */
export function queryLive(request: Request, query: (request: Request) => Observable<DataQueryResponse>) {
  return timer(0, POLL_MS).pipe(
    exhaustMap(() => query({ ...request, range: { ...request.range, to: dateTime() } })),
    map((answer): DataQueryResponse => ({ ...answer, key: request.requestId, state: LoadingState.Streaming }))
  );
}
