import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dropJobStatements, JOB_SERIES_MEASUREMENTS } from '@joblens/core/ask/jobs/delete-job';
import type { InfluxConnection } from '../../sinks/influxdb/connection.js';
import { deleteSeries, detectVersion } from './delete-store.js';

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

/** A server that answers so; resolves to what connects to it. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<InfluxConnection> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, org: 'lab', bucket: 'jobs', api: 'auto', timeoutMs: 10_000 };
}

describe('detectVersion', () => {
  it.each([
    ['1.6.7', 404, 1],
    ['1.8.10', 404, 1],
    ['v2.7.12', 200, 2],
    ['3.4.1', 404, 3],
    ['dev', 200, 2],
    ['unknown', 404, 1],
  ])(
    'of a server that says %p, and answers the question for its setup with %p, gives %p',
    async (said, setup, version) => {
      const connection = await serve(({ url }, response) => {
        response.setHeader('x-influxdb-version', said);
        response.writeHead(url === '/ping' ? 204 : setup).end();
      });
      expect(await detectVersion(connection)).toEqual({ ok: true, value: version });
    }
  );
});

it('refuses to delete from an engine that only hides what it drops', async () => {
  const connection = await serve((_request, response) => {
    response.setHeader('x-geminidb-version', '');
    response.writeHead(204).end();
  });
  expect(await detectVersion(connection)).toEqual({
    ok: false,
    error: expect.stringMatching(/^openGemini hides .* nothing is deleted; shorten/) as unknown,
  });
});

/** What InfluxDB 2.7 takes: names quoted, since `user` is one of its words, and text between quotes escaped. */
it('deletes from version 2 by the tags of the job, in each measurement', async () => {
  const asked: unknown[] = [];
  const connection = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      asked.push([request.url, (JSON.parse(body) as { predicate: string }).predicate]);
      response.writeHead(204).end();
    });
  });
  const names = { job: 'a "b\\c', user: 'ann' };
  expect(await deleteSeries(connection, 2, names, dropJobStatements(names))).toEqual({ ok: true, value: true });
  expect(asked).toEqual(
    JOB_SERIES_MEASUREMENTS.map((measurement) => [
      '/api/v2/delete?bucket=jobs&org=lab',
      `_measurement="${measurement}" AND "job"="a \\"b\\\\c" AND "user"="ann"`,
    ])
  );
});
