import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

export const COOKIE_NAME = 'joblens_session';

/** Who may do what. The token opens everything; the cookie is made from it, opens the page only, and does not give the token away. */
export interface Access {
  readonly sessionCookie: string;
  isToken(candidate: string): boolean;
  /** Does the request carry the page's cookie? */
  hasSession(request: FastifyRequest): boolean;
  /** Does the request carry the token, in any of the ways in which InfluxDB's clients send it? */
  hasToken(request: FastifyRequest): boolean;
}

export function createAccess(token: string): Access {
  const sessionValue = createHmac('sha256', token).update('joblens page session').digest('hex');
  return {
    sessionCookie: `${COOKIE_NAME}=${sessionValue}; Path=/; HttpOnly; SameSite=Strict`,
    isToken: (candidate) => isEqualConstantTime(candidate, token),
    hasSession: (request) =>
      readCookies(request.headers.cookie, COOKIE_NAME).some((value) => isEqualConstantTime(value, sessionValue)),
    hasToken: (request) => readTokenCandidates(request).some((value) => isEqualConstantTime(value, token)),
  };
}

/**
 * The host name that the browser asked for must be this machine's own: a page elsewhere whose name was rebound to
 * 127.0.0.1 sends its own name. The port is free, for tunnels (`ssh -L`).
 */
export function isLocalHost(hostHeader: string | undefined): boolean {
  return hostHeader !== undefined && /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i.test(hostHeader);
}

/** A request that a browser says comes from another origin: every user's page on this machine is "same site" to SameSite. */
export function isForeignOrigin(request: FastifyRequest): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return request.headers['sec-fetch-site'] === 'cross-site';
  try {
    return new URL(origin).host !== host;
  } catch {
    return true;
  }
}

function isEqualConstantTime(left: string, right: string): boolean {
  // Digests have one length, which timingSafeEqual needs.
  return timingSafeEqual(digest(left), digest(right));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** All values of one cookie: another port's page may have set one of the same name. */
function readCookies(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
}

function readTokenCandidates(request: FastifyRequest): string[] {
  const candidates: string[] = [];
  const [scheme = '', credentials = ''] = (request.headers.authorization ?? '').split(/ +/, 2);
  if (/^(token|bearer)$/i.test(scheme)) candidates.push(credentials);
  if (/^basic$/i.test(scheme)) {
    const decoded = Buffer.from(credentials, 'base64').toString('utf8');
    candidates.push(decoded.slice(decoded.indexOf(':') + 1));
  }
  // InfluxDB 1.x clients may send the password as the parameter `p`.
  const password = new URL(request.url, 'http://localhost').searchParams.get('p');
  if (password !== null) candidates.push(password);
  return candidates;
}
