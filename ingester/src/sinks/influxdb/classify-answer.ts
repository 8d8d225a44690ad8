import { splitAddress } from '../../net/split-address.js';
import { SUCCESS, type WriteOutcome, type WriteRetryable } from '../sink.js';
import type { InfluxApi, InfluxConnection } from './connection.js';

/** An HTTP answer to a write. */
export interface WriteAnswer {
  readonly status: number;
  /** The server's message, on one line; '' when there is none. */
  readonly message: string;
  /** Whether a header names an InfluxDB. */
  readonly isNamed: boolean;
  /** It came before the request was read. */
  readonly isEarly?: boolean;
  /** What was found where nothing shows that a store answers. */
  readonly doubt?: string;
  /** `json`: in the form that stores have for errors. */
  readonly body: 'none' | 'json' | 'otherJson' | 'page' | 'text';
  /** The target of a redirection. */
  readonly location?: string;
  readonly retryAfterMs?: number;
}

const ABOUT_THE_POINTS: ReadonlySet<number> = new Set([400, 413, 422]);
const FORBIDDEN: ReadonlySet<number> = new Set([401, 403]);
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);
const BUSY: ReadonlySet<number> = new Set([503, 507]);
/** A store without room may still take a smaller batch. */
const NO_ROOM =
  /no space left|disk (?:is )?full|quota exceeded|read-only file system|ENOSPC|EDQUOT|EROFS|max-memory-size exceeded/i;
/** System errors that mean that no server was reached. */
const AWAY = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES)$/;
/** Only at the start of the message: further on it may quote a line of a job. */
const MISSING_SETTING = /^(?:bucket|database|org|orgID) .{0,20}\b(?:required|missing)\b/i;

/**
 * Says what an answer means for the batch (HTTP API references of InfluxDB 1.8, 2.7 and 3). Version 3 answers 201 when
 * it stored only a part. 400, 413 and 422 are about the points; 401, 403 and 404 about the settings. Only an InfluxDB's
 * answer means that points are stored: all engines answer 204. A proxy or a login page answers 200 and has stored
 * nothing, and neither has who answers 204 without a name before the request is read, or is no store (`CheckedStore`).
 */
export function classifyAnswer(answer: WriteAnswer, connection: InfluxConnection, api: InfluxApi): WriteOutcome {
  const { status } = answer;
  const found = `${status}${answer.message === '' ? '' : ` ${answer.message}`}`;
  if (isStored(answer)) return SUCCESS;
  if (!isOfInfluxdb(answer)) return heldByStranger(connection, found, answer);
  if (status === 201) return { kind: 'rejected', message: `a part of the batch was not stored (${found})` };
  if (status === 400 && MISSING_SETTING.test(answer.message)) {
    return held(connection, found, 'set INFLUX_BUCKET and, for InfluxDB 2.x, INFLUX_ORG');
  }
  if (ABOUT_THE_POINTS.has(status)) return { kind: 'rejected', message: found };
  if (FORBIDDEN.has(status)) return held(connection, found, adviseAccess(connection));
  if (status === 404) return held(connection, found, adviseMissing(connection, api));
  if (PASSING.has(status) || status >= 500) {
    const message = `InfluxDB at ${connection.url} cannot take points now: ${found}; they wait and are sent again`;
    const mayLieInPoints = status >= 500 && !BUSY.has(status) && !NO_ROOM.test(answer.message);
    return { kind: 'retryable', message, isHeld: false, mayLieInPoints, found, ...retryAfter(answer) };
  }
  return heldByStranger(connection, found, answer);
}

/** The first releases of version 3 answer an empty 200. */
function isStored({ status, isNamed, isEarly, doubt, body }: WriteAnswer): boolean {
  if (status === 204) return isNamed || (isEarly !== true && doubt === undefined);
  return status === 200 && isNamed && body === 'none';
}

/**
 * Whether an InfluxDB may have given this answer about the points. After any other answer the points wait, whoever gave
 * it.
 */
