import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createServer, type InfluxApiGuard } from '../../standalone/src/server/server.js';
import { createStore, registerInfluxApi } from '../../standalone/src/store/index.js';
import { startInfluxdb } from '../influxdb.js';

export const ROOT = join(__dirname, '..', '..');
const TOKEN = 'a-token-of-the-tests';

/** A store, and the page that shows what is in it. */
export interface Stack {
  /** Where `joblens` writes to. */
  readonly influxHost: string;
  readonly token: string | undefined;
  readonly pageUrl: string;
  readonly folder: string;
  stop(): Promise<void>;
}

/** Writes line protocol into the stack's store. */
export async function writePoints({ influxHost, token }: Stack, lines: string): Promise<void> {
  const answer = await fetch(`${influxHost}/write?db=joblens`, {
    method: 'POST',
    headers: token === undefined ? {} : { authorization: `Token ${token}` },
    body: lines,
  });
  if (answer.status !== 204) throw new Error(`The store refused the points: ${await answer.text()}`);
}

type RegisterApi = (scope: FastifyInstance, guard: InfluxApiGuard) => void | Promise<void>;

/** What the page is made of. */
interface Folders {
  readonly pageFolder: string;
  readonly dashboardsFolder: string;
}

/** The page of `npm start`, and the dashboards that people get. */
const FOLDERS: Folders = {
  pageFolder: join(ROOT, 'standalone/dist/page'),
  dashboardsFolder: join(ROOT, 'dashboards'),
};

async function startPage(
  folder: string,
  register: RegisterApi,
  folders: Partial<Folders> = {}
): Promise<{ url: string; server: FastifyInstance }> {
  const info = { storePath: folder, tokenPath: join(folder, 'token'), logCommand: '' };
  const server = await createServer({
    token: TOKEN,
    tokenPath: info.tokenPath,
    randomBytes,
    monotonicMs: () => performance.now(),
    ...FOLDERS,
    ...folders,
    pluginFolder: join(ROOT, 'plugin/dist'),
    readInfo: () => info,
    registerInfluxApi: register,
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server };
}

/** Without folders, with the page of `npm start` and its dashboards. */
export async function startEmbeddedStack(folders?: Partial<Folders>): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'joblens-whole-way-'));
  const store = await createStore(join(folder, 'store.duckdb'));
  await store.createDatabase('joblens');
  const page = await startPage(folder, (scope, guard) => registerInfluxApi(scope, store, guard), folders);
  return {
    influxHost: page.url,
    token: TOKEN,
    pageUrl: `${page.url}/d/joblens-job?token=${TOKEN}`,
    folder,
    stop: async () => {
      await page.server.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The page in front of a real InfluxDB 1.x: the data source's requests reach it as Grafana's proxy would send them. */
export async function startInfluxdbStack(folders?: Partial<Folders>): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'joblens-whole-way-'));
  const influxdb = await startInfluxdb();
  const page = await startPage(folder, (scope) => forwardQueries(scope, influxdb.url), folders);
  return {
    influxHost: influxdb.url,
    token: undefined,
    pageUrl: `${page.url}/d/joblens-job?token=${TOKEN}`,
    folder,
    stop: async () => {
      await page.server.close();
      await influxdb.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function forwardQueries(scope: FastifyInstance, influxdbUrl: string): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
  scope.route({
    method: ['GET', 'POST'],
    url: '/query',
    handler: async (request, reply) => {
      const search = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
      const answer = await fetch(`${influxdbUrl}/query${search}`, {
        method: request.method,
        ...(typeof request.body === 'string' && {
          body: request.body,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
      });
      return reply
        .code(answer.status)
        .type('application/json')
        .send(await answer.text());
    },
  });
}
