import { isObject } from '@joblens/core/json/is-object';
import { readPageText } from '@joblens/core/console/page-text';

/** Why the store gave no answer. */
type StoreErrorKind =
  | 'unauthorized'
  | 'forbidden'
  | 'databaseMissing'
  | 'mappingMissing'
  | 'unreachable'
  | 'proxyError'
  | 'timeout'
  | 'notInfluxdb'
  | 'tokenRoute'
  | 'refusedByGrafana'
  | 'query'
  | 'failed';

/** An error of the store or of the way to it. The message is one sentence for the person who looks at the panel. */
export class StoreError extends Error {
  constructor(
    readonly kind: StoreErrorKind,
    message: string,
    /** The words of the store or the proxy. */
    readonly detail: string,
    options?: ErrorOptions
  ) {
    super(message, options);
    this.name = 'StoreError';
  }
}

/** The facts of a failed request: Grafana's FetchError, read without trusting its shape. */
interface FailedRequest {
  readonly status: number;
  readonly statusText: string;
  /** The error text of the body, whoever wrote it. */
  readonly detail: string;
  readonly isJson: boolean;
}

export interface Target {
  readonly database: string;
  readonly isTokenRoute: boolean;
}

const DATABASE_MISSING =
  /database not found|database \S+ not found|bucket.*not found|could not find bucket|retention policy not found/i;
/** InfluxDB 2 answers InfluxQL for buckets that are mapped to a database; the second text is that of a SELECT. */
const MAPPING_MISSING = /dbrp mapping|default retention policy not set for/i;
/** Grafana's proxy turns a 401 of the store into this text with status 400. */
const PROXY_UNAUTHORIZED = /authentication to data source failed/i;
const GRAFANA_REFUSAL =
  /whitelist|plugin proxy route access denied|not a valid target|access denied to data ?source|permissions needed: |unable to find data ?source|unable to load tls certificate|invalid data source url|failed creating data source proxy/i;
/** Grafana says these with an empty body (pkg/util/proxyutil/reverse_proxy.go); another proxy on the way has a page. */
const PROXY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** Reads the error of a request that failed; `cause` may be anything that was thrown. */
export function readFailedRequest(cause: unknown): FailedRequest {
  const error = isObject(cause) ? cause : {};
  const data = unwrapText(error['data']);
  const detail = isObject(data) ? (findText(data, ['error', 'message']) ?? '') : typeof data === 'string' ? data : '';
  return {
    status: typeof error['status'] === 'number' ? error['status'] : 0,
    statusText: typeof error['statusText'] === 'string' ? error['statusText'] : '',
    detail: (detail === '' && cause instanceof Error ? cause.message : detail).trim(),
    isJson: isObject(data),
  };
}

/** Grafana puts a body that is not JSON into an object, beside the status (backend_srv.ts, processRequestError). */
function unwrapText(data: unknown): unknown {
  return isObject(data) && typeof data['response'] === 'string' ? data['response'] : data;
}

/** Names the fault and what to do about it. The order matters: the most certain sign comes first. */
export function createStoreError(failed: FailedRequest, target: Target, cause: unknown): StoreError {
  const kind = inferKind(failed, target);
  return new StoreError(kind, formatStoreError(kind, failed, target), failed.detail, { cause });
}

const KIND_OF_STATUS: ReadonlyMap<number, StoreErrorKind> = new Map([
  [0, 'unreachable'],
  [400, 'query'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'notInfluxdb'],
  [405, 'notInfluxdb'],
  [408, 'timeout'],
  [502, 'unreachable'],
  [503, 'unreachable'],
  [504, 'timeout'],
]);

function inferKind({ status, detail, isJson }: FailedRequest, target: Target): StoreErrorKind {
  if (MAPPING_MISSING.test(detail)) return 'mappingMissing';
  if (DATABASE_MISSING.test(detail)) return 'databaseMissing';
  if (PROXY_UNAUTHORIZED.test(detail)) return 'unauthorized';
  if (isJson && GRAFANA_REFUSAL.test(detail)) return 'refusedByGrafana';
  if (status === 407 || (PROXY_STATUSES.has(status) && !isJson && detail !== '')) return 'proxyError';
  if (status === 404 && target.isTokenRoute && !isJson) return 'tokenRoute';
  return KIND_OF_STATUS.get(status) ?? 'failed';
}

function formatStoreError(kind: StoreErrorKind, failed: FailedRequest, target: Target): string {
  const { status, statusText, detail } = failed;
  const answer = detail === '' ? `status ${status} ${statusText}`.trim() : shorten(detail);
  switch (kind) {
    case 'databaseMissing':
      return `InfluxDB has no database "${target.database}" (${answer}): create it, or correct the database in the data source settings.`;
    case 'mappingMissing':
      return `InfluxDB has no database "${target.database}" for InfluxQL (${answer}): enter the name of the bucket, or map the bucket to this name. Run: influx v1 dbrp create --default --db "${target.database}" --rp autogen --bucket-id ID`;
    case 'forbidden':
      return `InfluxDB refused the ${nameLogin(target)}: it is known, but it may not read "${target.database}" (${answer}). Give it the right to read, or enter another one in the data source settings.`;
    case 'unauthorized':
      return formatUnauthorized(target, answer);
    case 'proxyError':
      return `A proxy between Grafana and InfluxDB answered in place of InfluxDB (status ${status}: ${shorten(detail)}): check that the proxy reaches InfluxDB, and that it lets Grafana pass.`;
    case 'unreachable':
      return formatUnreachable(status, answer);
    case 'timeout':
      return `InfluxDB did not answer in time (${answer}): take a shorter time range or fewer jobs.`;
    case 'notInfluxdb':
      return `What answers at this URL is not InfluxDB (${answer}): check host, port and path of the URL in the data source settings.`;
    case 'tokenRoute':
      return `The path /query was not found with the token (${answer}): check the URL, and that the settings' jsonData.url repeats it (saving the settings does that; Grafana before 10.4 needs it).`;
    case 'refusedByGrafana':
      return `Grafana did not pass the query on (${answer}): ask its administrator to allow this data source, its address and its certificates.`;
    case 'query':
    case 'failed':
      return `InfluxDB could not answer the query: ${answer}`;
  }
}

function formatUnreachable(status: number, answer: string): string {
  // The browser had no answer at all, not even one of Grafana's proxy.
  return status === 0
    ? `The answer did not come through to the browser (${answer}): check that Grafana can be reached, and refresh.`
    : `InfluxDB cannot be reached from the Grafana server (${answer}): check that it runs and that the URL in the data source settings is right.`;
}

function formatUnauthorized({ database, isTokenRoute }: Target, answer: string): string {
  return isTokenRoute
    ? `InfluxDB refused the token (${answer}): enter one that may read "${database}" in the data source settings.`
    : `InfluxDB refused the login (${answer}): check authentication, user and password in the data source settings.`;
}

function nameLogin({ isTokenRoute }: Target): string {
  return isTokenRoute ? 'token' : 'login';
}

/** The error that InfluxDB puts beside or in place of the results of one statement. */
export function createStatementError(text: string, target: Target): StoreError {
  return createStoreError({ status: 400, statusText: '', detail: text, isJson: true }, target, undefined);
}

/** In one line, and of a page of HTML its words. */
function shorten(text: string): string {
  const words = text.trimStart().startsWith('<') ? readPageText(text) : text;
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

function findText(data: Record<string, unknown>, keys: readonly string[]): string | undefined {
  return keys.map((key) => data[key]).find((value): value is string => typeof value === 'string' && value !== '');
}
