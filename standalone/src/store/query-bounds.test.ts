// Runs alone: it measures how long others wait for a query that keeps a processor busy.
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { createStore, registerInfluxApi, type Store } from './index.js';

const FIELDS = Array.from({ length: 40 }, (_, i) => `f${i}`);
const JOBS = 10;
const MEANS = FIELDS.map((name) => `mean(${name})`).join(', ');
/** 40 columns of 86,400 buckets for each of ten jobs. */
const HEAVY = `SELECT ${MEANS} FROM m WHERE time >= 0 AND time < 1d GROUP BY time(1s), * fill(0)`;
const TIMEOUT_MS = 3000;

describe('a query that asks for too much', () => {
  let folder: string;
  let store: Store;
  const servers: FastifyInstance[] = [];
  let url: string;
  let hastyUrl: string;

  const serve = async (queryTimeoutMs?: number): Promise<string> => {
    const server = fastify({ logger: false, forceCloseConnections: true });
    const timeout = queryTimeoutMs === undefined ? {} : { queryTimeoutMs };
    await registerInfluxApi(server, store, { isAuthorized: () => true, ...timeout });
    servers.push(server);
    return server.listen({ host: '127.0.0.1', port: 0 });
  };
  const ask = async (text: string, at = url): Promise<string> =>
    (await fetch(`${at}/query?db=d&q=${encodeURIComponent(text)}`)).text();
  const write = (body: string): Promise<Response> => fetch(`${url}/write?db=d`, { method: 'POST', body });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'joblens-store-'));
    store = await createStore(join(folder, 'store.duckdb'));
    await store.createDatabase('d');
    url = await serve();
    hastyUrl = await serve(TIMEOUT_MS);
    const lines = Array.from({ length: JOBS * 100 }, (_, i) => {
      const fields = FIELDS.map((name) => `${name}=${i}`).join(',');
      return `m,job=j${i % JOBS} ${fields} ${i * 80}000000000`;
    });
    expect((await write(lines.join('\n'))).status).toBe(204);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['buckets of one column', 'SELECT count(f0) FROM m WHERE time >= 0 AND time < 1d GROUP BY time(1ns)'],
    [
      'buckets of one column, descending',
      'SELECT sum(f0) FROM m WHERE time >= 0 AND time < 1d GROUP BY time(1ns) fill(0) ORDER BY time DESC',
    ],
    ['cells of all columns and groups', HEAVY],
  ])('is told which limit it exceeds: %s', async (_name, text) => {
    expect((await ask(text)).slice(-200)).toMatch(
      /"error":"max-select-buckets limit exceeded: \(\d+\/10{6,7}\)"}]}\n$/
    );
  });

  it('lets others write and read meanwhile', async () => {
    const running = new AbortController();
    const heavyMs = performance.now();
    const ended = ask(HEAVY).finally(() => running.abort());
    let slowestMs = 0;
    for (let i = 0; !running.signal.aborted; i += 1) {
      const startMs = performance.now();
      expect((await write(`other x=${i} ${i}`)).status).toBe(204);
      expect(await ask('SELECT last(x) FROM other')).toContain(`,${i}]]`);
      slowestMs = Math.max(slowestMs, performance.now() - startMs);
    }
    await ended;
    // The heavy one alone keeps a processor busy for seconds, and more of them on a busy machine.
    expect(slowestMs).toBeLessThan((performance.now() - heavyMs) / 2);
  });

  it('ends when it takes too long, with the rows that it has', async () => {
    const answer = await ask(Array.from({ length: 20 }, () => HEAVY).join('; '), hastyUrl);
    expect(answer).toContain('"values":[[');
    expect(answer.slice(-100)).toMatch(/"error":"query-timeout limit exceeded"}]}\n$/);
  });

  it('loses its connection, and leaves its place to others, when nobody reads the answer', async () => {
    const { port } = new URL(hastyUrl);
    const lazy = Array.from({ length: 4 }, () => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`GET /query?db=d&q=${encodeURIComponent(HEAVY)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      return socket.pause();
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const startMs = performance.now();
    expect(await ask('SELECT last(f0) FROM m')).toContain('values');
    expect(performance.now() - startMs).toBeLessThan(TIMEOUT_MS + 15_000);
    lazy.forEach((socket) => socket.destroy());
  });

  it('ends when its client goes', async () => {
    const clients = Array.from({ length: 6 }, () => new AbortController());
    const asked = clients.map(({ signal }) =>
      fetch(`${url}/query?db=d&q=${encodeURIComponent(HEAVY)}`, { signal }).then((answer) => answer.text())
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    clients.forEach((client) => client.abort());
    await Promise.allSettled(asked);
    expect(await ask('SELECT last(f0) FROM m')).toContain('values');
  });
});
