import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE, findInfluxd, send, startInfluxdb } from '../influxdb.mjs';
import { measureServer } from '../process-cost.mjs';
import { AWAY, startServe } from '../serve.mjs';
import { prepareRequests } from './shared/requests.mjs';

export const serveHttp = {
  name: 'serve-http',
  work: 'points posted to joblens serve until they are on disk, InfluxDB away',
  peer: 'the same requests posted to a real InfluxDB',
  bar: { by: 'wall', speedAtLeast: 2 },

  findMissing: () => (findInfluxd() === undefined ? 'not on PATH: influxd (sudo apt-get install influxdb)' : undefined),

  async prepare(context) {
    const { folder } = context;
    const { pointCount, post } = prepareRequests(context);
    const check = (found, where) => {
      if (found !== pointCount) throw new Error(`${pointCount} points went in, but ${where} has ${found}`);
    };
    return {
      amount: pointCount,
      unit: ' points',
      async measurePeer() {
        const store = await startInfluxdb(folder);
        try {
          const cost = await measureServer(store.pid, () => post(store.url));
          check(await store.countPoints('cpu', 'n'), 'InfluxDB');
          return cost;
        } finally {
          await store.stop();
        }
      },
      async measureOurs() {
        const home = await mkdtemp(join(folder, 'serve-'));
        const serve = await startServe([...AWAY, '--database', DATABASE], home);
        try {
          const cost = await measureServer(serve.child.pid, () => post(serve.httpUrl));
          const { body } = await send(serve.healthUrl, '/metrics');
          check(Number(/^joblens_spool_points (\d+)$/m.exec(body)?.[1]), 'the spool');
          return cost;
        } finally {
          await serve.stop();
          await rm(home, { recursive: true });
        }
      },
    };
  },
};
