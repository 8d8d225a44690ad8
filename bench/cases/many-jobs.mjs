import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE, findInfluxd, startInfluxdb } from '../influxdb.mjs';
import { measureJobPage, measureList, measureSearch } from '../jobs-page.mjs';
import { findChromium, openSite, startPage, startStandalone } from '../page.mjs';
import { measureServer } from '../process-cost.mjs';
import { LAST_HOUR, LAST_YEAR, measureAnswers, nameJob, NEWEST_JOB, writeJobs } from './shared/jobs.mjs';

const FEW_JOBS = 1000;

export const manyJobs = createCase({
  name: 'many-jobs',
  place: 'a real InfluxDB',
  jobs: 1_000_000,
  shortJobs: 20_000,
  findMissing: () => (findInfluxd() === undefined ? 'not on PATH: influxd (sudo apt-get install influxdb)' : undefined),
  async start(folder) {
    const store = await startInfluxdb(folder);
    const site = await startPage(folder, store.url);
    const close = async () => {
      await site.close();
      await store.stop();
    };
    // Its process changes with a restart, so it must stay one object.
    return Object.assign(store, { database: DATABASE, site, close });
  },
});

export const manyJobsEmbedded = createCase({
  name: 'many-jobs-embedded',
  place: 'the embedded store, which takes at most 1,000,000 series',
  jobs: 200_000,
  shortJobs: 5000,
  async start(folder) {
    const { token, stop, ...server } = await startStandalone(folder);
    const site = await openSite({ url: server.url, token });
    const close = async () => {
      await site.browser.close();
      await stop();
    };
    return { ...server, database: 'joblens', headers: { Authorization: `Token ${token}` }, site, close };
  },
});

function createCase({ name, place, jobs, shortJobs, findMissing, start }) {
  return {
    name,
    work: `first screens of an hour's list and of a job's page in Chromium, with ${jobs.toLocaleString('en')} jobs of a year in ${place}`,
    peer: `the same with ${FEW_JOBS.toLocaleString('en')} jobs`,
    bar: { by: 'wall', timeAtMost: 1.3, msAtMost: 1000 },
    findMissing: () =>
      findMissing?.() ??
      (findChromium() === undefined ? 'not on PATH: chromium (sudo apt-get install chromium)' : undefined),

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
          const { site } = stores[which];
          const screens = {
            listMs: await measureList(site, LAST_HOUR),
            pageMs: await measureJobPage(site, NEWEST_JOB),
          };
          const middle = nameJob(Math.floor((which === 'few' ? FEW_JOBS : count) / 2));
          const year = await measureSearch(site, LAST_YEAR, middle);
          measured[which].push({ screens, year, answers: await measureAnswers(stores[which]) });
          return { wallMs: screens.listMs + screens.pageMs };
        });
      return {
        amount: 1,
        unit: 'starts',
        measurePeer: () => measure('few'),
        measureOurs: () => measure('many'),
        note: () => `${count.toLocaleString('en')} jobs written in ${loadS} s; ${describe(measured)}${cold}`,
        close: async () => {
          await stores.few.close();
          await stores.many.close();
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
    times.push(await measureAnswers(store));
  }
  const [many, few] = times.map(
    ({ listMs, pageMs }) => `list ${listMs.toFixed(0)} ms, job page ${pageMs.toFixed(0)} ms`
  );
  return `; first answers right after a start: ${many} (${few})`;
}

const PARTS = {
  list: ({ screens }) => screens.listMs,
  'job page': ({ screens }) => screens.pageMs,
  'list of the whole year': ({ year }) => year.firstMs,
  'search of a job in the middle of it': ({ year }) => year.hitMs,
  'answers of the store alone: list': ({ answers }) => answers.listMs,
  'rest of the list': ({ answers }) => answers.restMs,
  'job page ': ({ answers }) => answers.pageMs,
  'jobs without heartbeats, where a store may have them': ({ answers }) => answers.othersMs,
  'job picker of a week (at most 1,000 names)': ({ answers }) => answers.pickerMs,
  'search in it': ({ answers }) => answers.searchMs,
};

function describe({ few, many }) {
  const best = (runs, read) => Math.min(...runs.map(read)).toFixed(0);
  const times = Object.entries(PARTS).map(
    ([part, read]) => `${part.trim()} ${best(many, read)} ms (${best(few, read)} ms)`
  );
  return `${many[0].answers.jobs} jobs in the hour (${few[0].answers.jobs}); ${times.join('; ')}`;
}
