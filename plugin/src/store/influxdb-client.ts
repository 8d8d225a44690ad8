import { isObject } from '@joblens/core/json/is-object';
import type { BackendSrv, BackendSrvRequest, FetchResponse } from '@grafana/runtime';
import type { Statement } from '@joblens/core/influxql/nodes';
import { printStatement } from '@joblens/core/influxql/print';
import { readResults, type StatementResult } from '@joblens/core/influxql/response';
import { toWellFormed } from '@joblens/core/point/utf8';
import { catchError, map, type Observable, of, retry, throwError, timer } from 'rxjs';
import { shareRequests } from './shared-requests.js';
import { createStatementError, createStoreError, readFailedRequest, StoreError, type Target } from './store-error.js';

/** Addresses longer than this are cut by some proxies; the query then goes into the body. */
const MAX_GET_LENGTH = 1800;

/**
 * InfluxDB's error for the statements around one that failed. InfluxDB 1.x also sends it, alone, when the database is
 * missing.
 */
const NOT_EXECUTED = 'not executed';

/** The panels of one dashboard start within this time. */
const SAME_ANSWER_MS = 500;

/** Grafana's proxy, or a proxy before it, sometimes closes a connection before the whole answer is through. */
const CUT_RETRY_MS = 200;

export interface Connection {
  /** The data source's address below Grafana's proxy. */
  readonly url: string;
  readonly database: string;
  /** Send through the plugin's route that adds the token. */
  readonly isTokenRoute: boolean;
}

export interface InfluxdbClient {
  /**
   * Sends all statements in one request. Results are in their order. Errors with StoreError, also when one statement
   * failed. Who asks the same at the same moment shares the request; it is aborted when nobody waits for it any more.
   */
  query(statements: readonly Statement[]): Observable<readonly StatementResult[]>;
  queryText(text: string): Observable<readonly StatementResult[]>;
}

/**
 * InfluxQL over Grafana's data source proxy. Without `epoch` in the request, times are RFC 3339 texts with
 * nanoseconds.
 */
export function createInfluxdbClient(backendSrv: Pick<BackendSrv, 'fetch'>, connection: Connection): InfluxdbClient {
  const send = (text: string): Observable<readonly StatementResult[]> =>
    backendSrv.fetch<unknown>(createRequest(connection, text)).pipe(
      retry({ count: 1, delay: waitIfCut }),
      map((response) => readAnswer(response, connection)),
      catchError((cause: unknown) => {
        throw cause instanceof StoreError ? cause : createStoreError(readFailedRequest(cause), connection, cause);
      })
    );
  const share = shareRequests(send, SAME_ANSWER_MS);
  const queryText = (text: string): Observable<readonly StatementResult[]> => (text === '' ? of([]) : share(text));
  return {
    queryText,
    query: (statements) => {
      const texts = statements.map(printStatement);
      const [first = ''] = texts;
      return queryText(texts.join('; ')).pipe(
        catchError((error: unknown) => {
          if (texts.length < 2 || !(error instanceof StoreError) || error.detail !== NOT_EXECUTED) throw error;
          // The first statement alone fails with the reason.
          return queryText(first).pipe(
            map(() => {
              throw error;
            })
          );
        })
      );
    },
  };
}

/** A question that brought no answer at all is asked once more: it changes nothing. */
function waitIfCut(cause: unknown): Observable<unknown> {
  return readFailedRequest(cause).status === 0 ? timer(CUT_RETRY_MS) : throwError(() => cause);
}

/** The path below the data source's address, with the database. */
export function formatAddress({ url, database, isTokenRoute }: Connection, path: string): string {
  return `${url}${isTokenRoute ? '/token' : ''}${path}?db=${encodeURIComponent(database)}`;
}

function createRequest({ url, database, isTokenRoute }: Connection, q: string): BackendSrvRequest {
  const address = formatAddress({ url, database, isTokenRoute }, '/query');
  // A store may answer with a name that no UTF-8 can carry, and the next statement holds it.
  const encoded = `q=${encodeURIComponent(toWellFormed(q))}`;
  if (address.length + encoded.length <= MAX_GET_LENGTH) {
    return { showErrorAlert: false, method: 'GET', url: `${address}&${encoded}` };
  }
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return { showErrorAlert: false, method: 'POST', url: address, data: encoded, headers };
}

function readAnswer({ data, status }: FetchResponse<unknown>, target: Target): readonly StatementResult[] {
  if (!isObject(data) || !('results' in data || 'error' in data)) {
    throw createStoreError(
      { status: 404, statusText: '', detail: describeBody(data, status), isJson: true },
      target,
      data
    );
  }
  if (typeof data['error'] === 'string') throw createStatementError(data['error'], target);
  const results = Array.isArray(data['results']) ? readResults({ results: data['results'] as StatementResult[] }) : [];
  const errors = results.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const error = errors.find((text) => text !== NOT_EXECUTED) ?? errors[0];
  if (error !== undefined) throw createStatementError(error, target);
  return results;
}

function describeBody(data: unknown, status: number): string {
  const text = typeof data === 'string' ? data.trim().slice(0, 60) : '';
  return `status ${status} with ${text === '' ? 'no InfluxDB answer' : `"${text}"`}`;
}
