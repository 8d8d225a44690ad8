import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Checks that Joblens' servers make before they accept a request: `serve`, and the page of `standalone`. */

/**
 * Whether the client asked for this machine's own host name. A web page whose name was rebound to 127.0.0.1 sends its
 * own name. Any port will do, for tunnels (`ssh -L`).
 */
export function isLocalHost(hostHeader: string | undefined): boolean {
  return hostHeader !== undefined && /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i.test(hostHeader);
}

/**
 * Whether a browser says that the request comes from another origin. SameSite cookies do not help here: they count the
 * pages of all users on this machine as one site.
 */
export function isForeignOrigin(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  // Images, scripts and links have no Origin header. Programs other than browsers have neither header.
  if (origin === undefined) return !['same-origin', 'none', undefined].includes(headers['sec-fetch-site']?.toString());
  try {
    return new URL(origin).host !== host;
  } catch {
    return true;
  }
}

/**
 * All tokens that a request shows in the ways of InfluxDB's clients: `Token …`, `Bearer …`, the password of Basic, or
 * the parameter `p`.
 */
export function readShownTokens({ authorization = '' }: IncomingHttpHeaders, url: URL): string[] {
  const [, scheme = '', value = ''] = /^(\w+) +(?! )(.*)$/.exec(authorization) ?? [];
  const password = url.searchParams.get('p');
  return [
    ...(/^(token|bearer)$/i.test(scheme) ? [value] : []),
    ...(/^basic$/i.test(scheme)
      ? [
          Buffer.from(value, 'base64')
            .toString()
            .replace(/^[^:]*:/, ''),
        ]
      : []),
    ...(password === null ? [] : [password]),
  ];
}

/** Compares in constant time, so that nobody can find a secret by timing the answers. */
export function isEqualConstantTime(left: string, right: string): boolean {
  return createSecretCheck(right)(left);
}

/** The same for a secret that is compared with often. */
export function createSecretCheck(secret: string): (shown: string) => boolean {
  const expected = digest(secret);
  // Digests have one length, which timingSafeEqual needs.
  return (shown) => timingSafeEqual(digest(shown), expected);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
