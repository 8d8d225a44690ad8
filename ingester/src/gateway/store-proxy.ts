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
  /** Whom the answer is for: when they have gone, nobody waits for what the store has still to say. */
  readonly client: ServerResponse;
}

/** Sends requests of the gateway's own to the store, with the gateway's own token. */
export interface StoreProxy {
  send(request: StoreRequest): Promise<Result<IncomingMessage, Fault>>;
  query(
    query: { readonly address: string; readonly body: string },
    client: ServerResponse
  ): Promise<Result<IncomingMessage, Fault>>;
  close(): void;
}

export function createStoreProxy(connection: InfluxConnection): StoreProxy {
  const base = new URL(connection.url);
  const isTls = base.protocol === 'https:';
  const agent = new (isTls ? TlsAgent : Agent)({ keepAlive: true, maxSockets: MAX_SOCKETS, timeout: QUIET_MS });
  const shared = {
    agent,
    protocol: base.protocol,
    hostname: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port,
    timeout: QUIET_MS,
  };
  const folder = base.pathname.replace(/(?<!\/)\/+$/, '');
  const own = formatAuthorization(connection);
  const send: StoreProxy['send'] = ({ method, path, headers, body, client }) =>
    new Promise((resolve) => {
      const sent = (isTls ? requestHttps : requestHttp)(
        {
          ...shared,
          method,
          path: folder + path,
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
      const leave = (): void => void sent.destroy();
      sent.on('timeout', leave);
      client.once('close', leave);
      sent.once('close', () => client.off('close', leave));
      if (client.closed) leave();
      // More than one may come: also when its client has gone in the middle of the answer.
      sent.on('error', () => resolve(err(refuse(502, 'no-store', 'the store does not answer the gateway: try again'))));
      sent.end(body);
    });
  return {
    send,
    query: ({ address, body }, client) =>
      send({ method: 'POST', path: `/query${address}`, headers: FORM, body, client }),
    close: () => agent.destroy(),
  };
}

/** Passes an answer on as it comes, no faster than the client takes it. Rejects when either side breaks off. */
export function streamAnswer(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(answer.statusCode ?? 502, {
    'content-type': answer.headers['content-type'] ?? 'application/json',
  });
  return new Promise((resolve, reject) => {
    let waiting: NodeJS.Timeout | undefined;
    const breakOff = (why: string): void => {
      clearTimeout(waiting);
      reject(new Error(why));
    };
    const send = (chunk: Buffer): void => {
      if (response.destroyed || response.write(chunk)) return;
      answer.pause();
      waiting = setTimeout(() => breakOff('the client takes nothing'), QUIET_MS);
    };
    // A short answer is whole when its first bytes come: it then goes out in one piece, with its end.
    const held = new HeldChunk(send);
    response.on('drain', () => {
      clearTimeout(waiting);
      answer.resume();
    });
    answer.on('data', (chunk: Buffer) => held.replace(chunk));
    answer.once('end', () => {
      response.end(held.take());
      resolve();
    });
    answer.once('error', ({ message }) => breakOff(message));
    response.once('close', () => {
      if (!response.writableEnded) breakOff('the client has gone');
    });
  });
}

/** The newest chunk of an answer, until the event loop has seen whether more came with it. */
class HeldChunk {
  readonly #send: (chunk: Buffer) => void;
  #chunk: Buffer | undefined;
  #sending: NodeJS.Immediate | undefined;

  constructor(send: (chunk: Buffer) => void) {
    this.#send = send;
  }

  replace(chunk: Buffer): void {
    this.#sendNow();
    this.#chunk = chunk;
    this.#sending = setImmediate(() => this.#sendNow());
  }

  take(): Buffer | undefined {
    clearImmediate(this.#sending);
    const chunk = this.#chunk;
    this.#chunk = undefined;
    return chunk;
  }

  #sendNow(): void {
    const chunk = this.take();
    if (chunk !== undefined) this.#send(chunk);
  }
}
