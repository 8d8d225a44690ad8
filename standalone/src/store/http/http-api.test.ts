import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { createStore, registerInfluxApi, type Store } from '../index.js';

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

  it('takes a body of bad lines without end, and names the first of them', async () => {
    const body = gzipSync(`${'bad\n'.repeat(20_000)}good x=1 1\n${'bad\n'.repeat(20_000)}`);
    const answer = await write('/write?db=d', body, { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(400);
    expect(answer.body.length).toBeLessThan(100_000);
    const { error } = JSON.parse(answer.body) as { error: string };
    expect(error).toMatch(
      /^partial write: unable to parse 'bad': missing fields\n.*\(and \d{5} more lines\) dropped=0$/s
    );
    expect(answer.headers.get('x-influxdb-error')?.length).toBeLessThan(1100);
    expect(await query('SELECT x FROM good')).toMatchObject({ results: [{ series: [{ values: [[1, 1]] }] }] });
  });

  it('stores all points of a large body, and counts those that do not fit over all of it', async () => {
    const lines = Array.from({ length: 50_000 }, (_, i) => `large x=${i % 100 === 99 ? '"text"' : i} ${i}`);
    const answer = await write('/write?db=d', lines.join('\n'));
    expect(JSON.parse(answer.body)).toEqual({
      error: expect.stringMatching(/^partial write: .* dropped=500$/) as string,
    });
    expect(await query('SELECT count(x) FROM large')).toMatchObject({
      results: [{ series: [{ values: [[0, 49_500]] }] }],
    });
  });

  it.each([
    ['a query of 2 MB', 413, 'SELECT x FROM m '.padEnd(2_000_000, 'y')],
    ['a query of 5 MB', 413, 'SELECT x FROM m '.padEnd(5_000_000, 'y')],
    ['a long word', 400, 'SELECT x FROM m '.padEnd(900_000, 'y')],
    ['20,000 parentheses', 400, `SELECT x FROM m WHERE ${'('.repeat(20_000)}x = 1${')'.repeat(20_000)}`],
    ['a database with a long name', 200, `SELECT x FROM ${'y'.repeat(900_000)}..m`],
  ])('does not send %s back', async (_name, status, text) => {
    for (const accept of ['application/json', 'application/csv']) {
      const headers = { ...authorized, accept, 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await send('POST', '/query?db=d', headers, new URLSearchParams({ q: text }).toString());
      expect(answer.status).toBe(status);
      expect(answer.body.length).toBeLessThan(100_000);
      expect(answer.headers.get('x-influxdb-error')?.length ?? 0).toBeLessThan(1100);
    }
  });

  it('answers thousands of conditions', async () => {
    await write('/write?db=d', 'conditions,job=7 x=7 1');
    for (const atom of [`job = '#'`, 'x = #']) {
      const where = Array.from({ length: 4500 }, (_, i) => atom.replace('#', String(i))).join(' OR ');
      const body = new URLSearchParams({ db: 'd', q: `SELECT x FROM conditions WHERE ${where}` }).toString();
      const headers = { ...authorized, 'content-type': 'application/x-www-form-urlencoded' };
      expect((await send('POST', '/query', headers, body)).body).toContain(
        '"values":[["1970-01-01T00:00:00.000000001Z",7]]'
      );
    }
  });

  it('takes values beside the statement', async () => {
    await write('/write?db=d', 'bound,job=a\\ (1) x=7u 1');
    const answer = await send(
      'GET',
      `/query?${new URLSearchParams({
        db: 'd',
        q: 'SELECT x FROM bound WHERE job = $job AND x >= $x',
        params: JSON.stringify({ job: 'a (1)', x: 7 }),
      }).toString()}`,
      authorized
    );
    expect(answer.body).toContain('"values":[["1970-01-01T00:00:00.000000001Z",7]]');
  });

  it.each(['{', '[]', '{"job":["a"]}', '{"job":null}'])('refuses the values %s', async (params) => {
    const search = new URLSearchParams({ db: 'd', q: 'SELECT x FROM bound WHERE job = $job', params });
    const answer = await send('GET', `/query?${search.toString()}`, authorized);
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('error parsing query') as string });
  });

  it.each([
    ['SELECT mean(x) INTO y FROM v2', /INTO is not supported/],
    ['SELECT holt_winters(mean(x), 1, 1) FROM v2', /holt_winters\(\) is not supported/],
    [`SELECT x FROM v2 tz('Nowhere/X')`, /unable to find time zone Nowhere\/X/],
    [`SELECT x FROM v2 WHERE time > '2020-01-01' tz('Europe/Paris')`, /a time without a zone/],
    ['SELECT max(x) FROM (SELECT x FROM v2 ORDER BY time DESC)', /ordered in the same direction/],
    ['DELETE FROM v2', /not supported/],
    ['SELECT x FROM v2 WHERE x =~ /(/', undefined],
    [`SELECT x FROM v2 WHERE job =~ /(/`, /invalid regular expression/],
    [`SELECT count(x) FROM v2 WHERE time > 0 AND time < 1d GROUP BY time(1ns)`, /max-select-buckets limit exceeded/],
  ])('says what it cannot do: %s', async (text, message) => {
    const answer = (await query(text)) as { error?: string; results?: { error?: string }[] };
    const error = answer.error ?? answer.results?.[0]?.error;
    expect(error).toMatch(message ?? /./);
  });

  describe('for reading only', () => {
    let reader: FastifyInstance;
    let readerUrl: string;
    beforeAll(async () => {
      reader = fastify({ logger: false });
      await registerInfluxApi(reader, store, { isAuthorized: () => true, isReadOnly: true });
      readerUrl = await reader.listen({ host: '127.0.0.1', port: 0 });
    });
    afterAll(() => reader.close());

    it.each(['CREATE DATABASE e', 'SHOW DATABASES; CREATE DATABASE e', 'create /* */ database "e"'])(
      'refuses %s, by GET and POST',
      async (text) => {
        const body = new URLSearchParams({ q: text });
        const refused = `error authorizing query: not authorized to execute statement 'CREATE DATABASE "e"', requires the token`;
        for (const [path, options] of [
          [`/query?${body.toString()}`, {}],
          ['/query', { method: 'POST', body }],
          ['/%71uery', { method: 'POST', body }],
        ] as const) {
          const answer = await fetch(readerUrl + path, options);
          expect([answer.status, await answer.json()]).toEqual([403, { error: refused }]);
        }
        expect(store.catalog.databases.has('e')).toBe(false);
      }
    );

    it.each(['/write?db=d', '/%77rite?db=d', '/api/v2/write?bucket=d', '/api/v2/writ%65?bucket=d'])(
      'has no %s',
      async (path) => {
        const answer = await fetch(readerUrl + path, { method: 'POST', body: 'readonly x=1' });
        expect(answer.status).toBe(404);
        expect(store.catalog.databases.get('d')?.measurements.has('readonly')).toBe(false);
      }
    );

    it.each(['SHOW DATABASES', 'SELECT x FROM m', 'SHOW SERIES; SHOW TAG KEYS'])('answers %s', async (text) => {
      const answer = await fetch(`${readerUrl}/query?db=d&q=${encodeURIComponent(text)}`);
      expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('error')]);
    });
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
