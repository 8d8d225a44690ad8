import { setTimeout as sleep } from 'node:timers/promises';
import { findInfluxd, startInfluxdb } from '../influxdb.mjs';
import { findChromium, startPage } from '../page.mjs';
import { openRunningJob } from '../refresh-page.mjs';
import { startRunningJob } from './shared/running-job.mjs';

/** In which the job prints 10 rows and lines: as many as one that prints each second, at the dashboard's 10 s. */
const REFRESH_EVERY_MS = 2000;

// The graph of a table with 10,000 rows has a point for each, that of the other one buckets.
export const refresh = createCase('refresh', 1_000_000, 100_000);
export const refreshShort = createCase('refresh-short', 10_000, 10_000);

function createCase(name, allRows, shortRows) {
  return {
    name,
    work: `page of a running job with ${allRows.toLocaleString('en')} rows and lines in a real InfluxDB: a refresh`,
    peer: 'its first load, from the first query to the last answer; the note has the time until all is painted',
    bar: { by: 'wall', timeAtMost: 0.05 },

    findMissing() {
      if (findInfluxd() === undefined) return 'not on PATH: influxd (sudo apt-get install influxdb)';
      return findChromium() === undefined ? 'not on PATH: chromium (sudo apt-get install chromium)' : undefined;
    },

    async prepare({ folder, isShort }) {
      const store = await startInfluxdb(folder);
      const job = await startRunningJob(store.url, 'running', isShort ? shortRows : allRows);
      const site = await startPage(folder, store.url);
      const loads = { first: [], refresh: [] };
      let page;
      const keep = (kind, load) => {
        loads[kind].push(load);
        return { cpuMs: load.cpuMs, wallMs: load.answeredMs };
      };
      return {
        amount: 1,
        unit: 'starts',
        async measurePeer() {
          await page?.close();
          page = await openRunningJob(site, job);
          return keep('first', page.first);
        },
        async measureOurs() {
          await sleep(REFRESH_EVERY_MS);
          return keep('refresh', await page.refresh());
        },
        note: () => describe(loads),
        close: async () => {
          await job.stop();
          await site.close();
          await store.stop();
        },
      };
    },
  };
}

function describe({ first, refresh: again }) {
  const compare = (what, unit, read) => {
    const [all, part] = [first, again].map((loads) => Math.min(...loads.map(read)));
    return `${what} ${part.toFixed(0)} of ${all.toFixed(0)} ${unit} (${((100 * part) / all).toFixed(1)}%)`;
  };
  return [
    compare('transferred', 'bytes', ({ bytes }) => bytes),
    compare('painted after', 'ms', ({ paintedMs }) => paintedMs),
    compare('main thread', 'ms', ({ cpuMs }) => cpuMs),
  ].join('; ');
}