function isOfInfluxdb({ status, isNamed, body, doubt }: WriteAnswer): boolean {
  if (doubt !== undefined) return false;
  if (status === 201) return isNamed || body === 'json';
  return isNamed || (body !== 'page' && body !== 'otherJson') || (status !== 400 && status !== 422);
}

const CHECK_ADDRESS = 'check that INFLUX_HOST is the address of an InfluxDB, and check any proxy in front of it';

function heldInDoubt({ url }: InfluxConnection, found: string, doubt: string): WriteOutcome {
  const tried = `what answers at ${url} says ${found}, but nothing shows that it is a store (asked: ${doubt})`;
  const message = `${tried}; points wait; ${CHECK_ADDRESS}; if it is one, set JOBLENS_UNNAMED_STORE=trust`;
  return { kind: 'retryable', message, isHeld: true };
}

/** The answer came from a proxy, a login page or some other server. */
function heldByStranger(connection: InfluxConnection, found: string, { location, doubt }: WriteAnswer): WriteOutcome {
  if (doubt !== undefined) return heldInDoubt(connection, found, doubt);
  const { url } = connection;
  const leads = location === undefined ? '' : `, which leads to ${hideQuery(location)}`;
  const message = `what answers at ${url} has not stored the points: ${found}${leads}; they wait; ${CHECK_ADDRESS}`;
  return { kind: 'retryable', message, isHeld: true };
}

/** A query, a fragment or a user's name may be a secret. */
function hideQuery(location: string): string {
  const { upToPath, behindPath } = splitAddress(location);
  const shown = behindPath === '' ? upToPath : `${upToPath}${behindPath[0] ?? ''}…`;
  return shown.replace(/^(\w+:)?\/\/[^/]*@/, '$1//…@');
}

/** Says what a request without an answer means. `code` is the system's error code, or ''. */
export function classifyFailure(code: string, message: string, connection: InfluxConnection): WriteRetryable {
  const isTls = /CERT|SSL|TLS|SELF_SIGNED/.test(code);
  const found = message === '' ? code : message;
  const advice = isTls
    ? 'make its certificate known with NODE_EXTRA_CA_CERTS'
    : 'start it, or set INFLUX_HOST to its address';
  const tried = `cannot reach InfluxDB at ${connection.url}: ${found}`;
  // A server may crash because of these points.
  const mayLieInPoints = !isTls && !AWAY.test(code);
  const whatNext = `points wait and are sent again; ${advice}`;
  return { kind: 'retryable', message: `${tried}; ${whatNext}`, isHeld: isTls, mayLieInPoints, found };
}

function held({ url }: InfluxConnection, found: string, advice: string): WriteOutcome {
  return { kind: 'retryable', message: `InfluxDB at ${url} answers ${found}; points wait; ${advice}`, isHeld: true };
}

function adviseAccess({ token, user, bucket }: InfluxConnection): string {
  if (token !== undefined) return `set INFLUX_TOKEN to a token that may write to ${bucket}`;
  if (user !== undefined)
    return `check INFLUX_USER and INFLUX_PASSWORD; the user must be allowed to write to ${bucket}`;
  return 'set INFLUX_TOKEN, or for InfluxDB 1.x INFLUX_USER and INFLUX_PASSWORD';
}

function adviseMissing({ bucket, org }: InfluxConnection, api: InfluxApi): string {
  if (api === 'v1')
    return `create the database ${bucket}, or set INFLUX_BUCKET to one that exists; for 2.x use --api v2`;
  const organisation = org === undefined ? 'set INFLUX_ORG' : `check the organisation ${org}`;
  return `create the bucket ${bucket} or set INFLUX_BUCKET, ${organisation}; for InfluxDB 1.x use --api v1`;
}

function retryAfter({ retryAfterMs }: WriteAnswer): { retryAfterMs?: number } {
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

/** Parses Retry-After to milliseconds: seconds, or an HTTP date (RFC 9110, 10.2.3). */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
