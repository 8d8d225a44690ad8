import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { createStore, registerInfluxApi } from './index.js';
import type { Store } from './index.js';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

describe("the store's HTTP API where InfluxDB 1.6 has nothing to compare with", () => {
  let folder: string;
  let store: Store;
  let server: FastifyInstance;
  let url: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'joblens-store-'));
    store = await createStore(join(folder, 'store.duckdb'));
    await store.createDatabase('d');
    server = fastify({ logger: false });
    await registerInfluxApi(server, store, {
      isAuthorized: (request) => request.headers.authorization === 'Token secret',
      nowNs: () => 1_000_000_000n,
    });
    url = await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await server.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const send = async (method: string, path: string, headers = {}, body?: string | Buffer): Promise<Answer> => {
    const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const authorized = { authorization: 'Token secret' };
  const write = (path: string, body: string | Buffer, headers = {}): Promise<Answer> =>
    send('POST', path, { ...authorized, ...headers }, body);
  const query = async (text: string): Promise<unknown> => {
    const answer = await send('GET', `/query?db=d&epoch=ns&q=${encodeURIComponent(text)}`, authorized);
    return JSON.parse(answer.body);
  };

  it.each([
    ['GET', '/query?q=SHOW+DATABASES', '{"error":"authorization failed"}\n'],
    ['POST', '/query', '{"error":"authorization failed"}\n'],
    ['POST', '/write?db=d', '{"error":"authorization failed"}\n'],
    ['POST', '/api/v2/write?bucket=d', '{"code":"unauthorized","message":"unauthorized access"}\n'],
  ] as const)('%s %s without the token is 401', async (method, path, body) => {
    const answer = await send(method, path);
    expect([answer.status, answer.body]).toEqual([401, body]);
  });

  it('answers /ping and /health to everyone', async () => {
    const ping = await send('GET', '/ping');
    expect([ping.status, ping.headers.get('x-influxdb-build')]).toEqual([204, 'joblens']);
    expect(ping.headers.get('x-influxdb-version')).toMatch(/^1\.8/);
    expect(JSON.parse((await send('GET', '/health')).body)).toMatchObject({ status: 'pass' });
  });

  it.each([
    ['/api/v2/write?org=o&bucket=d', 'v2 x=1 1', 204, undefined],
    ['/api/v2/write?org=o&bucket=d/autogen&precision=s', 'v2 x=1 1', 204, undefined],
    ['/api/v2/write?org=o', 'v2 x=1 1', 400, { code: 'invalid', message: 'bucket is required' }],
    ['/api/v2/write?bucket=no', 'v2 x=1 1', 404, { code: 'not found', message: 'bucket "no" not found' }],
    [
      '/api/v2/write?bucket=d&precision=h',
      'v2 x=1 1',
      400,
      { code: 'invalid', message: 'invalid precision; valid precision units are ns, us, ms, and s' },
    ],
    ['/api/v2/write?bucket=d', 'bad', 400, { code: 'invalid', message: "unable to parse 'bad': missing fields" }],
    [
      '/api/v2/write?bucket=d',
      'v2 x="s" 1',
      422,
      {
        code: 'unprocessable entity',
        message:
          'partial write: field type conflict: input field "x" on measurement "v2" is type string, already exists as type float dropped=1',
      },
    ],
  ])('%s with %j gives %d', async (path, body, status, expected) => {
    const answer = await write(path, body);
    expect(answer.status).toBe(status);
    if (expected) expect(JSON.parse(answer.body)).toEqual(expected);
  });

  it('refuses a body that is not gzip, and one that unpacks to more than it takes', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    const broken = await write('/write?db=d', 'not gzip', gzip);
    expect([broken.status, broken.body]).toEqual([400, expect.stringContaining('cannot read the gzip body')]);
    const bomb = await write('/write?db=d', gzipSync(Buffer.alloc(120_000_000, 0x20)), gzip);
    expect([bomb.status, bomb.body]).toEqual([413, '{"error":"Request Entity Too Large"}\n']);
  });

  it.each([
    ['SELECT mean(x) FROM (SELECT x FROM v2)', /subqueries are not supported/],
    ['DELETE FROM v2', /not supported/],
    ['SELECT x FROM v2 WHERE x =~ /(/', undefined],
    [`SELECT x FROM v2 WHERE job =~ /(/`, /invalid regular expression/],
    [`SELECT count(x) FROM v2 WHERE time > 0 AND time < 1d GROUP BY time(1ns)`, /max-select-buckets limit exceeded/],
  ])('says what it cannot do: %s', async (text, message) => {
    const answer = (await query(text)) as { error?: string; results?: { error?: string }[] };
    const error = answer.error ?? answer.results?.[0]?.error;
    expect(error).toMatch(message ?? /./);
  });

  it('goes on with the other statements after one that failed', async () => {
    expect(await query('SHOW TAG VALUES ON no WITH KEY = a; SELECT x FROM no..m; SHOW DATABASES')).toEqual({
      results: [
        { statement_id: 0 },
        { statement_id: 1, error: 'database not found: no' },
        { statement_id: 2, series: [{ name: 'databases', columns: ['name'], values: [['d']] }] },
      ],
    });
  });

  it('keeps SQL in names and values as text', async () => {
    const name = `a'; DROP TABLE series; --"`;
    const line = `${name.replace(/[ ,]/g, '\\$&')},job=${name.replace(/[ ,=]/g, '\\$&')} f="${name.replaceAll('"', '\\"')}" 1`;
    expect((await write('/write?db=d', line)).status).toBe(204);
    const text = `SELECT f FROM "${name.replaceAll('"', '\\"')}" WHERE job = '${name.replaceAll("'", "\\'")}'`;
    expect(await query(text)).toMatchObject({ results: [{ series: [{ name, values: [[1, name]] }] }] });
  });
});
