import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { PointBatch } from '../../queue/point-queue.js';
import { createFakeClock } from '../../testing/fake-clock.js';
import { createRetryingSink } from '../retrying-sink.js';
import type { Sink } from '../sink.js';
import { SplittingSink } from '../splitting-sink.js';
import { formatWritePath, type InfluxConnection, isLoopback } from './connection.js';
import { createInfluxdbSink } from './influxdb-sink.js';

interface Request {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A server that answers as it is told, one answer a request; the last answer stays. */
class FaultServer {
  readonly requests: Request[] = [];
  answers: ((request: Request, response: ServerResponse, message: IncomingMessage) => void)[] = [];
  #server: Server | undefined;
  url = '';

  async start(): Promise<void> {
    const server = createServer((message, response) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('end', () => {
        const body = Buffer.concat(chunks);
        const request = {
          method: message.method ?? '',
          url: message.url ?? '',
          authorization: message.headers.authorization,
          body: (message.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString(),
        };
        this.requests.push(request);
        const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
        answer?.(request, response, message);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}

const status =
  (code: number, body = '', headers: Record<string, string> = {}) =>
  (_request: Request, response: ServerResponse): void =>
    void response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body);
/** A store's yes. */
const stored = status(204, '', { 'x-influxdb-version': '2.7.1' });
const reset = (_request: Request, response: ServerResponse): void => void response.socket?.destroy();
const silence = (): void => undefined;

const containing = (text: string): unknown => expect.stringContaining(text);
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const TEXT = { 'content-type': 'text/plain' };
const STRANGER = (found: string): object => ({ kind: 'retryable', isHeld: true, message: containing(found) });

const server = new FaultServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
});

function connect(settings: Partial<InfluxConnection> = {}): Sink {
  const connection = { url: server.url, bucket: 'b', api: 'v2' as const, timeoutMs: 300, ...settings };
  return createInfluxdbSink(connection, { nowMs: () => Date.UTC(2026, 10, 21), monotonicMs: () => 0 });
}

const never = new AbortController().signal;
const batchOf = (points: readonly string[]): PointBatch => ({
  bytes: Buffer.from(points.map((point) => `${point}\n`).join('')),
  points: points.length,
});
const POINTS = batchOf(['m a=1 1', 'm a=2 2']);

describe('createInfluxdbSink', () => {
  it.each([
    ['success', stored, { kind: 'success' }],
    ['success of first releases of version 3', status(200, '', { 'x-influxdb-version': '3.0.0' }), { kind: 'success' }],
    ['nothing of nobody', status(200), STRANGER('200 OK')],
    [
      'a login page',
      status(200, '<html><head><title>\nPlease log in</title>', HTML),
      STRANGER('200 a page: Please log in'),
    ],
    [
      'a page of InfluxDB',
      status(200, '<!doctype html>UI', { 'x-influxdb-version': '2.7.1' }),
      STRANGER('200 a page: UI'),
    ],
    [
      'the index of 2.x',
      status(200, '{"write":"/api/v2/write"}', { 'x-influxdb-version': '2.7.1' }),
      STRANGER('200 {'),
    ],
    ['what was only accepted', status(202), STRANGER('202 Accepted')],
    ['what was only created', status(201), STRANGER('201 Created')],
    [
      'a way to a login page',
      status(302, '', { location: 'https://sso.example/\tlogin' }),
      STRANGER('leads to https://sso.example/ login'),
    ],
    [
      'a way with a secret',
      status(302, '', { location: 'https://sso.example/login?state=SECRET#SECRET' }),
      STRANGER('leads to https://sso.example/login?…; they wait'),
    ],
    [
      'a way with a fragment',
      status(307, '', { location: '/a b(1)#SECRET' }),
      STRANGER('leads to /a b(1)#…; they wait'),
    ],
    [
      'a way with a password',
      status(301, '', { location: 'https://u:SECRET@h.example/x' }),
      STRANGER('leads to https://…@h.example/x; they wait'),
    ],
    [
      'a bad request to a proxy',
      status(400, '<html><center>plain HTTP to HTTPS port', HTML),
      STRANGER('400 a page: plain HTTP'),
    ],
    [
      'a refusal of some other program',
      status(400, '{"detail":"Bad Request"}'),
      STRANGER('400 {"detail":"Bad Request"}'),
    ],
    ['a list of faults of some other program', status(422, '[{"message":"x"}]'), STRANGER('422 [')],
    ['what another program has created', status(201, '{"id":7}'), STRANGER('201 {')],
    [
      'JSON of a server that names itself',
      status(400, '{"detail":"Bad Request"}', { 'x-influxdb-version': '9.0' }),
      { kind: 'rejected' },
    ],
    ['a bad point of an engine without JSON', status(400, 'cannot parse "m a="', TEXT), { kind: 'rejected' }],
    ['too large for a proxy', status(413, '<html>too large', HTML), { kind: 'rejected', hint: { kind: 'size' } }],
    [
      'a part stored (version 3)',
      status(201, '{"code":"invalid","line":2,"message":"failed to parse"}'),
      { kind: 'rejected', message: 'a part of the batch was not stored (201 failed to parse)' },
    ],
    [
      'a bad point, 1.x',
      status(400, '{"error":"partial write: dropped=1"}'),
      { kind: 'rejected', message: '400 partial write: dropped=1' },
    ],
    [
      'a bad point, 2.x',
      status(422, '{"code":"x","message":"type conflict"}'),
      { kind: 'rejected', message: '422 type conflict' },
    ],
    ['too large', status(413), { kind: 'rejected', message: '413 Payload Too Large' }],
    [
      'too many, wait',
      status(429, '', { 'retry-after': '7' }),
      { kind: 'retryable', isHeld: false, retryAfterMs: 7000 },
    ],
    [
      'too many, wait until',
      status(429, '', { 'retry-after': new Date(Date.UTC(2026, 10, 21, 0, 0, 9)).toUTCString() }),
      { kind: 'retryable', retryAfterMs: 9000 },
    ],
    [
      'overload',
      status(503, '{"message":"busy"}'),
      { kind: 'retryable', isHeld: false, mayLieInPoints: false, message: containing('503 busy') },
    ],
    ['a fault', status(500), { kind: 'retryable', isHeld: false, mayLieInPoints: true }],
    ['a full disk', status(500, '{"error":"write /x: no space left on device"}'), { mayLieInPoints: false }],
    ['a gateway whose server fell', status(502), { mayLieInPoints: true }],
    [
      'a wrong token',
      status(401, '{"message":"unauthorized"}'),
      { kind: 'retryable', isHeld: true, message: containing('set INFLUX_TOKEN') },
    ],
    ['a token that may not', status(403), { kind: 'retryable', isHeld: true }],
    [
      'no such bucket',
      status(404, '{"message":"bucket \\"b\\" not found"}'),
      { kind: 'retryable', isHeld: true, message: containing('create the bucket b') },
    ],
    ['a missing setting', status(400, '{"error":"database is required"}'), { kind: 'retryable', isHeld: true }],
    [
      'another server',
      status(301, '<html>\n<body>moved</body>'),
      { kind: 'retryable', isHeld: true, message: containing('INFLUX_HOST') },
    ],
    [
      'a connection reset',
      reset,
      { kind: 'retryable', isHeld: false, mayLieInPoints: true, message: containing('cannot reach InfluxDB') },
    ],
    ['silence', silence, { kind: 'retryable', isHeld: false, message: containing('no answer within 0.3 s') }],
  ])('reads %s', async (_name, answer, outcome) => {
    server.answers = [answer];
    const result = await connect().write(POINTS, never);
    expect(result).toMatchObject(outcome);
    if ('message' in result) expect(result.message).not.toMatch(/\n|SECRET/);
  });

  it('says where nobody listens', async () => {
    const result = await connect({ url: 'http://127.0.0.1:1' }).write(POINTS, never);
    expect(result).toMatchObject({ kind: 'retryable', message: containing('ECONNREFUSED') });
  });

  it('ends a request when it is asked to', async () => {
    server.answers = [silence];
    const stop = new AbortController();
    const writing = connect({ timeoutMs: 60_000 }).write(POINTS, stop.signal);
    setTimeout(() => stop.abort(), 50);
    expect(await writing).toMatchObject({ kind: 'retryable', isCutShort: true });
  });

  it.each([
    ['v2 with a token', { token: 't', org: 'o' }, '/api/v2/write?bucket=b&precision=ns&org=o', 'Token t'],
    [
      'v1 with a user',
      { api: 'v1' as const, user: 'u', password: 'p', bucket: 'd/rp' },
      '/write?precision=ns&db=d&rp=rp',
      `Basic ${Buffer.from('u:p').toString('base64')}`,
    ],
  ])('writes to %s', async (_name, settings, url, authorization) => {
    server.answers = [stored];
    await connect(settings).write(POINTS, never);
    expect(server.requests).toEqual([{ method: 'POST', url, authorization, body: POINTS.bytes.toString() }]);
  });

  it.each([
    ['a token', { token: 't' }, 'v2.7.11', ['POST /api/v2/write?bucket=b&precision=ns']],
    ['version 1', {}, '1.6.7~rc0', ['GET /ping', 'POST /write?precision=ns&db=b']],
    ['version 2', {}, 'v2.7.11', ['GET /ping', 'POST /api/v2/write?bucket=b&precision=ns']],
    ['version 3', {}, '3.1.0', ['GET /ping', 'POST /api/v2/write?bucket=b&precision=ns']],
  ])('finds the endpoint by %s', async (_name, settings, version, requests) => {
    server.answers = [status(204, '', { 'x-influxdb-version': version })];
    await connect({ ...settings, api: 'auto' }).write(POINTS, never);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(requests);
  });
});

describe('a 204 without the name of an InfluxDB', () => {
  it('does not count when it comes before the request is read', async () => {
    const early = createServer((request, response) => {
      request.pause();
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => early.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(early.address() as AddressInfo).port}`;
    const points = batchOf(['m,a=b text="' + 'x'.repeat(8_000_000) + '" 1']);
    expect(await connect({ url, timeoutMs: 60_000 }).write(points, never)).toMatchObject({ kind: 'retryable' });
    early.closeAllConnections();
    await new Promise((resolve) => early.close(resolve));
  });
});

describe('a sink that retries', () => {
  function retrying(clock = createFakeClock()): {
    sink: Sink;
    said: string[];
    health: boolean[];
    sleeps: readonly number[];
  } {
    const said: string[] = [];
    const health: boolean[] = [];
    const say = (message: string): void => void said.push(message);
    const report = { error: say, warn: say, info: say, debug: say };
    const sleep = (delayMs: number): Promise<void> => {
      void clock.sleep(delayMs);
      return Promise.resolve();
    };
    const options = {
      clock: { sleep, monotonicMs: () => 0 },
      random: () => 0.5,
      report,
      onHealth: (state: boolean) => health.push(state),
    };
    return { sink: createRetryingSink(connect(), options), said, health, sleeps: clock.sleeps };
  }

  it('sends the same batch again, later each time, until it is stored, and says each reason once', async () => {
    server.answers = [status(503), status(503), reset, status(401), stored];
    const { sink, said, health, sleeps } = retrying();
    expect(await sink.write(POINTS, never)).toEqual({ kind: 'success' });
    expect(server.requests.map(({ body }) => body)).toEqual(Array(5).fill(POINTS.bytes.toString()));
    expect(sleeps).toEqual([187.5, 375, 750, 1500]);
    expect(health).toEqual([false, false, false, false, true]);
    expect(said.map((line) => line.slice(0, 20))).toEqual([
      'InfluxDB at http://1',
      'cannot reach InfluxD',
      'InfluxDB at http://1',
      'points are stored ag',
    ]);
  });

  it('waits as long as the server asks', async () => {
    server.answers = [status(429, '', { 'retry-after': '20' }), stored];
    const { sink, sleeps } = retrying();
    await sink.write(POINTS, never);
    expect(sleeps).toEqual([20_000]);
  });

  it('never waits longer than 30 s by itself', async () => {
    server.answers = [...Array.from({ length: 20 }, () => status(500)), stored];
    const { sink, sleeps } = retrying();
    await sink.write(POINTS, never);
    expect(Math.max(...sleeps)).toBe(22_500);
  });

  it('gives up when it is asked to', async () => {
    server.answers = [status(500)];
    const stop = new AbortController();
    stop.abort();
    expect(await retrying().sink.write(POINTS, stop.signal)).toMatchObject({ kind: 'retryable' });
  });
});

describe('a sink that splits', () => {
  it('keeps aside only the points that are rejected, and stores the others in order', async () => {
    const lines = Array.from({ length: 1000 }, (_, i) => `m a=${i} ${i + 1}`);
    const bad = new Set([lines[0], lines[517], lines[518], lines[999]]);
    const stored = new Set<string>();
    server.answers = [
      ({ body }, response) => {
        const batch = body.trimEnd().split('\n');
        const isGood = batch.every((line) => !bad.has(line));
        if (isGood) batch.forEach((line) => stored.add(line));
        const headers = { 'content-type': 'application/json', 'x-influxdb-version': '1.8.10' };
        response.writeHead(isGood ? 204 : 400, headers).end('{"error":"no"}');
      },
    ];
    const kept: string[] = [];
    const keepAside = (point: Buffer, reason: string): Promise<void> => {
      kept.push(`${point.toString().trimEnd()}: ${reason}`);
      return Promise.resolve();
    };
    const sink = new SplittingSink(connect(), keepAside, { monotonicMs: () => 0 });
    expect(await sink.write(batchOf(lines), never)).toEqual({ kind: 'success' });
    expect(kept).toEqual([...bad].map((line) => `${line ?? ''}: 400 no`));
    expect([...stored]).toEqual(lines.filter((line) => !bad.has(line)));
    expect(server.requests.length).toBeLessThan(100);
  });

  it('stops where the rest cannot be sent', async () => {
    server.answers = [status(413), stored, status(503)];
    const outcome = await new SplittingSink(connect(), () => Promise.resolve(), { monotonicMs: () => 0 }).write(
      POINTS,
      never
    );
    expect(outcome).toMatchObject({ kind: 'retryable' });
  });
});

describe('connection', () => {
  it('quotes names in the path', () => {
    const connection = { url: 'http://x', bucket: 'a b&c', org: 'ü', api: 'v2' as const, timeoutMs: 1 };
    expect(formatWritePath(connection, 'v2')).toBe('/api/v2/write?bucket=a+b%26c&precision=ns&org=%C3%BC');
  });

  it.each([
    ['http://localhost:8086', true],
    ['http://127.0.0.1', true],
    ['http://[::1]:1', true],
    ['https://db.example.org', false],
  ])('knows that %s is on this machine: %s', (url, isHere) => {
    expect(isLoopback(url)).toBe(isHere);
  });
});
