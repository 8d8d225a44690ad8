import type { BackendSrv } from '@grafana/runtime';
import { catchError, map, type Observable, of } from 'rxjs';
import { type Connection, formatAddress } from './influxdb-client.js';
import { isObject } from '@joblens/core/json/is-object';
import { readFailedRequest } from './store-error.js';

/** The words of versions that object to a write without points, which they read only for one who may write. */
const NO_POINTS = /incoming write was empty|writing requires points/i;

/** What can be found out about the server beside the data. Never errors. */
export interface ServerProbe {
  /** Its version, if it says it. */
  readVersion(): Observable<string | undefined>;
  /**
   * Whether the login may write, which no data source needs. Nothing is written, but ask only for a database that
   * exists: InfluxDB 3 creates others. Without a login: false.
   */
  canWrite(): Observable<boolean>;
}

export function createServerProbe(
  backendSrv: Pick<BackendSrv, 'fetch'>,
  connection: Connection,
  hasLogin: boolean
): ServerProbe {
  // InfluxDB 1.x says of its empty answers that they are JSON, and Grafana fails to read them as that.
  const quiet = { showErrorAlert: false, showSuccessAlert: false, responseType: 'text' } as const;
  return {
    readVersion: () =>
      backendSrv.fetch<string>({ ...quiet, method: 'GET', url: formatAddress(connection, '/ping') }).pipe(
        map(({ data, headers }) => readHeader(headers) ?? readBodyVersion(data)),
        catchError(() => of(undefined))
      ),
    // A write without points: InfluxDB looks at the login first, and then takes nothing.
    canWrite: () => {
      if (!hasLogin) return of(false);
      const request = { ...quiet, method: 'POST', url: formatAddress(connection, '/write'), data: '' };
      return backendSrv.fetch<unknown>(request).pipe(
        map(({ status }) => status === 204),
        catchError((error: unknown) => of(NO_POINTS.test(readFailedRequest(error).detail)))
      );
    },
  };
}

function readHeader(headers: Headers | undefined): string | undefined {
  return readText(headers?.get('X-Influxdb-Version'));
}

/** InfluxDB 3 says it in a body of JSON. */
function readBodyVersion(text: string): string | undefined {
  const body: unknown = text.startsWith('{') ? JSON.parse(text) : undefined;
  return readText(isObject(body) ? body['version'] : undefined);
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
