import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE, findInfluxd, startInfluxdb } from '../influxdb.mjs';
import { measureServer } from '../process-cost.mjs';
import { measureComparison, writeExperiment } from './shared/experiment.mjs';

const FEW_JOBS = 100;
const JOBS = 10_000;

export const compare = {
  name: 'compare',
  work: `comparison of all ${JOBS.toLocaleString('en')} jobs of an experiment in a real InfluxDB, by a key of their configuration`,
  peer: `the same with ${FEW_JOBS} jobs`,
  bar: { by: 'wall', msAtMost: 1000 },
  findMissing: () => (findInfluxd() === undefined ? 'not on PATH: influxd (sudo apt-get install influxdb)' : undefined),

  async prepare({ folder, isShort }) {
    const [few, many] = [
      await start(join(folder, 'few'), FEW_JOBS),
      await start(join(folder, 'many'), isShort ? JOBS / 10 : JOBS),
    ];
    let last;
    const measure = (store) =>
      measureServer(store.pid, async () => {
        last = await measureComparison({ url: store.url, database: DATABASE });
        return last;
      });
    return {
      amount: 1,
      unit: 'starts',
      measurePeer: () => measure(few),
      measureOurs: () => measure(many),
      note: () => `${last.jobs.toLocaleString('en')} jobs in ${last.rounds} rounds of requests`,
      close: async () => {
        await few.stop();
        await many.stop();
      },
    };
  },
};

async function start(folder, count) {
  await mkdir(folder);
  const store = await startInfluxdb(folder);
  await writeExperiment({ url: store.url, database: DATABASE }, count);
  return store;
}
