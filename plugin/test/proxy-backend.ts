import { request as httpRequest } from 'node:http';
import type { BackendSrvRequest, FetchResponse } from '@grafana/runtime';
import { Observable } from 'rxjs';
import { createFetchError } from './fetch-error.js';

interface ProxyOptions {
  /** The store behind the proxy. */
  readonly target: string;
  /** What the proxy adds to requests of its own: basic auth. */
  readonly authorization?: string;
  /** What the plugin's route `token` adds. */
  readonly token?: string;
  readonly onSend?: () => void;
  readonly onReply?: (bytes: number) => void;
}

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly version?: string | undefined;
  readonly isJson?: boolean;
}

/** Where the data source believes to be. */
export const PROXY_URL = '/api/datasources/proxy/uid/joblens';

/**
 * Grafana's backendSrv and data source proxy before a real store, as Grafana 9.5 to 13 behave: the route is matched by
 * its path, a 401 of the store becomes a 400 with a text, a store that is not there a 502 (grafana/grafana
 * pkg/api/pluginproxy/ds_proxy.go).
 */
export function createProxyBackend(options: ProxyOptions) {
  return {
    fetch<T>(request: BackendSrvRequest): Observable<FetchResponse<T>> {
      return new Observable<FetchResponse<T>>((subscriber) => {
        options.onSend?.();
        send(request, options)
          .catch((): Reply => ({ status: 502, text: '' }))
          .then((reply) => {
            options.onReply?.(reply.text.length);
            const { status, version, ...body } = toProxyReply(reply);
            const data = parseBody(body, request);
            const response = { status, statusText: String(status), data, config: request };
            if (status >= 400) {
              subscriber.error(createFetchError(response));
            } else {
              subscriber.next({ ...response, headers: { get: () => version } } as unknown as FetchResponse<T>);
              subscriber.complete();
            }
          })
          .catch((error: unknown) => subscriber.error(createFetchError(error)));
      });
    },
  };
}

function toProxyReply(reply: Reply): Reply {
  return reply.status === 401 ? { status: 400, text: 'Authentication to data source failed' } : reply;
}

function send({ url, method = 'GET', headers = {}, data }: BackendSrvRequest, options: ProxyOptions): Promise<Reply> {
  const path = url.slice(PROXY_URL.length);
  const isTokenRoute = path.startsWith('/token/');
  const authorization = isTokenRoute ? `Token ${options.token ?? ''}` : options.authorization;
  const sentHeaders = {
    ...(headers as Record<string, string>),
    ...(authorization === undefined ? {} : { authorization }),
  };
  return new Promise((resolve, reject) => {
    const address = new URL(isTokenRoute ? path.slice('/token'.length) : path, options.target);
    const outgoing = httpRequest(address, { method, headers: sentHeaders }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          version: incoming.headers['x-influxdb-version']?.toString(),
          isJson: incoming.headers['content-type']?.includes('application/json') === true,
        })
      );
    });
    outgoing.on('error', reject);
    outgoing.end(typeof data === 'string' ? data : undefined);
  });
}

/** What says that it is JSON has to be JSON, even where it is empty (app/core/utils/fetch.ts, parseResponseBody). */
function parseBody({ text, isJson = false }: Omit<Reply, 'status'>, { responseType }: BackendSrvRequest): unknown {
  if (responseType === 'text') return text;
  if (isJson) return JSON.parse(text);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
