import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DATABASE, findInfluxd, startInfluxdb } from '../influxdb.mjs';
import { plainLine, writeLineCount } from '../inputs.mjs';
import { environmentOf, joblens } from '../joblens.mjs';
import { measureProcess, measureWork } from '../process-cost.mjs';

const POST_POINTS = fileURLToPath(new URL('../programs/post-points.mjs', import.meta.url));

export const influxdb = {
  name: 'influxdb',
  work: 'plain log lines, file to a real InfluxDB: joblens pipe --url URL < file',
  peer: 'the same points posted from memory in requests as large, one after the other',
  bar: { by: 'wall', speedAtLeast: 0.8 },

  findMissing: () => (findInfluxd() === undefined ? 'not on PATH: influxd (sudo apt-get install influxdb)' : undefined),

  async prepare({ folder, isShort }) {
    const lineCount = isShort ? 100_000 : 1_000_000;
    const path = join(folder, 'plain.log');
    const points = join(folder, 'points.lp');
    const env = environmentOf(folder);
    writeLineCount(path, lineCount, plainLine);
    await measureProcess(joblens('pipe', ['--out', points]), { stdin: path, env });

    /** Each measurement has a new InfluxDB, so that none pays for work that an earlier one left. */
    const measureWithInfluxdb = async (measure) => {
      const store = await startInfluxdb(folder);
      try {
        const cost = await measure(store);
        const stored = await store.countPoints('job_log', 'line');
        if (stored !== lineCount) throw new Error(`${lineCount} lines went in, but InfluxDB has ${stored}`);
        return { cost, requests: await store.readRequests() };
      } finally {
        await store.stop();
      }
    };
    const writeOurs = ({ url }) =>
      measureProcess(joblens('pipe', ['--url', url, '--api', 'v1', '--database', DATABASE, '--drain-timeout', '600']), {
        stdin: path,
        env,
      });
    // Not measured: how large the requests of joblens are when this machine's InfluxDB takes them.
    const { requests } = await measureWithInfluxdb(writeOurs);
    const bytesOfRequest = Math.round(requests.bytes / requests.count);

    return {
      amount: lineCount,
      unit: ' lines',
      measurePeer: async () =>
        (await measureWithInfluxdb(({ url }) => measureWork(POST_POINTS, [points, url, String(bytesOfRequest)]))).cost,
      measureOurs: async () => (await measureWithInfluxdb(writeOurs)).cost,
      note: () => `${requests.count} requests of ${(bytesOfRequest / 1000).toFixed(0)} kB`,
    };
  },
};
