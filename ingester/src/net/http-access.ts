import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** What the servers of Joblens look at before they listen to a request: `serve`, and the page of `standalone`. */

/**
 * The host name that the client asked for is this machine's own: a page elsewhere whose name was rebound to 127.0.0.1 sends its own
 * name. The port is free, for tunnels (`ssh -L`).
 */
export function isLocalHost(hostHeader: string | undefined): boolean {
  return hostHeader !== undefined && /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i.test(hostHeader);
}

/** A request that a browser says comes from another origin: every user's page on this machine is "same site" to SameSite. */
export function isForeignOrigin(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  // Images, scripts and links have no origin header; programs that are no browser have neither.
  if (origin === undefined) return !['same-origin', 'none', undefined].includes(headers['sec-fetch-site']?.toString());
  try {
    return new URL(origin).host !== host;
  } catch {
    return true;
  }
}

/** All tokens that a request shows, as any of InfluxDB's clients does: `Token …`, `Bearer …`, as password of Basic, or as the parameter `p`. */
export function readShownTokens({ authorization = '' }: IncomingHttpHeaders, url: URL): string[] {
  const [, scheme = '', value = ''] = /^(\w+) +(.*)$/.exec(authorization) ?? [];
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

/** Takes as long whatever the first difference is, so that nobody finds a secret by the time of the answer. */
export function isEqualConstantTime(left: string, right: string): boolean {
  // Digests have one length, which timingSafeEqual needs.
  return timingSafeEqual(digest(left), digest(right));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
