import { findInfluxd, startInfluxdb } from '../influxdb.mjs';
import { findChromium, measureGraph, startPage } from '../page.mjs';
import { writeTable } from './shared/table.mjs';

const LONG_JOB = 'long';
const SHORT_JOB = 'short';
const SHORT_ROWS = 10_000;

export const longTable = {
  name: 'long-table',
  work: 'page of a job with 1,000,000 rows of 5 keys in a real InfluxDB: from the first query to the painted graph',
  peer: `the same for a job with ${SHORT_ROWS.toLocaleString('en')} rows`,
  bar: { by: 'wall', timeAtMost: 1.5 },

  findMissing() {
    if (findInfluxd() === undefined) return 'not on PATH: influxd (sudo apt-get install influxdb)';
    return findChromium() === undefined ? 'not on PATH: chromium (sudo apt-get install chromium)' : undefined;
  },

  async prepare({ folder, isShort }) {
    const rows = isShort ? 100_000 : 1_000_000;
    const store = await startInfluxdb(folder);
    await writeTable(store.url, LONG_JOB, rows);
    await writeTable(store.url, SHORT_JOB, SHORT_ROWS);
    const page = await startPage(folder, store.url);
    const measured = { [LONG_JOB]: [], [SHORT_JOB]: [] };
    const measure = async (job) => {
      const found = await measureGraph(page, job);
      measured[job].push(found);
      return { cpuMs: found.cpuMs, wallMs: found.paintedMs };
    };
    return {
      amount: 1,
      unit: 'starts',
      measurePeer: () => measure(SHORT_JOB),
      measureOurs: () => measure(LONG_JOB),
      note: () => [LONG_JOB, SHORT_JOB].map((job) => `${job}: ${describe(measured[job])}`).join('; '),
      close: async () => {
        await page.close();
        await store.stop();
      },
    };
  },
};

function describe(runs) {
  const best = (read) => Math.min(...runs.map(read));
  const heapMb = Math.max(...runs.map(({ heapBytes }) => heapBytes)) / 1e6;
  return `${best(({ paintedMs }) => paintedMs).toFixed(0)} ms, heap ${heapMb.toFixed(0)} MB, "${runs.at(-1)?.said ?? ''}"`;
}
