import { randomBytes } from 'node:crypto';
import { request, type IncomingHttpHeaders } from 'node:http';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { createServer } from './server.js';

const TOKEN = 'ab'.repeat(32);
const HOST = '127.0.0.1:3400';
const PROXY = '/api/datasources/proxy/uid/joblens';
const PAGE = `<html>${'x'.repeat(2000)}</html>`;

const HOUR_MS = 3_600_000;

let nowMs = 1_000_000_000_000;
let folder: string;
let server: FastifyInstance;
let port: number;

function createTestServer(): Promise<FastifyInstance> {
  return createServer({
    token: TOKEN,
    tokenPath: '/home/ann/state/<token>',
    randomBytes,
    monotonicMs: () => nowMs,
    pageFolder: join(folder, 'page'),
    pluginFolder: join(folder, 'plugin'),
    dashboardsFolder: join(folder, 'dashboards'),
    readInfo: () => ({ storePath: 'S', tokenPath: 'T', logCommand: 'C' }),
    registerInfluxApi: (scope, { isAuthorized, isReadOnly }) => {
      scope.get('/ping', (_request, reply) => reply.code(204).send());
      scope.route({
        method: ['GET', 'POST'],
        url: '/query',
        handler: (request, reply) =>
          isAuthorized(request) ? { results: [], isReadOnly } : reply.code(401).send({ error: 'no' }),
      });
      scope.post('/write', (request, reply) => reply.code(isAuthorized(request) ? 204 : 401).send());
      scope.post('/api/v2/write', (request, reply) => reply.code(isAuthorized(request) ? 204 : 401).send());
    },
  });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'joblens-server-'));
  await mkdir(join(folder, 'page', 'public', 'build'), { recursive: true });
  await mkdir(join(folder, 'plugin', 'img'), { recursive: true });
  await mkdir(join(folder, 'dashboards'));
  await writeFile(join(folder, 'page', 'index.html'), PAGE);
  await writeFile(join(folder, 'page', 'public', 'build', 'main-ABCD2345.js'), `//${'y'.repeat(2000)}`);
  await writeFile(join(folder, 'plugin', 'img', 'logo.svg'), '<svg/>');
  await writeFile(join(folder, 'secret'), 'secret');
  await writeFile(join(folder, 'dashboards', 'jobs.json'), '{"uid":"joblens-jobs","title":"Jobs","panels":[]}');
  await writeFile(join(folder, 'dashboards', 'broken.json'), '{');
  server = await createTestServer();
  port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

interface Answer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawPayload: Buffer;
  readonly body: string;
  json(): unknown;
}

