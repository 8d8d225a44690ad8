import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FetchError } from '@grafana/runtime';
import { lastValueFrom } from 'rxjs';
import { BackendService } from './backend-service.js';

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}

let server: Server;
let base: string;
let asked: Asked[];
/** How the server answers the next requests. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const backend = new BackendService();

beforeEach(async () => {
  asked = [];
  answer = (_request, response) => response.end('{"a": 1}');
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      asked.push({ method: request.method, url: request.url, contentType: request.headers['content-type'], body });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const failureOf = (promise: Promise<unknown>): Promise<FetchError> =>
  promise.then(
    () => Promise.reject(new Error('It did not fail')),
    (error: unknown) => error as FetchError
  );

describe('a request of the page', () => {
  it('has its parameters in the address, lists one by one and none that are missing', async () => {
    const params = { q: 'SELECT "a&b"', epoch: 'ns', none: undefined, null: null, list: [1, 2] };
    expect(await backend.get(`${base}/query?db=x`, params)).toEqual({ a: 1 });
    expect(asked.map(({ method, url }) => [method, url])).toEqual([
      ['GET', '/query?db=x&q=SELECT+%22a%26b%22&epoch=ns&list=1&list=2'],
    ]);
  });

  it.each([
    ['post', 'POST'],
    ['put', 'PUT'],
    ['patch', 'PATCH'],
    ['delete', 'DELETE'],
  ] as const)('sends by %s its data as JSON', async (name, method) => {
    await backend[name](`${base}/x`, { b: [true] });
    expect(asked).toEqual([{ method, url: '/x', contentType: 'application/json', body: '{"b":[true]}' }]);
  });

  it('sends a form as a form, text as text, and nothing as nothing', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    await backend.post(`${base}/query`, { q: 'SHOW DATABASES', n: 1 }, { headers });
    await backend.post(`${base}/write`, 'm f=1 1');
    await backend.post(`${base}/none`);
    expect(asked.map(({ body }) => body)).toEqual(['q=SHOW+DATABASES&n=1', 'm f=1 1', '']);
    expect(asked[0]?.contentType).toBe('application/x-www-form-urlencoded');
  });

  it.each([
    ['what is no JSON as text', undefined, 'not { JSON', 'not { JSON'],
    ['text as it is, also where it is JSON', 'text', '[1]', '[1]'],
    ['bytes', 'arraybuffer', 'é', Uint8Array.from([0xc3, 0xa9]).buffer],
  ] as const)('gives %s', async (_name, responseType, body, expected) => {
    answer = (_request, response) => response.end(body);
    const { data, ok, status } = await lastValueFrom(
      backend.fetch({ url: `${base}/x`, ...(responseType && { responseType }) })
    );
    expect([data, ok, status]).toEqual([expected, true, 200]);
  });
});

describe('a request that fails', () => {
  it.each([
    ["Grafana's message", 404, '{"message": "There is no dashboard"}', 'There is no dashboard'],
    ["InfluxDB's error", 400, '{"error": "error parsing query"}', 'error parsing query'],
    ['the status where there is neither', 500, 'oops', '500 Internal Server Error'],
    ['how to get in again', 401, '{"error": "no"}', 'The session is over: open the address that `npm start` printed.'],
  ])('says %s', async (_name, status, body, message) => {
    answer = (_request, response) => response.writeHead(status).end(body);
    const error = await failureOf(backend.get(`${base}/x`));
    expect(error).toMatchObject({ status, message });
    expect(typeof error.data).toBe('object');
  });

  it('says that nobody answers', async () => {
    const error = await failureOf(backend.get('http://127.0.0.1:1/x'));
    expect(error).toMatchObject({ status: 0, statusText: 'network error' });
    expect(error.message).toMatch(/^Joblens does not answer \(.*\): is `npm start` still running\?$/);
  });

  it('cannot be read in pieces', async () => {
    await expect(lastValueFrom(backend.chunked({ url: '/x' }))).rejects.toThrow(
      'Cannot read /x in pieces: this page has no streaming.'
    );
  });
});

describe('a request that is not wanted any more', () => {
  const untilClosed = (): Promise<void> =>
    new Promise((resolve) => {
      answer = (_request, response) => response.once('close', () => resolve());
    });
  const untilAsked = async (): Promise<void> => {
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  it('is taken back from the server when nobody waits for it', async () => {
    const closed = untilClosed();
    const waiting = backend.fetch({ url: `${base}/slow` }).subscribe();
    await untilAsked();
    waiting.unsubscribe();
    await closed;
  });

  it('is taken back by the signal of who asked', async () => {
    const closed = untilClosed();
    const stop = new AbortController();
    const failed = failureOf(lastValueFrom(backend.fetch({ url: `${base}/slow`, abortSignal: stop.signal })));
    await untilAsked();
    stop.abort();
    expect(await failed).toMatchObject({ status: -1, cancelled: true });
    await closed;
  });

  it('makes room for a newer one with its id, and for no other', async () => {
    const closed = untilClosed();
    const older = failureOf(backend.get(`${base}/slow`, {}, 'panel-1'));
    await untilAsked();
    answer = (_request, response) => response.end('"newer"');
    expect(await backend.get(`${base}/x`, {}, 'panel-2')).toBe('newer');
    expect(await backend.get(`${base}/x`, {}, 'panel-1')).toBe('newer');
    expect(await older).toMatchObject({ status: -1, cancelled: true });
    await closed;
  });
});
