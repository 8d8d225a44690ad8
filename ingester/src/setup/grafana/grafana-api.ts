import { createHttpClient, type HttpClient, type HttpRequest } from '../../sinks/influxdb/http-client.js';
import { SetupError } from '../parts/changes.js';

const TIMEOUT_MS = 30_000;

export type Json = Readonly<Record<string, unknown>>;

/** Grafana's HTTP API, as 9.5 to 13 have it. */
export class GrafanaApi {
  readonly #url: string;
  readonly #client: HttpClient;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#client = createHttpClient(url, { authorization: `Bearer ${token}`, accept: 'application/json' });
  }

  close(): void {
    this.#client.close();
  }

  /** Undefined where Grafana knows nothing of that name. */
  get(path: string): Promise<unknown> {
    return this.#send({ method: 'GET', path });
  }

  async send(method: 'POST' | 'PUT', path: string, json: Json): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const answer = await this.#send({ method, path, headers, body: Buffer.from(JSON.stringify(json)) });
    if (answer === undefined)
      throw new SetupError(`Grafana at ${this.#url} has no ${path}; Joblens needs Grafana 9.5 or newer`);
    return answer;
  }

  async #send(request: Omit<HttpRequest, 'signal'>): Promise<unknown> {
    const what = `${request.method} ${request.path}`;
    const answer = await this.#client
      .send({ ...request, signal: AbortSignal.timeout(TIMEOUT_MS) })
      .catch((error: unknown) => {
        const found = error instanceof Error ? error.message : String(error);
        throw new SetupError(`cannot reach Grafana at ${this.#url}: ${found}; check --page`);
      });
    const { status, text } = answer;
    if (status === 404 && request.method === 'GET') return undefined;
    const body = parse(text);
    if (status >= 200 && status < 300 && body !== undefined) return body;
    if (status === 404) return undefined;
    const advice =
      status === 401 || status === 403 ? '; set GRAFANA_TOKEN to a token of a service account that is an admin' : '';
    const said = typeof body?.['message'] === 'string' ? body['message'] : text.trim().slice(0, 200);
    throw new SetupError(`Grafana at ${this.#url} refuses ${what}: ${status} ${said}${advice}`);
  }
}

function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether all that is wanted is there, whatever else is. */
export function contains(there: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(there) && there.length === wanted.length && wanted.every((item, i) => contains(there[i], item))
    );
  }
  if (typeof wanted !== 'object' || wanted === null) return there === wanted;
  if (typeof there !== 'object' || there === null) return false;
  return Object.entries(wanted).every(([key, value]) => contains((there as Json)[key], value));
}