/** Sends a request with headers that fetch would not allow. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { host: HOST, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const rawPayload = Buffer.concat(chunks);
        const body = rawPayload.toString('utf8');
        resolve({
          statusCode: response.statusCode ?? 0,
          headers: response.headers,
          rawPayload,
          body,
          json: () => JSON.parse(body) as unknown,
        });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

async function login(host = HOST): Promise<{ cookie: string }> {
  const response = await ask(`/?token=${TOKEN}`, { host });
  return { cookie: String(response.headers['set-cookie']).split(';')[0] ?? '' };
}

describe('the token', () => {
  it('in the address becomes a cookie for the page alone, and leaves the address', async () => {
    const response = await ask(`/d/joblens-job?var-job=a%26b&token=${TOKEN}`);
    expect(response.statusCode).toBe(302);
    expect(response.headers.location).toBe('/d/joblens-job?var-job=a%26b');
    expect(response.headers['set-cookie']?.[0]).toMatch(
      /^joblens_session_3400=[0-9a-f]{64}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Strict$/
    );
    expect(String(response.headers['set-cookie'])).not.toContain(TOKEN);
    expect((await ask('/', await login())).body).toBe(PAGE);
  });

  it('does not send the browser to another site', async () => {
    expect((await ask(`//evil.example/x?token=${TOKEN}`)).headers.location).toMatch(/^\/[^/]/);
  });

  it.each([
    ['no token', '/', {}],
    ['a wrong token', `/?token=${'0'.repeat(64)}`, {}],
    ['a token that is too short', `/?token=${TOKEN.slice(1)}`, {}],
    ['a wrong cookie', '/', { cookie: `joblens_session_3400=${'0'.repeat(64)}` }],
    ['the token itself as cookie', '/', { cookie: `joblens_session_3400=${TOKEN}` }],
    ['a dashboard', '/api/dashboards/uid/joblens-jobs', {}],
    ['a plugin file', '/public/plugins/joblens-app/img/logo.svg', {}],
    ['an unknown path', '/nothing', {}],
  ])('is asked for: %s', async (_name, url, headers) => {
    const response = await ask(url, headers);
    expect(response.statusCode).toBe(401);
    expect(response.body).toContain('/home/ann/state/&#60;token&#62;');
  });

  it('of this Joblens is found among cookies that another port has set', async () => {
    const { cookie } = await login();
    expect((await ask('/', { cookie: `a=b; joblens_session_3400=other; ${cookie}` })).statusCode).toBe(200);
  });
});

describe('the session of a page', () => {
  it('is another one at each login', async () => {
    expect((await login()).cookie).not.toBe((await login()).cookie);
  });

  it('ends after a day', async () => {
    const session = await login();
    nowMs += 23 * HOUR_MS;
    expect((await ask('/', session)).statusCode).toBe(200);
    nowMs += HOUR_MS;
    expect((await ask('/', session)).statusCode).toBe(401);
    expect((await ask(`${PROXY}/query?q=x`, session)).statusCode).toBe(401);
  });

  it('ends with the server', async () => {
    const session = await login();
    await server.close();
    server = await createTestServer();
    port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port);
    expect((await ask('/', session)).statusCode).toBe(401);
  });

  it('is named by the port that the browser sees, so that those of two servers do not overwrite each other', async () => {
    const host = 'localhost:8080';
    const [left, right] = [await login(), await login(host)];
    const both = { cookie: `${left.cookie}; ${right.cookie}` };
    expect(both.cookie).toMatch(/^joblens_session_3400=\w+; joblens_session_8080=\w+$/);
    expect((await ask('/', both)).statusCode).toBe(200);
    expect((await ask('/', { ...both, host })).statusCode).toBe(200);
    expect((await ask('/', { cookie: both.cookie.replace('8080', '9090'), host })).statusCode).toBe(401);
  });
});

describe('the store API', () => {
  it.each([
    ['Token', `Token ${TOKEN}`, 200],
    ['Bearer', `Bearer ${TOKEN}`, 200],
    ['Basic, as password', `Basic ${Buffer.from(`ann:${TOKEN}`).toString('base64')}`, 200],
    ['a wrong Token', 'Token x', 401],
    ['Basic with a wrong password', `Basic ${Buffer.from('ann:x').toString('base64')}`, 401],
    ['an empty header', '', 401],
  ])('at the root takes %s', async (_name, authorization, status) => {
    expect((await ask('/query?q=x', { authorization })).statusCode).toBe(status);
  });

  it('at the root takes the password parameter of InfluxDB 1.x', async () => {
    expect((await ask(`/query?q=x&u=ann&p=${TOKEN}`)).statusCode).toBe(200);
  });

  it('at the root does not take the cookie of the page', async () => {
    expect((await ask('/query?q=x', await login())).statusCode).toBe(401);
    expect((await ask('/write', await login(), 'POST')).statusCode).toBe(401);
  });

  it.each([`${PROXY}/query`, `${PROXY}/token/query`])('is at %s for the page, as in a Grafana', async (url) => {
    expect((await ask(url)).statusCode).toBe(401);
    expect((await ask(url, await login())).statusCode).toBe(200);
    expect((await ask(url, await login(), 'POST')).statusCode).toBe(200);
  });

  it.each([
    '/write',
    '/%77rite',
    '/writ%65',
    '/api/v2/write',
    '/api/v2/writ%65',
    '/api%2fv2/write',
    '/WRITE',
    '//write',
  ])('does not let the page write, however it spells %s', async (path) => {
    for (const prefix of [PROXY, `${PROXY}/token`]) {
      const { statusCode } = await ask(`${prefix}${path}?db=x`, await login(), 'POST');
      expect([403, 404]).toContain(statusCode);
    }
  });

  it('is read only for the page, and whole for the token', async () => {
    const read = (await ask(`${PROXY}/query?q=x`, await login())).json();
    const whole = (await ask('/query?q=x', { authorization: `Token ${TOKEN}` })).json();
    expect([read, whole]).toEqual([
      { results: [], isReadOnly: true },
      { results: [], isReadOnly: false },
    ]);
  });
});

describe('requests from elsewhere', () => {
  it.each(['127.0.0.1:3400', 'localhost:8080', '[::1]:3400', 'LOCALHOST'])('host %s is this machine', async (host) => {
    expect((await ask('/ping', { host })).statusCode).toBe(204);
  });

  it.each(['evil.example', 'evil.example:3400', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1:3400'])(
    'host "%s" is refused, for the page and the store (DNS rebinding)',
    async (host) => {
      expect((await ask('/ping', { host })).statusCode).toBe(421);
      expect((await ask('/', { ...(await login()), host })).statusCode).toBe(421);
    }
  );

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ["another user's page on this machine", { origin: 'http://127.0.0.1:9999' }],
    ['a page without origin', { origin: 'null' }],
    ["an image on another port's page", { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
    ['a script of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ])('%s may not ask with the cookie of the user', async (_name, headers) => {
    expect((await ask(`${PROXY}/query`, { ...(await login()), ...headers }, 'POST')).statusCode).toBe(403);
  });

  it('the page itself and a link to it may', async () => {
    const session = await login();
    expect((await ask(`${PROXY}/query`, { ...session, origin: `http://${HOST}` }, 'POST')).statusCode).toBe(200);
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await ask('/', { ...session, ...link })).statusCode).toBe(200);
  });
});

it.each(['//', '//?token=x', '/\\\\'])('%s is no address', async (path) => {
  expect((await ask(path, await login())).statusCode).toBe(400);
});

describe('files', () => {
  it.each(['/', '/about', '/d/joblens-job', '/d/joblens-job/slug?var-job=1'])(
    '%s is the page, with a policy',
    async (url) => {
      const response = await ask(url, await login());
      expect(response.body).toBe(PAGE);
      expect(response.headers['content-security-policy']).toContain("default-src 'self'");
      expect(response.headers['cache-control']).toBe('no-cache');
    }
  );

  it('are gzipped for who takes that, and keep for ever when their name has a hash', async () => {
    const headers = { ...(await login()), 'accept-encoding': 'gzip, br' };
    const response = await ask('/public/build/main-ABCD2345.js', headers);
    expect(response.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'private, max-age=31536000, immutable',
    });
    expect(gunzipSync(response.rawPayload).toString()).toBe(`//${'y'.repeat(2000)}`);
  });

  it('are not sent twice to who has them', async () => {
    const session = await login();
    const { etag } = (await ask('/', session)).headers;
    expect((await ask('/', { ...session, 'if-none-match': String(etag) })).statusCode).toBe(304);
  });

  it('come from the gzip beside them only while that is not older', async () => {
    const headers = { ...(await login()), 'accept-encoding': 'gzip' };
    const path = join(folder, 'page', 'index.html');
    await writeFile(`${path}.gz`, gzipSync('built'));
    expect(gunzipSync((await ask('/', headers)).rawPayload).toString()).toBe('built');
    const later = new Date(Date.now() + 5000);
    await writeFile(path, 'new'.repeat(1000));
    await utimes(path, later, later);
    expect(gunzipSync((await ask('/', headers)).rawPayload).toString()).toBe('new'.repeat(1000));
  });

  it.each([
    '/public/build/none.js',
    '/public/build/..%2f..%2f..%2f..%2fsecret',
    '/public/plugins/joblens-app/..%2f..%2fsecret',
    '/public/plugins/joblens-app/%2e%2e/%2e%2e/secret',
    '/public/build',
  ])('%s is not there', async (url) => {
    const response = await ask(url, await login());
    expect(response.statusCode).toBe(404);
    expect(response.body).not.toBe('secret');
  });

  it('lists and gives dashboards, a broken file aside', async () => {
    const session = await login();
    expect((await ask('/api/search', session)).json()).toEqual([
      { uid: 'joblens-jobs', title: 'Jobs', url: '/d/joblens-jobs' },
    ]);
    expect((await ask('/api/dashboards/uid/joblens-jobs', session)).json()).toEqual({
      dashboard: { uid: 'joblens-jobs', title: 'Jobs', panels: [] },
    });
    expect((await ask('/api/dashboards/uid/none', session)).statusCode).toBe(404);
  });

  it('tells the page how to log a job', async () => {
    expect((await ask('/api/standalone', await login())).json()).toEqual({
      storePath: 'S',
      tokenPath: 'T',
      logCommand: 'C',
    });
  });
});
