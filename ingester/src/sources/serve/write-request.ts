import type { IncomingHttpHeaders } from 'node:http';
import { parsePrecision, type Precision } from '@joblens/core/point/timestamp';
import { err, ok, type Result } from '@joblens/core/result/result';
import { ROWS_HEADER } from '../../net/rows-header.js';
import { isEqualConstantTime, isForeignOrigin, isLocalHost, readShownTokens } from '../../net/http-access.js';

/** The parameters of a write request. */
export interface WriteRequest {
  readonly precision: Precision;
  readonly isCompressed: boolean;
  /** The sender has made rows of points that name a job. */
  readonly hasRows: boolean;
}

/** Why a request is refused. */
export interface WriteFault {
  readonly status: 400 | 401 | 403 | 404 | 413 | 415 | 421 | 503;
  /** The name in InfluxDB 2.x. */
  readonly code: 'invalid' | 'unauthorized' | 'forbidden' | 'not found' | 'request too large' | 'unavailable';
  readonly message: string;
}

export interface WriteRules {
  /** The bucket that points go to, or `database/retention policy`; undefined for a file. */
  readonly bucket: string | undefined;
  /** Other names that a request may give; `any`: all. The points go to the bucket all the same. */
  readonly databases: readonly string[];
  /** The token that every request must show; undefined: none. */
  readonly token: string | undefined;
  /** Only this machine can reach the server. */
  readonly isLocal: boolean;
  /** Host names of the server besides this machine's own. */
  readonly allowedHosts: readonly string[];
}

const V2_PRECISIONS: readonly string[] = ['ns', 'us', 'ms', 's'];
const DEFAULT_POLICY = 'autogen';
const ANY_DATABASE = 'any';

const V1_PATH = '/write';
const V2_PATH = '/api/v2/write';

export const isWritePath = ({ pathname }: URL): boolean => pathname === V1_PATH || pathname === V2_PATH;
/** Whether faults are reported in the form of InfluxDB 2.x. */
export const isV2Path = ({ pathname }: URL): boolean => pathname.startsWith('/api/v2/');

/**
 * Reads the address and the headers of POST /write (InfluxDB 1.x: db, rp, precision, p) and POST /api/v2/write (2.x:
 * bucket, precision; org is ignored). A request need not name a bucket, but if it does, it must be the bucket of this
 * process, or a name that its rules allow.
 */
export function readWriteRequest(
  url: URL,
  headers: IncomingHttpHeaders,
  rules: WriteRules
): Result<WriteRequest, WriteFault> {
  const stranger = checkSender(headers, rules);
  if (stranger !== undefined) return err(stranger);
  if (rules.token !== undefined && !hasToken(url, headers, rules.token)) {
    return err({ status: 401, code: 'unauthorized', message: 'the token is missing or wrong' });
  }
  const isV2 = isV2Path(url);
  const asked = isV2 ? readBucket(url) : readDatabase(url);
  if (asked !== undefined && !isAnswered(asked, rules)) {
    const found = `${isV2 ? 'bucket' : 'database'} not found: "${asked}"; joblens writes to "${rules.bucket}" here`;
    const message = `${found}: name that one, or start joblens serve with --databases and this name, or any`;
    return err({ status: 404, code: 'not found', message });
  }
  const precision = readPrecision(url, isV2);
  if (precision === undefined) {
    const message = 'invalid precision; valid precision units are ns, us, ms, and s';
    return err({ status: 400, code: 'invalid', message });
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    const message = `the body is encoded as ${encoding}: send it plain, or as gzip`;
    return err({ status: 415, code: 'invalid', message });
  }
  return ok({ precision, isCompressed: encoding === 'gzip', hasRows: headers[ROWS_HEADER] !== undefined });
}

/**
 * Refuses requests that a web page in a browser on this machine may send without its user's knowledge: from another
 * origin, or by a host name that was rebound to this machine. If other machines can reach the server, programs other
 * than browsers may use any name. Undefined when nothing speaks against the request.
 */
export function checkSender(headers: IncomingHttpHeaders, rules: WriteRules): WriteFault | undefined {
  const { host, origin } = headers;
  if (isForeignOrigin(headers)) {
    return { status: 403, code: 'forbidden', message: 'joblens accepts no requests from pages of other origins' };
  }
  const isOfPage = origin !== undefined;
  if (host === undefined || (!rules.isLocal && !isOfPage) || isKnownHost(host, rules.allowedHosts)) return undefined;
  const message = `joblens is asked for as "${host}" here: send to 127.0.0.1 or localhost, or start it with --allow-host`;
  return { status: 421, code: 'invalid', message };
}

function isKnownHost(host: string, allowedHosts: readonly string[]): boolean {
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  return isLocalHost(host) || allowedHosts.some((allowed) => allowed.toLowerCase() === name);
}

function readBucket(url: URL): string | undefined {
  return url.searchParams.get('bucket') || undefined;
}

function readDatabase(url: URL): string | undefined {
  const database = url.searchParams.get('db');
  const policy = url.searchParams.get('rp');
  if (!database) return undefined;
  return policy ? `${database}/${policy}` : database;
}

function isAnswered(asked: string, { bucket, databases }: WriteRules): boolean {
  if (bucket === undefined || databases.includes(ANY_DATABASE)) return true;
  return [bucket, ...databases].some((name) => isSameBucket(asked, name));
}

/** Whether two buckets are the same; the default policy may be left out. */
function isSameBucket(a: string, b: string): boolean {
  const withPolicy = (name: string): string => (name.includes('/') ? name : `${name}/${DEFAULT_POLICY}`);
  return withPolicy(a) === withPolicy(b);
}

/** In 1.x any other text means nanoseconds. */
function readPrecision(url: URL, isV2: boolean): Precision | undefined {
  const text = url.searchParams.get('precision') || 'ns';
  if (isV2) return V2_PRECISIONS.includes(text) ? parsePrecision(text) : undefined;
  return parsePrecision(text) ?? 'ns';
}

function hasToken(url: URL, headers: IncomingHttpHeaders, token: string): boolean {
  return readShownTokens(headers, url).some((shown) => isEqualConstantTime(shown, token));
}
