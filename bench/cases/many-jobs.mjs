import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE, findInfluxd, startInfluxdb } from '../influxdb.mjs';
import { startStandalone } from '../page.mjs';
import { measureServer } from '../process-cost.mjs';
import { measurePages, writeJobs } from './shared/jobs.mjs';

const FEW_JOBS = 1000;

export const manyJobs = createCase({
  name: 'many-jobs',
  place: 'a real InfluxDB',
  jobs: 1_000_000,
  shortJobs: 20_000,
  findMissing: () => (findInfluxd() === undefined ? 'not on PATH: influxd (sudo apt-get install influxdb)' : undefined),
  // Its process changes with a restart, so it must stay one object.
  start: async (folder) => Object.assign(await startInfluxdb(folder), { database: DATABASE }),
});

export const manyJobsEmbedded = createCase({
  name: 'many-jobs-embedded',
  place: 'the embedded store, which takes at most 1,000,000 series',
  jobs: 200_000,
  shortJobs: 5000,
  start: async (folder) => {
    const { token, ...page } = await startStandalone(folder);
    return { ...page, database: 'joblens', headers: { Authorization: `Token ${token}` } };
  },
});

function createCase({ name, place, jobs, shortJobs, findMissing, start }) {
  return {
    name,
    work: `first answers of an hour's list and of a job's page, with ${jobs.toLocaleString('en')} jobs of a year in ${place}`,
    peer: `the same with ${FEW_JOBS.toLocaleString('en')} jobs`,
    bar: { by: 'wall', timeAtMost: 1.3, msAtMost: 1000 },
    findMissing,

    async prepare({ folder, isShort }) {
      const stores = { few: await startIn(join(folder, 'few')), many: await startIn(join(folder, 'many')) };
      await writeJobs(stores.few, FEW_JOBS);
      const startMs = Date.now();
      const count = isShort ? shortJobs : jobs;
      await writeJobs(stores.many, count);
      const loadS = ((Date.now() - startMs) / 1000).toFixed(0);
      const cold = await measureCold(stores);
      const measured = { few: [], many: [] };
      const measure = (which) =>
        measureServer(stores[which].pid, async () => {
          const times = await measurePages(stores[which]);
          measured[which].push(times);
          return { wallMs: times.listMs + times.pageMs };
        });
      return {
        amount: 1,
        unit: 'starts',
        measurePeer: () => measure('few'),
        measureOurs: () => measure('many'),
        note: () => `${count.toLocaleString('en')} jobs written in ${loadS} s; ${describe(measured)}${cold}`,
        close: async () => {
          await stores.few.stop();
          await stores.many.stop();
        },
      };
    },
  };

  async function startIn(folder) {
    await mkdir(folder);
    return start(folder);
  }
}

/** Says how long the first answers take right after the store has started, if it can be restarted. */
async function measureCold(stores) {
  const times = [];
  for (const store of [stores.many, stores.few]) {
    if (store.restart === undefined) return '';
    await store.restart();
    times.push(await measurePages(store));
  }
  const [many, few] = times.map(
    ({ listMs, pageMs }) => `list ${listMs.toFixed(0)} ms, job page ${pageMs.toFixed(0)} ms`
  );
  return `; right after a start: ${many} (${few})`;
}

const PARTS = {
  list: ({ listMs }) => listMs,
  'job page': ({ pageMs }) => pageMs,
  'rest of the list': ({ restMs }) => restMs,
  'jobs without heartbeats, where a store may have them': ({ othersMs }) => othersMs,
  'job picker of a week (at most 1,000 names)': ({ pickerMs }) => pickerMs,
  'search in it': ({ searchMs }) => searchMs,
};

function describe({ few, many }) {
  const best = (runs, read) => Math.min(...runs.map(read)).toFixed(0);
  const times = Object.entries(PARTS).map(([part, read]) => `${part} ${best(many, read)} ms (${best(few, read)} ms)`);
  return `${many[0].jobs} jobs in the hour (${few[0].jobs}); ${times.join('; ')}`;
}
