import { formatAuthorization, type InfluxConnection } from './connection.js';
import { createHttpClient, type HttpAnswer, type HttpClient } from './http-client.js';

/** What answers, by the headers of its /ping. */
export interface Engine {
  readonly kind: 'influxdb' | 'cluster' | 'openGemini' | 'unknown';
  /** As people know it, with its version. */
  readonly name: string;
  /** The first number of its version. A build of one's own has none. */
  readonly major?: number;
  /** Whether it keeps the newer of two points of one series and time. It may keep either where this is false. */
  readonly rewrites: boolean;
}

export interface Ping {
  readonly engine: Engine;
  readonly answer: HttpAnswer;
}

/**
 * Headers that show that a store answers (httpd/handler.go of 1.x, http/handler.go of 2.x; also version 3 and
 * compatible servers).
 */
const STORE_HEADERS = ['x-influxdb-version', 'x-influxdb-build', 'x-influxdb-error', 'x-geminidb-version'] as const;

/** influxdb-cluster and InfluxDB Enterprise add their own version to that of the InfluxDB they are built on. */
const CLUSTER_VERSION = /^v?1\.[\d.]+-c[\d.]+/;

/** InfluxDB 3 does not promise which one stays (influxdata/docs-v2#7682). */
const FIRST_MAJOR_THAT_KEEPS_EITHER = 3;

/**
 * GET /ping, which all engines answer (HTTP API references of 1.8, 2.7 and 3; openGemini's http handler), whatever its
 * status. Rejects when there is no answer.
 */
export async function ping(client: HttpClient, signal: AbortSignal): Promise<Ping> {
  const answer = await client.send({ method: 'GET', path: '/ping', signal });
  return { engine: readEngine(answer.headers), answer };
}

/** The same over a connection of its own. */
export async function pingOnce(connection: InfluxConnection, signal: AbortSignal): Promise<Ping> {
  const client = createHttpClient(connection.url, formatAuthorization(connection));
  try {
    return await ping(client, signal);
  } finally {
    client.close();
  }
}

/** Whether a header names a store. */
export function isNamed(headers: HttpAnswer['headers']): boolean {
  return STORE_HEADERS.some((name) => headers[name] !== undefined);
}

function readEngine(headers: HttpAnswer['headers']): Engine {
  const version = readHeader(headers, 'x-influxdb-version');
  const ofGemini = readHeader(headers, 'x-geminidb-version');
  if (ofGemini !== undefined) return { kind: 'openGemini', name: `openGemini ${ofGemini}`.trim(), rewrites: true };
  if (version === undefined) return { kind: 'unknown', name: 'an unknown engine', rewrites: true };
  const kind = CLUSTER_VERSION.test(version) ? 'cluster' : 'influxdb';
  const name = `InfluxDB ${version}${kind === 'cluster' ? ' (a cluster)' : ''}`;
  const [, digits] = /^v?(\d+)(?:\.|$)/.exec(version) ?? [];
  if (digits === undefined) return { kind, name, rewrites: true };
  const major = Number(digits);
  return { kind, name, major, rewrites: major !== FIRST_MAJOR_THAT_KEEPS_EITHER };
}

function readHeader(headers: HttpAnswer['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
