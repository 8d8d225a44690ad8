import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { measureCluster } from '../cluster-page.mjs';
import { findInfluxd, startInfluxdb } from '../influxdb.mjs';
import { findChromium, startPage } from '../page.mjs';
import { writeCluster } from './shared/cluster.mjs';

const FEW_JOBS = 1000;

export const clusterPage = {
  name: 'cluster-page',
  work: 'dashboard Cluster, a week with 100,000 jobs in a real InfluxDB: from the first query until all panels are painted',
  peer: `the same with ${FEW_JOBS.toLocaleString('en')} jobs`,
  bar: { by: 'wall', msAtMost: 2000 },

  findMissing() {
    if (findInfluxd() === undefined) return 'not on PATH: influxd (sudo apt-get install influxdb)';
    return findChromium() === undefined ? 'not on PATH: chromium (sudo apt-get install chromium)' : undefined;
  },

  async prepare({ folder, isShort }) {
    const count = isShort ? 20_000 : 100_000;
    const few = await startWith(join(folder, 'few'), FEW_JOBS);
    const many = await startWith(join(folder, 'many'), count);
    const runs = [];
    const measure = async (page) => {
      const found = await measureCluster(page);
      if (page === many.page) runs.push(found);
      return { cpuMs: found.cpuMs, wallMs: found.paintedMs };
    };
    return {
      amount: 1,
      unit: 'starts',
      measurePeer: () => measure(few.page),
      measureOurs: () => measure(many.page),
      note: () => `${count.toLocaleString('en')} jobs; ${describe(runs)}`,
      close: async () => {
        await few.close();
        await many.close();
      },
    };
  },
};

async function startWith(folder, count) {
  await mkdir(folder);
  const store = await startInfluxdb(folder);
  await writeCluster(store.url, count);
  const page = await startPage(folder, store.url);
  return {
    page,
    close: async () => {
      await page.close();
      await store.stop();
    },
  };
}

function describe(runs) {
  const best = runs.reduce((a, b) => (b.paintedMs < a.paintedMs ? b : a));
  return `the first panel after ${best.firstMs.toFixed(0)} ms; the last answer after ${best.last}`;
}
