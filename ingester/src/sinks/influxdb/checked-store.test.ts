import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { PointBatch } from '../../queue/point-queue.js';
import { createFakeClock } from '../../testing/fake-clock.js';
import { until } from '../../testing/joblens.js';
import type { Sink } from '../sink.js';
import type { InfluxConnection } from './connection.js';
import { createInfluxdbSink } from './influxdb-sink.js';

const POINTS: PointBatch = { bytes: Buffer.from('m,a=b\\ (c) text="it\'s – here" 1\n'), points: 1 };
const never = new AbortController().signal;

interface Fake {
  readonly url: string;
  /** `METHOD path` of each request, a write of points as `points` and of anything else as `nonsense`. */
  readonly requests: string[];
  readonly sockets: Set<Socket>;
  answer: Answers;
}

/** Answers by what was asked. */
type Answers = (asked: string, response: ServerResponse, request: IncomingMessage) => unknown;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function startFake(answer: Answers): Promise<Fake> {
  const fake = { url: '', requests: [] as string[], sockets: new Set<Socket>(), answer };
  const listener: RequestListener = (request, response) => {
    let body = '';
    fake.sockets.add(request.socket);
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const [path = ''] = (request.url ?? '').split('?');
      const isWrite = request.method === 'POST';
      const asked = isWrite ? (body === POINTS.bytes.toString() ? 'points' : 'nonsense') : path;
      fake.requests.push(asked);
      fake.answer(asked, response, request);
    });
  };
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(fake, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

function connect({ url }: Fake, settings: Partial<InfluxConnection> = {}): Sink {
  const connection = { url, bucket: 'b', api: 'v2' as const, timeoutMs: 10_000, ...settings };
  return createInfluxdbSink(connection, createFakeClock());
}

const say =
  (status: number, body = '', headers: Record<string, string> = {}) =>
  (response: ServerResponse): unknown =>
    response.writeHead(status, headers).end(body);
const json = (status: number, value: unknown): ((response: ServerResponse) => unknown) =>
  say(status, JSON.stringify(value), { 'content-type': 'application/json' });
const portal: Answers = (_asked, response) => say(204)(response);

/** Answers these requests so, and 404 in plain text to others, as Go's servers do. */
const server =
  (answers: Readonly<Record<string, (response: ServerResponse) => unknown>>): Answers =>
  (asked, response) =>
    (answers[asked] ?? say(404, '404 page not found\n', { 'content-type': 'text/plain' }))(response);

const REFUSED = json(400, { error: "unable to parse 'joblens asks': missing fields" });
const BARE = { points: say(204) };

describe('a nameless 204', () => {
  it.each<[name: string, answers: Answers, last: string]>([
    [
      "Telegraf's influxdb_listener",
      server({ ...BARE, '/ping': say(204, '', { 'x-influxdb-version': '1.0' }) }),
      '/ping',
    ],
    [
      "Telegraf's influxdb_v2_listener",
      server({ ...BARE, '/api/v2/ready': json(200, { started: '2026-11-25T19:00:00Z', status: 'ready', up: '1m2s' }) }),
      '/api/v2/ready',
    ],
    [
      'an older one, which is never asked whether it is ready',
      server({ ...BARE, nonsense: json(400, { code: 'internal error', message: 'metric parse error' }) }),
      'nonsense',
    ],
    [
      'VictoriaMetrics before it gave its name',
      server({ ...BARE, nonsense: say(204), '/query': json(200, { results: [{ series: [{ values: [] }] }] }) }),
      '/query',
    ],
    [
      'InfluxDB 1.8 behind a proxy that takes the headers off',
      server({ ...BARE, '/ping': say(204), '/query': json(200, { results: [{ statement_id: 0 }] }) }),
      '/query',
    ],
    [
      'InfluxDB 2.7 behind it, with a token that may only write',
      server({
        ...{
          ...BARE,
          '/ping': say(204),
          '/query': json(401, { code: 'unauthorized', message: 'unauthorized access' }),
        },
        '/health': json(200, { name: 'influxdb', message: 'ready for queries and writes', status: 'pass', checks: [] }),
      }),
      '/health',
    ],
    [
      'InfluxDB 3 behind it',
      server({ ...BARE, '/ping': json(200, { version: '3.4.1', revision: 'abc' }), '/health': say(200, 'OK') }),
      '/ping',
    ],
    ['a proxy that lets writes through alone', server({ ...BARE, nonsense: REFUSED }), 'nonsense'],
    [
      'a store that answers no questions',
      (asked, response) =>
        asked === 'points' ? say(204)(response) : asked === 'nonsense' ? REFUSED(response) : response.destroy(),
      'nonsense',
    ],
  ])('of %s counts once it has shown that it is a store', async (_name, answers, last) => {
    const fake = await startFake(answers);
    const sink = connect(fake);
    expect(await sink.write(POINTS, never)).toEqual({ kind: 'success' });
    expect(fake.requests.at(fake.requests.at(-1) === 'points' ? -2 : -1)).toBe(last);
    await sink.close();
  });

  it.each<[name: string, answers: Answers]>([
    ['who says 204 to everything', portal],
    ['a login page', (asked, response) => (asked === 'points' ? say(204) : say(200, '<html>Log in</html>'))(response)],
    [
      'a way to a login page',
      (asked, response) => (asked === 'points' ? say(204) : say(302, '', { location: '/login' }))(response),
    ],
    [
      'some service',
      server({
        ...BARE,
        '/ping': json(200, { version: '7' }),
        '/query': json(200, { result: [] }),
        '/health': json(200, { status: 'pass' }),
        '/ready': json(200, { status: 'ready' }),
        nonsense: say(400, '<html>Bad Request</html>'),
      }),
    ],
    ['who is silent else', (asked, response) => (asked === 'points' ? say(204)(response) : response.destroy())],
    ['who refuses else', (asked, response) => (asked === 'points' ? say(204) : say(403))(response)],
  ])('of %s does not', async (_name, answers) => {
    const sink = connect(await startFake(answers));
    const outcome = await sink.write(POINTS, never);
    expect(outcome).toMatchObject({ kind: 'retryable', isHeld: true });
    const { message } = outcome as { message: string };
    expect(message).toMatch(
      /^what answers at http:\/\/127\S+ says 204 No Content, but nothing shows that it is a store/
    );
    expect(message).toMatch(/\(asked: \/ping: .*, a line that is no point: .*\); points wait; check that INFLUX_HOST/);
    expect(message).toMatch(/; if it is one, set JOBLENS_UNNAMED_STORE=trust$/);
    expect(outcome).not.toHaveProperty('mayLieInPoints');
    // A reason that stays is said once.
    expect(await sink.write(POINTS, never)).toEqual(outcome);
    await sink.close();
  });

  it('counts without a question where the settings trust it', async () => {
    const fake = await startFake(portal);
    const sink = connect(fake, { trustsUnnamed: true });
    expect(await sink.write(POINTS, never)).toEqual({ kind: 'success' });
    expect(fake.requests).toEqual(['points']);
    await sink.close();
  });
});

describe('the question whether it is a store', () => {
  const store = server({ ...BARE, '/ping': say(204, '', { 'x-influxdb-version': '1.0' }) });

  it('is asked once for each connection', async () => {
    const fake = await startFake(store);
    const sink = connect(fake);
    for (let i = 0; i < 3; i += 1) expect(await sink.write(POINTS, never)).toEqual({ kind: 'success' });
    expect(fake.requests).toEqual(['points', '/ping', 'points', 'points']);
    await cut(fake);
    expect(await sink.write(POINTS, never)).toEqual({ kind: 'success' });
    expect(fake.requests.slice(4)).toEqual(['points', '/ping']);
    await sink.close();
  });

  it('is asked again of who comes after it, over a new connection or after a fault', async () => {
    const fake = await startFake(store);
    const sink = connect(fake);
    expect(await sink.write(POINTS, never)).toEqual({ kind: 'success' });
    await cut(fake);
    fake.answer = portal;
    expect(await sink.write(POINTS, never)).toMatchObject({ isHeld: true });
    fake.answer = store;
    expect(await sink.write(POINTS, never)).toEqual({ kind: 'success' });
    fake.answer = (_asked, response) => say(502)(response);
    expect(await sink.write(POINTS, never)).toMatchObject({ kind: 'retryable' });
    fake.answer = portal;
    expect(await sink.write(POINTS, never)).toMatchObject({ isHeld: true });
    await sink.close();
  });

  it('is answered by who comes after a portal: then the points are sent again', async () => {
    const fake = await startFake((_asked, response, request) => {
      say(204)(response);
      response.once('finish', () => request.socket.destroy());
      fake.answer = store;
    });
    const sink = connect(fake);
    expect(await sink.write(POINTS, never)).toEqual({ kind: 'success' });
    expect(fake.requests).toEqual(['points', '/ping', 'points']);
    await sink.close();
  });

  it('does not double the writes to a store that closes each connection', async () => {
    const fake = await startFake((asked, response, request) => {
      response.setHeader('connection', 'close');
      store(asked, response, request);
    });
    const sink = connect(fake);
    for (let i = 0; i < 2; i += 1) expect(await sink.write(POINTS, never)).toEqual({ kind: 'success' });
    expect(fake.requests).toEqual(['points', '/ping', 'points', '/ping']);
    await sink.close();
  });

  it('is not asked where /ping has told which endpoint to use', async () => {
    const fake = await startFake(store);
    const sink = connect(fake, { api: 'auto' });
    expect(await sink.write(POINTS, never)).toEqual({ kind: 'success' });
    expect(fake.requests).toEqual(['/ping', 'points']);
    await sink.close();
  });

  it('ends when the sender is stopped, which is no news of the store', async () => {
    const fake = await startFake((asked, response) => (asked === 'points' ? say(204)(response) : undefined));
    const stop = new AbortController();
    const sink = connect(fake);
    const writing = sink.write(POINTS, stop.signal);
    await until(() => fake.requests.includes('/ping'));
    stop.abort();
    expect(await writing).toMatchObject({ kind: 'retryable', isCutShort: true });
    expect(fake.requests).toEqual(['points', '/ping']);
    await sink.close();
  });

  /** Cuts the kept connection, and waits until the client has noticed. */
  async function cut({ sockets }: Fake): Promise<void> {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});
