import { mkdir } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { URLSearchParams } from 'node:url';
import { printStatements } from '../../core/dist/influxql/print.js';
import { readAnalytics } from '../../core/dist/ask/analytics/analytics.js';
import { DATABASE, findInfluxd, send, startInfluxdb } from '../influxdb.mjs';
import { measureServer } from '../process-cost.mjs';
import { CLUSTER_END_MS, WEEK_MS, writeCluster } from './shared/cluster.mjs';
import { readAll } from './shared/read-all.mjs';

const STEP_MS = 30 * 60_000;
const FEW_JOBS = 1000;
/** What dashboard Cluster asks at once. */
const DASHBOARD = ['throughput', 'utilization', 'nodes', 'states', 'waits'];

export const analytics = {
  name: 'analytics',
  work: 'throughput, utilization, nodes, states and waits of a week with 100,000 jobs in a real InfluxDB, asked at once',
  peer: `the same with ${FEW_JOBS.toLocaleString('en')} jobs`,
  bar: { by: 'wall', msAtMost: 2000 },
  findMissing: () => (findInfluxd() === undefined ? 'not on PATH: influxd (sudo apt-get install influxdb)' : undefined),

  async prepare({ folder, isShort }) {
    const count = isShort ? 20_000 : 100_000;
    const stores = { few: await startIn(join(folder, 'few')), many: await startIn(join(folder, 'many')) };
    await writeCluster(stores.few.url, FEW_JOBS);
    await writeCluster(stores.many.url, count);
    const alone = [];
    for (const report of [...DASHBOARD, 'usage']) {
      const startMs = performance.now();
      await read(stores.many, report);
      alone.push(`${report} ${(performance.now() - startMs).toFixed(0)} ms`);
    }
    const measure = (which) =>
      measureServer(stores[which].pid, async () => {
        const startMs = performance.now();
        await Promise.all(DASHBOARD.map((report) => read(stores[which], report)));
        return { wallMs: performance.now() - startMs };
      });
    return {
      amount: 1,
      unit: 'dashboards',
      measurePeer: () => measure('few'),
      measureOurs: () => measure('many'),
      note: () => `${count.toLocaleString('en')} jobs; each alone: ${alone.join(', ')}`,
      close: async () => {
        await stores.few.stop();
        await stores.many.stop();
      },
    };
  },
};

async function startIn(folder) {
  await mkdir(folder);
  return startInfluxdb(folder);
}

async function read({ url }, report) {
  const window = { fromMs: CLUSTER_END_MS - WEEK_MS, toMs: CLUSTER_END_MS };
  const answer = await readAll(readAnalytics({ report, window, stepMs: STEP_MS }), async (statements) => {
    const body = new URLSearchParams({ q: printStatements(statements), db: DATABASE }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return JSON.parse((await send(url, '/query', { method: 'POST', body, headers })).body).results;
  });
  const size = answer.curves?.size ?? answer.bins?.length ?? answer.usage?.length;
  if (size === 0) throw new Error(`${report} gave nothing`);
}
