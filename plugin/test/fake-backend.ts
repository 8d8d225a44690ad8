import type { BackendSrvRequest, FetchResponse } from '@grafana/runtime';
import type { ResultSeries } from '@joblens/core/influxql/response';
import { Observable } from 'rxjs';
import { createFetchError } from './fetch-error.js';

/** What the store answers to one request; a number is a failure with that status, as Grafana's backendSrv throws it. */
export type Answer =
  { readonly data: unknown } | { readonly status: number; readonly statusText?: string; readonly data?: unknown };

export interface SentRequest {
  readonly url: URL;
  readonly method: string;
  /** The InfluxQL of the request, of the address or the body. */
  readonly q: string;
  readonly request: BackendSrvRequest;
  isAborted: boolean;
}

export interface FakeBackend {
  readonly sent: SentRequest[];
  fetch<T>(request: BackendSrvRequest): Observable<FetchResponse<T>>;
}

/**
 * Grafana's backendSrv before a store that answers by the query's text. Answers come later, so that a request can be
 * aborted.
 */
export function createBackend(answer: (q: string, request: BackendSrvRequest) => Answer): FakeBackend {
  const sent: SentRequest[] = [];
  return {
    sent,
    fetch<T>(request: BackendSrvRequest) {
      return new Observable<FetchResponse<T>>((subscriber) => {
        const url = new URL(request.url, 'http://grafana');
        const body = typeof request.data === 'string' ? new URLSearchParams(request.data) : url.searchParams;
        const entry = { url, method: request.method ?? 'GET', q: body.get('q') ?? '', request, isAborted: true };
        sent.push(entry);
        const timer = setTimeout(() => {
          entry.isAborted = false;
          const found = answer(entry.q, request);
          if ('status' in found) {
            subscriber.error(createFetchError({ config: request, data: {}, statusText: '', ...found }));
            return;
          }
          subscriber.next({ status: 200, config: request, ...found } as unknown as FetchResponse<T>);
          subscriber.complete();
        }, 0);
        return () => clearTimeout(timer);
      });
    },
  };
}

/** A body of InfluxDB with one list of series a statement. */
export function createResults(...statements: ReadonlyArray<readonly ResultSeries[]>): { readonly data: unknown } {
  const results = statements.map((series, statement_id) => ({
    statement_id,
    ...(series.length === 0 ? {} : { series }),
  }));
  return { data: { results } };
}
