import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { splitPoints } from '../sinks/point-bytes.js';

export interface StoreAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Takes one write: a real InfluxDB, or a fake one. `path` has the query, `body` is not compressed. */
export type Store = (path: string, body: Buffer) => Promise<StoreAnswer>;

/** Faults of one write. `after`: the store has applied the write all the same. */
export const FAULTS = [
  'none',
  '429',
  '503',
  '401',
  '404',
  'reset before',
  'reset after',
  'silence before',
  'silence after',
  'slow request',
  'slow answer',
  'garbage before',
  'half an answer after',
  'partial 201',
  'login page',
  'way to a login page',
  'bad request to a proxy',
  'NUL in a header',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultProxyOptions {
  readonly store: Store;
  /** Larger bodies get a 413. */
  readonly maxBodyBytes?: number;
}

export interface FaultProxy {
  readonly url: string;
  /** The faults of the next writes, in order; afterwards all goes well. */
  script: Fault[];
  readonly injected: Map<Fault | '413', number>;
  /** Writes so far, the failed ones too. */
  readonly writes: number;
  stop(): Promise<void>;
}

const SLOW_STEP_MS = 2;

/** An HTTP server between a sink and a store that spoils writes as it is told. Other requests it answers itself. */
export async function startFaultProxy({ store, maxBodyBytes = Infinity }: FaultProxyOptions): Promise<FaultProxy> {
  const injected: FaultProxy['injected'] = new Map();
  const proxy = { script: [] as Fault[], injected, writes: 0 };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      response.writeHead(204, { 'x-influxdb-version': '1.6.7' }).end();
      return;
    }
    proxy.writes += 1;
    let fault = proxy.script.shift() ?? 'none';
    if (fault === 'slow request') await wait(10 * SLOW_STEP_MS);
    const body = await readBody(request);
    if (body.length > maxBodyBytes) {
      count(injected, '413');
      response.writeHead(413).end('{"error":"Request Entity Too Large"}');
      return;
    }
    if (ABOUT_A_BATCH.has(fault) && splitPoints({ bytes: body, points: 0 }).length < 2) fault = 'none';
    if (fault !== 'none') count(injected, fault);
    await SPOILERS[fault]({ response, body, apply: (part) => store(request.url ?? '', part ?? body) });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.socket?.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => stop(server),
  });
}

interface Write {
  readonly response: ServerResponse;
  readonly body: Buffer;
  /** Hands the write, or another body, to the store. */
  readonly apply: (body?: Buffer) => Promise<StoreAnswer>;
}

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}) =>
  ({ response }: Write): void =>
    void response.writeHead(code, headers).end(`{"error":"fault ${code}"}`);
const page =
  (code: number, headers: Readonly<Record<string, string>> = {}) =>
  ({ response }: Write): void =>
    void response.writeHead(code, { 'content-type': 'text/html', ...headers }).end('<html>Please log in</html>');
const raw =
  (text: string) =>
  ({ response }: Write): void =>
    void response.socket?.end(text);
const reset = ({ response }: Write): void => void response.socket?.resetAndDestroy();
const silence = (): void => undefined;
const after =
  (spoil: (write: Write) => void) =>
  async (write: Write): Promise<void> => {
    await write.apply();
    spoil(write);
  };

async function passOn({ response, apply }: Write): Promise<void> {
  const answer = await apply();
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

const SPOILERS: Readonly<Record<Fault, (write: Write) => void | Promise<void>>> = {
  none: passOn,
  '429': status(429, { 'retry-after': '7' }),
  '503': status(503),
  '401': status(401),
  '404': status(404),
  'reset before': reset,
  'reset after': after(reset),
  'silence before': silence,
  'silence after': after(silence),
  'slow request': passOn,
  'slow answer': async ({ response, apply }) => sendSlowly(response, await apply()),
  'garbage before': raw('SSH-2.0-OpenSSH_9.2\r\n'),
  'half an answer after': after(raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"half')),
  'partial 201': async ({ response, body, apply }) => {
    const [first] = splitPoints({ bytes: body, points: 0 });
    await apply(first);
    response.writeHead(201).end('{"code":"invalid","message":"fault 201"}');
  },
  'login page': page(200),
  'way to a login page': page(302, { location: '/login' }),
  'bad request to a proxy': page(400),
  'NUL in a header': raw('HTTP/1.1 400 Bad Request\r\nX-Influxdb-Error: a\0b\r\nContent-Length: 2\r\n\r\n{}'),
};

/** Faults that call part of a batch bad. For a single point, such an answer would be final. */
const ABOUT_A_BATCH: ReadonlySet<Fault> = new Set(['partial 201', 'NUL in a header']);

async function sendSlowly(response: ServerResponse, { status, body }: StoreAnswer): Promise<void> {
  const text = `HTTP/1.1 ${status} X\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  for (let i = 0; i < 40; i += 8) {
    response.socket?.write(text.slice(i, i + 8));
    await wait(SLOW_STEP_MS);
  }
  response.socket?.end(text.slice(40));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
