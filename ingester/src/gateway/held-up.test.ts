import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { prepareJoblens, until } from '../testing/joblens.js';
import { SECRET, type StartedGateway, startGateway } from './testing/started-gateway.js';

const MIB = 1 << 20;
const AS_BOB = `Host: x\r\nX-Joblens-Secret: ${SECRET}\r\nX-Grafana-User: bob\r\n`;

/** A store whose answers about `job_log` have this many MiB; those about `job_text` never end, and say nothing more. */
class FakeStore {
  mebibytes = 400;
  hasBegun = false;
  readonly endless = new Set<ServerResponse>();
  #server: Server | undefined;

  async start(): Promise<string> {
    const server = createServer((request, response) => void this.#answer(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/ping') {
      response.writeHead(204, { 'x-influxdb-version': '1.8.10' }).end();
      return;
    }
    let body = '';
    for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) body += chunk;
    const q = new URLSearchParams(body).get('q') ?? '';
    response.writeHead(200, { 'content-type': 'application/json' });
    if (q.includes('job_text')) {
      this.endless.add(response);
      response.on('close', () => this.endless.delete(response));
      response.write('{');
      return;
    }
    this.hasBegun ||= q.includes('job_log');
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const part = Buffer.alloc(MIB, ' ');
    for (let sent = 0; q.includes('job_log') && sent < this.mebibytes && !response.destroyed; sent += 1) {
      if (response.write(part)) continue;
      await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
    }
    response.end('{"results":[{"statement_id":0}]}');
  }
}

describe('joblens gateway that somebody holds up', () => {
  const joblens = prepareJoblens();
  const store = new FakeStore();
  let gateway: StartedGateway;
  beforeAll(async () => {
    gateway = await startGateway(joblens, await store.start());
  });
  afterAll(async () => {
    await gateway.stop();
    store.stop();
    joblens.remove();
  });

  /** A connection that has sent this, and reads nothing until it is told to. */
  function open(text: string): Socket {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(text);
    return socket;
  }
  const get = (measurement: string): string =>
    `GET /query?q=SELECT+line+FROM+${measurement} HTTP/1.1\r\nConnection: close\r\n${AS_BOB}\r\n`;
  const readAll = async (socket: Socket): Promise<{ readonly head: string; readonly bytes: number }> => {
    let [head, bytes] = ['', 0];
    socket.on('data', (chunk: Buffer) => {
      head ||= chunk.toString('latin1', 0, 400);
      bytes += chunk.length;
    });
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
    return { head, bytes };
  };
  const answers = async (user: string): Promise<number> => (await gateway.ask(user, 'SHOW DATABASES')).status;
  const answersOfStore = async (user: string): Promise<number> =>
    (await gateway.ask(user, 'SELECT "state" FROM "job"')).status;

  test('passes a long answer on without holding it, though its client is slow to read', async () => {
    const slow = open(get('job_log'));
    slow.pause();
    await until(() => store.hasBegun);
    expect(await answersOfStore('ann')).toBe(200);
    slow.resume();
    expect((await readAll(slow)).bytes).toBeGreaterThan(store.mebibytes * MIB);
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${gateway.process.pid}/status`, 'latin1'));
    expect(Number(peak?.[1]) / 1024).toBeLessThan(store.mebibytes - 50);
  });

  test('answers others while one user reads none of as many answers as they may ask for', async () => {
    const held = Array.from({ length: 64 }, () => open(get('job_text')));
    await until(() => store.endless.size === held.length);
    expect((await gateway.ask('bob', 'SHOW MEASUREMENTS')).status).toBe(429);
    expect(await answersOfStore('ann')).toBe(200);
    for (const socket of held) socket.destroy();
    // The store is not left working for clients that have gone.
    await until(() => store.endless.size === 0);
    expect(await answersOfStore('bob')).toBe(200);
  });

  test.each([
    ['a request whose head never ends', 'GET /query HTTP/1.1\r\nX: ', 'a'],
    [
      'a body that never ends',
      `POST /query HTTP/1.1\r\n${AS_BOB}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n`,
      '',
    ],
  ])('lets go of a client with %s', async (_what, begin, more) => {
    const socket = open(begin);
    const trickle = setInterval(() => socket.write(more), 200);
    const { head } = await readAll(socket);
    clearInterval(trickle);
    expect(head).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
    expect(await answers('ann')).toBe(200);
  });

  test('refuses a body beyond its limit that says no length', async () => {
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    const form = 'Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n';
    const socket = open(`POST /query HTTP/1.1\r\n${AS_BOB}${form}\r\n${chunk.repeat(20)}`);
    let said = '';
    socket.on('data', (part: Buffer) => (said += part.toString()));
    await until(() => said.includes('(rule large-body)'));
    expect(said).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  test('answers beside thousands of idle connections', async () => {
    const idle = Array.from({ length: 2000 }, () => open(''));
    const closed = new Set<Socket>();
    for (const socket of idle) socket.once('close', () => closed.add(socket)).resume();
    await until(() => closed.size >= 1500);
    expect(await answers('ann')).toBe(200);
    for (const socket of idle) socket.destroy();
  });
});
