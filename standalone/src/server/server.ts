import { isForeignOrigin, isLocalHost } from '@joblens/ingester/http-access';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createAccess, type Access, type AccessOptions } from './access.js';
import { readDashboards } from './dashboards.js';
import { loginPage } from './login-page.js';
import { StaticFiles } from './static-files.js';

/** The path on which Grafana forwards requests to the data source that the dashboards name by uid. */
const PROXY_PATH = '/api/datasources/proxy/uid/joblens';
const PLUGIN_PATH = '/public/plugins/joblens-app/';
const BODY_LIMIT_BYTES = 64 * 1024 * 1024;
/** Node's own limit for the time that a request takes to arrive. fastify removes it. */
const REQUEST_TIMEOUT_MS = 300_000;

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The facts about this installation that the page shows. */
export interface ServerInfo {
  readonly storePath: string;
  readonly tokenPath: string;
  /** Shell lines that log the user's own job; filled in when the port is known. */
  readonly logCommand: string;
}

export interface ServerOptions {
  readonly token: string;
  readonly tokenPath: string;
  readonly pageFolder: string;
  readonly pluginFolder: string;
  readonly dashboardsFolder: string;
  readonly readInfo: () => ServerInfo;
  readonly randomBytes: AccessOptions['randomBytes'];
  readonly monotonicMs: AccessOptions['monotonicMs'];
  /** Adds InfluxDB's HTTP API to a scope of the server. */
  readonly registerInfluxApi: (scope: FastifyInstance, guard: InfluxApiGuard) => void | Promise<void>;
}

export interface InfluxApiGuard {
  readonly isAuthorized: (request: FastifyRequest) => boolean;
  /** Whether requests that change the store are refused. */
  readonly isReadOnly: boolean;
}

/** Serves everything on one port of 127.0.0.1: the page, its plugin and dashboards, and the store's HTTP API. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const access = createAccess(options);
  const server = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    exposeHeadRoutes: true,
  });
  server.addHook('onRequest', async (request, reply) => {
    if (!isLocalHost(request.headers.host)) {
      return reply.code(421).type('text/plain').send('Joblens answers to 127.0.0.1 and localhost only.\n');
    }
    if (isForeignOrigin(request.headers) && !isPlainNavigation(request)) {
      return reply.code(403).type('text/plain').send('Joblens accepts no requests from pages of other origins.\n');
    }
    if (!URL.canParse(request.url, 'http://localhost')) {
      return reply.code(400).type('text/plain').send('The address is not valid.\n');
    }
    return undefined;
  });
  await server.register(async (scope) => {
    await options.registerInfluxApi(scope, { isAuthorized: (request) => access.hasToken(request), isReadOnly: false });
  });
  for (const prefix of [PROXY_PATH, `${PROXY_PATH}/token`]) {
    await server.register(
      async (scope) => {
        scope.addHook('onRequest', (request, reply) => allowReads(request, reply, prefix));
        const isAuthorized = (request: FastifyRequest): boolean => access.hasSession(request);
        await options.registerInfluxApi(scope, { isAuthorized, isReadOnly: true });
      },
      { prefix }
    );
  }
  await server.register((scope) => registerPage(scope, options, access));
  return server;
}

/** A link on another site may open the page: that is a top-level GET, and the other site cannot read the answer. */
function isPlainNavigation(request: FastifyRequest): boolean {
  return request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate';
}

/** The routes of the API that the page needs. Its cookie must not allow writing. */
const READ_ROUTES = ['/ping', '/health', '/query'];

/** Compares the matched route, not the path as sent: `/%77rite` is a spelling of `/write`. */
async function allowReads(
  request: FastifyRequest,
  reply: FastifyReply,
  prefix: string
): Promise<FastifyReply | undefined> {
  const route = request.routeOptions.url?.slice(prefix.length) ?? '';
  if (READ_ROUTES.includes(route)) return undefined;
  return reply.code(403).send({ error: 'the data source path only reads: write to /write with the token' });
}

function registerPage(scope: FastifyInstance, options: ServerOptions, access: Access): void {
  const page = new StaticFiles(options.pageFolder);
  const plugin = new StaticFiles(options.pluginFolder);
  scope.addHook('onRequest', (request, reply) => requireSession(request, reply, options, access));
  scope.get('/', (request, reply) => sendIndex(page, request, reply));
  scope.get('/d/*', (request, reply) => sendIndex(page, request, reply));
  scope.get('/about', (request, reply) => sendIndex(page, request, reply));
  scope.get<{ Params: { '*': string } }>('/public/*', (request, reply) =>
    page.send(request, reply, `public/${request.params['*']}`)
  );
  scope.get<{ Params: { '*': string } }>(`${PLUGIN_PATH}*`, (request, reply) =>
    plugin.send(request, reply, request.params['*'])
  );
  scope.get('/favicon.ico', (request, reply) => plugin.send(request, reply, 'img/logo.svg'));
  scope.get('/api/standalone', () => options.readInfo());
  scope.get('/api/search', async () =>
    (await readDashboards(options.dashboardsFolder)).map(({ uid, title }) => ({ uid, title, url: `/d/${uid}` }))
  );
  scope.get<{ Params: { uid: string } }>('/api/dashboards/uid/:uid', async (request, reply) => {
    const { uid } = request.params;
    const found = (await readDashboards(options.dashboardsFolder)).find((file) => file.uid === uid);
    if (found === undefined) return reply.code(404).send({ message: `There is no dashboard with the uid ${uid}.` });
    return { dashboard: found.dashboard };
  });
  scope.get('/*', (_request, reply) => reply.code(404).type('text/plain; charset=utf-8').send('Not found\n'));
}

function sendIndex(page: StaticFiles, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('referrer-policy', 'same-origin')
    .header('x-content-type-options', 'nosniff');
  return page.send(request, reply, 'index.html');
}

async function requireSession(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions,
  access: Access
): Promise<FastifyReply | undefined> {
  const url = new URL(request.url, 'http://localhost');
  const token = url.searchParams.get('token');
  if (token !== null && access.isToken(token)) {
    // The redirect removes the token from the address bar and the history at once.
    url.searchParams.delete('token');
    return reply
      .header('set-cookie', access.openSession(request))
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .redirect(url.pathname.replace(/^\/+/, '/') + url.search, 302);
  }
  if (access.hasSession(request)) return undefined;
  return reply
    .code(401)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(loginPage({ tokenPath: options.tokenPath, isWrongToken: token !== null }));
}
