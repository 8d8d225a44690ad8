import { once } from 'node:events';
import { Agent, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { Agent as TlsAgent, request as requestHttps } from 'node:https';
import { err, ok, type Result } from '@joblens/core/result/result';
import { formatAuthorization, type InfluxConnection } from '../sinks/influxdb/connection.js';
import { type Fault, refuse } from './fault.js';

/** The most questions at once: others are told to come again. */
export const MAX_AT_ONCE = 400;
/** Each has a connection of its own, so that nobody waits for those who read their answers slowly. */
const MAX_SOCKETS = MAX_AT_ONCE;
/** A store that says nothing for this long, or a client that takes nothing, is let go. */
const QUIET_MS = 120_000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

interface StoreRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal: AbortSignal;
}

/** Sends requests of the gateway's own to the store, with the gateway's own token. */
export interface StoreProxy {
  send(request: StoreRequest): Promise<Result<IncomingMessage, Fault>>;
  query(
    query: { readonly address: string; readonly body: string },
    signal: AbortSignal
  ): Promise<Result<IncomingMessage, Fault>>;
  close(): void;
}

export function createStoreProxy(connection: InfluxConnection): StoreProxy {
  const base = new URL(connection.url);
  const isTls = base.protocol === 'https:';
  const agent = new (isTls ? TlsAgent : Agent)({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const shared = {
    agent,
    protocol: base.protocol,
    hostname: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port,
  };
  const folder = base.pathname.replace(/(?<!\/)\/+$/, '');
  const own = formatAuthorization(connection);
  const send: StoreProxy['send'] = ({ method, path, headers, body, signal }) =>
    new Promise((resolve) => {
      const sent = (isTls ? requestHttps : requestHttp)(
        {
          ...shared,
          method,
          path: folder + path,
          signal,
          headers: { ...own, ...headers, 'content-length': Buffer.byteLength(body ?? '') },
        },
        (answer) => {
          // A user can mend neither.
          if (answer.statusCode === 401 || answer.statusCode === 403) {
            answer.resume();
            resolve(err(refuse(502, 'store-refuses', "the store refuses the gateway's token: tell who runs it")));
          } else resolve(ok(answer));
        }
      );
      sent.setTimeout(QUIET_MS, () => sent.destroy());
      // More than one may come: also when its client has gone in the middle of the answer.
      sent.on('error', () => resolve(err(refuse(502, 'no-store', 'the store does not answer the gateway: try again'))));
      sent.end(body);
    });
  return {
    send,
    query: ({ address, body }, signal) =>
      send({ method: 'POST', path: `/query${address}`, headers: FORM, body, signal }),
    close: () => agent.destroy(),
  };
}

/** Passes an answer on as it comes, no faster than the client takes it. */
export async function streamAnswer(
  answer: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal
): Promise<void> {
  response.writeHead(answer.statusCode ?? 502, {
    'content-type': answer.headers['content-type'] ?? 'application/json',
  });
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (response.write(chunk)) continue;
    await once(response, 'drain', { signal: AbortSignal.any([signal, AbortSignal.timeout(QUIET_MS)]) });
  }
  response.end();
}
