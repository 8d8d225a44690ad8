import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFakeClock } from '../../testing/fake-clock.js';
import { until } from '../../testing/joblens.js';
import { askRewrites } from './ask-rewrites.js';
import type { InfluxConnection } from './connection.js';

const connect = (url: string, rewrites?: boolean): InfluxConnection => ({
  ...{ url, bucket: 'a "b"', api: 'auto', timeoutMs: 5000 },
  ...(rewrites !== undefined && { rewrites }),
});

interface Server {
  readonly url: string;
  readonly paths: string[];
  stop(): Promise<void>;
}

/** Answers each request with these headers. */
async function startServer(headers: Record<string, string>, port = 0): Promise<Server> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(`${request.method} ${request.url}`);
    response.writeHead(204, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

describe('askRewrites', () => {
  it.each([
    [{ 'x-influxdb-version': '1.8.10' }, true],
    [{ 'x-influxdb-version': '1.8.11-c1.2.0' }, true],
    [{ 'x-influxdb-version': 'v2.7.12' }, true],
    [{ 'x-geminidb-version': '1.5.0' }, true],
    [{ server: 'a proxy' }, true],
    [{ 'x-influxdb-version': '3.8.0', 'x-influxdb-build': 'Core' }, false],
    [{ 'x-influxdb-version': 'v3.0.0-nightly', 'x-influxdb-build': 'Enterprise' }, false],
  ])('learns from /ping what a store with the headers %j does', async (headers, expected) => {
    const server = await startServer(headers);
    const known = askRewrites(connect(server.url), createFakeClock());
    expect(known.rewrites()).toBeUndefined();
    await until(() => server.paths.length > 0 && known.rewrites() === expected);
    known.stop();
    await server.stop();
    expect(server.paths).toEqual(['GET /ping']);
  });

  it.each([true, false])('asks nobody where the settings say %p', async (rewrites) => {
    const server = await startServer({ 'x-influxdb-version': rewrites ? '3.8.0' : '1.8.10' });
    const known = askRewrites(connect(server.url, rewrites), createFakeClock());
    expect(known.rewrites()).toBe(rewrites);
    known.stop();
    await server.stop();
    expect(server.paths).toEqual([]);
  });

  it('takes a store that is away for one that rewrites, until it answers', async () => {
    const gone = await startServer({});
    await gone.stop();
    const clock = createFakeClock();
    const known = askRewrites(connect(gone.url), clock);
    await until(() => clock.sleepers > 0);
    expect(known.rewrites()).toBe(true);
    const server = await startServer({ 'x-influxdb-version': '3.8.0' }, Number(new URL(gone.url).port));
    await clock.advance(10_000);
    await until(() => known.rewrites() === false);
    known.stop();
    await server.stop();
  });
});
