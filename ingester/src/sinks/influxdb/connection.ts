/** The connection to one InfluxDB, or to anything that speaks its protocol. */
export interface InfluxConnection {
  readonly url: string;
  readonly token?: string;
  readonly org?: string;
  /** The bucket, or in 1.x the database, or `database/retention policy`. */
  readonly bucket: string;
  readonly user?: string;
  readonly password?: string;
  readonly api: InfluxApi | 'auto';
  /** Whether the store keeps the newer of two points of one series and time. Undefined: it is asked (`Engine`). */
  readonly rewrites?: boolean;
  /** A server that says 204 and does not name itself counts as a store. By default it is asked. */
  readonly trustsUnnamed?: boolean;
  /** The time limit of one request. */
  readonly timeoutMs: number;
}

/** The write endpoint: `/write` of 1.x, or `/api/v2/write` of 2.x and 3.x. */
export type InfluxApi = 'v1' | 'v2';

/** The path of a write with nanosecond times. */
export function formatWritePath(connection: InfluxConnection, api: InfluxApi): string {
  if (api === 'v2') {
    const parameters = new URLSearchParams({ bucket: connection.bucket, precision: 'ns' });
    if (connection.org !== undefined) parameters.set('org', connection.org);
    return `/api/v2/write?${parameters.toString()}`;
  }
  const slash = connection.bucket.indexOf('/');
  const parameters = new URLSearchParams({ precision: 'ns' });
  parameters.set('db', slash < 0 ? connection.bucket : connection.bucket.slice(0, slash));
  if (slash >= 0) parameters.set('rp', connection.bucket.slice(slash + 1));
  return `/write?${parameters.toString()}`;
}

/** The header with the credentials; none without token and user. */
export function formatAuthorization({ token, user, password }: InfluxConnection): Readonly<Record<string, string>> {
  if (token !== undefined) return { authorization: `Token ${token}` };
  if (user === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` };
}

/** On this machine compression costs more than it saves. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
