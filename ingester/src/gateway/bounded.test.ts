import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ok } from '@joblens/core/result/result';
import { createSystemClock } from '../clock/clock.js';
import { noteCollections } from '../../../test/large-collections.js';
import { createGatewayServer } from './gateway-server.js';
import { createStoreProxy } from './store-proxy.js';

const MANY = 500;
/** What may stay of users and questions that are over. */
const FEW = 60;

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('keeps nothing of users and questions that are over', async () => {
  const noted = noteCollections();
  const store = createServer((request, response) => {
    request.resume().on('end', () => response.end('{"results":[{"statement_id":0}]}\n'));
  });
  const url = await listen(store);
  const proxy = createStoreProxy({ url, bucket: 'd', api: 'auto', timeoutMs: 60_000 });
  const warned: string[] = [];
  const say = (message: string): void => void warned.push(message);
  const gateway = createGatewayServer({
    ...{ place: { database: 'd', policy: undefined }, measurements: [], store: proxy, takeWrite: undefined },
    ways: [
      ({ 'x-grafana-user': user = '' }) =>
        Promise.resolve(ok({ user, groups: [`of ${user}`], isGrafanaAdmin: false, way: 'grafana', isHost: false })),
    ],
    rightsOf: ({ user }) => Promise.resolve({ kind: 'some', users: [user], jobs: [] }),
    ...{ audit: () => undefined, clock: createSystemClock(), storeHeaders: {} },
    report: { error: say, warn: say, info: say, debug: say },
  });
  const address = await listen(gateway);
  const ask = async (i: number, q: string): Promise<number> => {
    const query = new URLSearchParams({ db: 'd', q }).toString();
    const answer = await fetch(`${address}/query?${query}`, { headers: { 'x-grafana-user': `a "b's" (${i})` } });
    await answer.text();
    return answer.status;
  };
  for (let i = 0; i < MANY; i += 1) {
    const [answered, refused] = await Promise.all([
      ask(i, `SELECT "line" FROM "job_log" WHERE "job" = 'b (${i})' LIMIT ${i + 1}`),
      ask(i, `DROP MEASUREMENT "m (${i})"`),
    ]);
    expect([answered, refused]).toEqual([200, 403]);
  }
  expect(warned).toEqual([]);
  expect(await noted.listLarge(FEW)).toEqual([]);
  noted.end();
  proxy.close();
  for (const server of [gateway, store]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
