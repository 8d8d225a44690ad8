import { createHash } from 'node:crypto';
import { isEqualConstantTime, readShownTokens } from '@joblens/ingester/http-access';
import type { FastifyRequest } from 'fastify';

/** How long a page stays open without the token: a day, but never longer than the server runs. */
const SESSION_MS = 24 * 60 * 60 * 1000;
/** Whoever has the token may open as many as they like; a program may do so each second. */
const MAX_SESSIONS = 1000;
const SESSION_BYTES = 32;

export interface AccessOptions {
  readonly token: string;
  /** `n` cryptographically random bytes. */
  readonly randomBytes: (n: number) => Buffer;
  readonly monotonicMs: () => number;
}

/**
 * Decides who may do what. The token opens everything. It also opens a session, whose cookie serves the page and can
 * only read: browsers send a cookie of 127.0.0.1 to every port, so other users' programs may see it.
 */
export interface Access {
  /** Begins a session; returns the value of `Set-Cookie`. */
  openSession(request: FastifyRequest): string;
  isToken(candidate: string): boolean;
  /** Does the request carry the cookie of a session that has not ended? */
  hasSession(request: FastifyRequest): boolean;
  /** Does the request carry the token, in any of the ways in which InfluxDB's clients send it? */
  hasToken(request: FastifyRequest): boolean;
}

export function createAccess({ token, randomBytes, monotonicMs }: AccessOptions): Access {
  /** When each session ends, by the digest of its cookie. */
  const sessions = new Map<string, number>();
  return {
    openSession: (request) => {
      // The oldest are the first.
      for (const [key, endMs] of sessions)
        if (endMs <= monotonicMs() || sessions.size >= MAX_SESSIONS) sessions.delete(key);
      const value = randomBytes(SESSION_BYTES).toString('hex');
      sessions.set(digest(value), monotonicMs() + SESSION_MS);
      return `${nameCookie(request)}=${value}; Path=/; Max-Age=${SESSION_MS / 1000}; HttpOnly; SameSite=Strict`;
    },
    isToken: (candidate) => isEqualConstantTime(candidate, token),
    hasSession: (request) =>
      readCookies(request.headers.cookie, nameCookie(request)).some(
        (value) => (sessions.get(digest(value)) ?? 0) > monotonicMs()
      ),
    hasToken: ({ headers, url }) =>
      readShownTokens(headers, new URL(url, 'http://localhost')).some((value) => isEqualConstantTime(value, token)),
  };
}

/**
 * The name holds the port that the browser asked for. So two servers on 127.0.0.1, or behind two tunnels, have two
 * sessions.
 */
function nameCookie({ headers }: FastifyRequest): string {
  return `joblens_session_${/:(\d+)$/.exec(headers.host ?? '')?.[1] ?? '80'}`;
}

/** Looking values up by their digest keeps the time of a comparison from revealing one. */
function digest(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** All values of one cookie: a page of another port may have set one of the same name. */
function readCookies(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
}
