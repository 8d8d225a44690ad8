import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock/clock.js';
import type { Reporter } from '../host/report.js';
import { ConnectionLimit, type LimitedConnection } from './connection-limit.js';

/** The head of a request comes at once, and the bytes of a body keep coming … */
const HEAD_MS = 10_000;
const QUIET_MS = 10_000;
/** … and this is enough time for a whole request. */
const REQUEST_MS = 60_000;
/** How often heads and requests are checked for taking too long. */
const LOOK_MS = 1000;
/** The most of an unwanted body that is read, so that its sender gets to read the answer. */
const MAX_DISCARDED_BYTES = 256 * 1024;
const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

interface LimitedServerOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly report: Reporter;
  /** Rejects when the request cannot be answered any more; the connection is then closed. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** An HTTP server that no client can hold up: connections are limited, and slow ones end. */
export function createLimitedServer({ clock, report, answer }: LimitedServerOptions): Server {
  const limit = new ConnectionLimit({ way: 'HTTP', clock, report });
  const connections = new WeakMap<Socket, LimitedConnection>();
  const server = createServer({
    headersTimeout: HEAD_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: LOOK_MS,
  });
  server.on('connection', (socket: Socket) => {
    const connection = limit.admit(socket);
    if (connection !== undefined) connections.set(socket, connection);
  });
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(request.socket);
    connection?.enter('receiving', () => !request.complete && request.readableLength === 0);
    response.once('close', () => connection?.enter('idle'));
    answer(request, response)
      .then(() => discardRest(request))
      .catch(() => response.destroy());
  };
  // A client that asks before it sends the body gets a yes only if the body is wanted.
  for (const event of ['request', 'checkContinue'] as const) server.on(event, take);
  server.setTimeout(QUIET_MS, (socket: Socket) => {
    const connection = connections.get(socket);
    // A client that waits for us is not cut off.
    if (connection?.isWorking === true) return;
    socket.end(connection?.isIdle === true ? '' : TIMED_OUT, () => socket.destroy());
  });
  return server;
}

/** Undefined for what Node's parser lets through and no address can be, such as `//`. */
export function readTarget({ url = '/' }: IncomingMessage): URL | undefined {
  return URL.canParse(url, 'http://joblens') ? new URL(url, 'http://joblens') : undefined;
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}

/** A sender may keep writing before it reads the answer. */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  let left = MAX_DISCARDED_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.socket.destroy();
  });
  request.resume();
}
