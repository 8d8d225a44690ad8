/* eslint-disable @typescript-eslint/no-deprecated -- a host offers the deprecated methods too */
import { isObject } from '@joblens/core/json/is-object';
import type { BackendSrv, BackendSrvRequest, FetchError, FetchResponse } from '@grafana/runtime';
import { lastValueFrom, Observable, Subject } from 'rxjs';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** HTTP requests as @grafana/runtime offers them to plugins, over the browser's fetch. */
export class BackendService implements BackendSrv {
  /** Request ids that a newer request uses now. */
  readonly #replaced = new Subject<string>();

  /** One request; unsubscribing aborts it, and so does a newer one with the same `requestId`. */
  fetch<T>(options: BackendSrvRequest): Observable<FetchResponse<T>> {
    const { requestId } = options;
    const response = new Observable<FetchResponse<T>>((subscriber) => {
      if (requestId !== undefined) this.#replaced.next(requestId);
      const controller = new AbortController();
      options.abortSignal?.addEventListener('abort', () => controller.abort());
      const stopped =
        requestId === undefined
          ? undefined
          : this.#replaced.subscribe((id) => {
              if (id !== requestId) return;
              controller.abort();
              subscriber.error(cancelled(options));
            });
      send<T>(options, controller.signal).then(
        (result) => {
          subscriber.next(result);
          subscriber.complete();
        },
        (error: unknown) => subscriber.error(controller.signal.aborted ? cancelled(options) : error)
      );
      return () => {
        stopped?.unsubscribe();
        controller.abort();
      };
    });
    return response;
  }

  chunked(options: BackendSrvRequest): Observable<FetchResponse<Uint8Array | undefined>> {
    return new Observable((subscriber) =>
      subscriber.error(new Error(`Cannot read ${options.url} in pieces: this page has no streaming.`))
    );
  }

  async request<T = unknown>(options: BackendSrvRequest): Promise<T> {
    return (await this.datasourceRequest<T>(options)).data;
  }

  datasourceRequest<T = unknown>(options: BackendSrvRequest): Promise<FetchResponse<T>> {
    return lastValueFrom(this.fetch<T>(options));
  }

  get<T>(url: string, params?: unknown, requestId?: string, options?: Partial<BackendSrvRequest>): Promise<T> {
    return this.request<T>({ ...options, method: 'GET', url, requestId, params: isObject(params) ? params : {} });
  }

  delete<T = unknown>(url: string, data?: unknown, options?: Partial<BackendSrvRequest>): Promise<T> {
    return this.#sendData<T>('DELETE', url, data, options);
  }

  post<T>(url: string, data?: unknown, options?: Partial<BackendSrvRequest>): Promise<T> {
    return this.#sendData<T>('POST', url, data, options);
  }

  patch<T>(url: string, data?: unknown, options?: Partial<BackendSrvRequest>): Promise<T> {
    return this.#sendData<T>('PATCH', url, data, options);
  }

  put<T>(url: string, data?: unknown, options?: Partial<BackendSrvRequest>): Promise<T> {
    return this.#sendData<T>('PUT', url, data, options);
  }

  #sendData<T>(method: Method, url: string, data: unknown, options?: Partial<BackendSrvRequest>): Promise<T> {
    return this.request<T>({ ...options, method, url, data });
  }
}

async function send<T>(config: BackendSrvRequest, signal: AbortSignal): Promise<FetchResponse<T>> {
  const method = config.method ?? 'GET';
  const headers = new Headers(config.headers as HeadersInit | undefined);
  const body = method === 'GET' || method === 'HEAD' ? undefined : serializeBody(config.data as unknown, headers);
  const response = await fetch(withParams(config), { method, headers, body, signal, credentials: 'same-origin' }).catch(
    (cause: unknown) => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- Grafana's FetchError is a plain object
      throw networkError(config, cause);
    }
  );
  const data = (await readBody(response, config.responseType)) as T;
  if (response.ok) return describeResponse(response, data, config);
  const error: FetchError = { status: response.status, statusText: response.statusText, data, config };
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- Grafana's FetchError is a plain object
  throw withMessage(error);
}

function withParams({ url, params = {} }: BackendSrvRequest): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params) as [string, unknown][]) {
    if (value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) search.append(name, String(item));
  }
  const query = search.toString();
  if (query === '') return absolute(url);
  return `${absolute(url)}${url.includes('?') ? '&' : '?'}${query}`;
}

/** Callers give Grafana's own paths without the leading slash. */
function absolute(url: string): string {
  return /^([a-z]+:)?\//i.test(url) ? url : `/${url}`;
}

function serializeBody(data: unknown, headers: Headers): BodyInit | undefined {
  if (data === undefined || data === null) return undefined;
  if (typeof data === 'string' || data instanceof URLSearchParams || data instanceof Blob) return data;
  const contentType = headers.get('content-type') ?? '';
  if (contentType.includes('x-www-form-urlencoded') && isObject(data)) {
    return new URLSearchParams(Object.entries(data).map(([name, value]) => [name, String(value)]));
  }
  if (contentType === '') headers.set('content-type', 'application/json');
  return JSON.stringify(data);
}

async function readBody(response: Response, type: BackendSrvRequest['responseType']): Promise<unknown> {
  if (type === 'arraybuffer') return response.arrayBuffer();
  if (type === 'blob') return response.blob();
  const text = await response.text();
  if (type === 'text') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function describeResponse<T>(response: Response, data: T, config: BackendSrvRequest): FetchResponse<T> {
  const { status, statusText, ok, headers, redirected, type, url } = response;
  return { data, status, statusText, ok, headers, redirected, type, url, config };
}

function withMessage(error: FetchError): FetchError {
  const data: unknown = error.data;
  const found = isObject(data) ? (data['message'] ?? data['error']) : undefined;
  const fallback = `${error.status} ${error.statusText ?? ''}`.trim();
  const message =
    error.status === 401
      ? 'The session is over: open the address that `npm start` printed.'
      : typeof found === 'string'
        ? found
        : fallback;
  return { ...error, message, data: isObject(data) ? data : { message: String(data) } };
}

function networkError(config: BackendSrvRequest, cause: unknown): FetchError {
  const detail = cause instanceof Error ? cause.message : String(cause);
  const message = `Joblens does not answer (${detail}): is \`npm start\` still running?`;
  return { status: 0, statusText: 'network error', data: { message }, message, config };
}

function cancelled(config: BackendSrvRequest): FetchError {
  return { status: -1, statusText: 'cancelled', cancelled: true, data: {}, config };
}
