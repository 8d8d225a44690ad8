import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import fastify from 'fastify';
import { createStore, registerInfluxApi, type Store } from './index.js';

/** A program that serves a store, to run in a process of its own that can be killed as by a crash. */
const SERVER = `
import fastify from 'fastify';
import { createStore, registerInfluxApi } from './index.ts';
const store = await createStore(process.argv[2]);
await store.createDatabase('d');
const server = fastify({ logger: false });
await registerInfluxApi(server, store, { isAuthorized: () => true });
console.log(await server.listen({ host: '127.0.0.1', port: 0 }));
`;

interface RunningServer {
  readonly url: string;
  kill(): Promise<void>;
}

async function startServer(bundlePath: string, storePath: string): Promise<RunningServer> {
  const child = spawn(process.execPath, [bundlePath, storePath], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
    child.once('exit', (code) => reject(new Error(`The server ended with code ${String(code)} before it listened`)));
  });
  return {
    url,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

describe('a store whose process is killed', () => {
  let folder: string;
  let bundlePath: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'joblens-store-'));
    bundlePath = join(__dirname, `../../../node_modules/.cache/joblens-store-server-${process.pid}.mjs`);
    await build({
      stdin: { contents: SERVER, resolveDir: __dirname, loader: 'ts' },
      outfile: bundlePath,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      alias: { '@joblens/core': join(__dirname, '../../../core/src') },
      logLevel: 'error',
    });
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await rm(bundlePath, { force: true });
  });

  it('has every point for which it answered 204, and goes on', async () => {
    const storePath = join(folder, 'killed.duckdb');
    let acknowledged = 0;
    for (let round = 0; round < 4; round += 1) {
      const server = await startServer(bundlePath, storePath);
      const killAt = acknowledged + 20 + 10 * round;
      let killed: Promise<void> | undefined;
      for (;;) {
        if (acknowledged === killAt) killed ??= killAfter(server, 5 * round);
        const next = acknowledged + 1;
        // Each request writes a new point and rewrites the live one: the kill comes amid both appends and rewrites.
        const body = `log,job=1 line="line ${next}" ${next}\nlive,job=1 n=${next} 1`;
        const answer = await fetch(`${server.url}/write?db=d`, { method: 'POST', body }).catch(() => undefined);
        if (answer?.status !== 204) break;
        acknowledged = next;
      }
      await killed;
    }
    expect(acknowledged).toBeGreaterThanOrEqual(140);
    const store = await createStore(storePath);
    const rows = await queryValues(store, 'SELECT count(line) FROM log; SELECT n FROM live');
    const [counts, lives] = rows;
    // The last request of each round may be stored although its answer never came: so never fewer, and at most one
    // more.
    expect(counts?.[0]?.[1]).toBeGreaterThanOrEqual(acknowledged);
    expect(counts?.[0]?.[1]).toBeLessThanOrEqual(acknowledged + 1);
    expect(lives).toHaveLength(1);
    expect(lives?.[0]?.[1]).toBeGreaterThanOrEqual(acknowledged);
    await store.close();
  });
});

async function killAfter(server: { kill(): Promise<void> }, delayMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  await server.kill();
}

async function queryValues(store: Store, text: string): Promise<(unknown[][] | undefined)[]> {
  const server = fastify({ logger: false });
  await registerInfluxApi(server, store, { isAuthorized: () => true });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const answer = await fetch(`${url}/query?db=d&q=${encodeURIComponent(text)}`);
  const { results } = (await answer.json()) as { results: { series?: { values: unknown[][] }[] }[] };
  await server.close();
  return results.map(({ series }) => series?.[0]?.values);
}
