import { findInfluxd, startInfluxdb } from '../influxdb.mjs';
import { measureFilter, measureFirstScreen, measureJumps, measureScroll } from '../log-page.mjs';
import { findChromium, startPage } from '../page.mjs';
import { writeLog } from './shared/log.mjs';

const LONG_JOB = 'long';
const SHORT_JOB = 'short';
const SHORT_LINES = 10_000;

export const longLogFirstScreen = createCase({
  name: 'long-log-first-screen',
  does: "from the log's first query until its last line is in sight",
  msAtMost: 1000,
  measure: async (...log) => [await measureFirstScreen(...log)],
});

export const longLogJump = createCase({
  name: 'long-log-jump',
  does: 'the slowest of the jumps to the first line, the middle, both quarters and the end',
  msAtMost: 500,
  measure: measureJumps,
});

export const longLogScroll = createCase({
  name: 'long-log-scroll',
  does: 'the longest frame while the wheel turns through 10,000 lines',
  msAtMost: 50,
  measure: measureScroll,
});

export const longLogFilter = createCase({
  name: 'long-log-filter',
  does: 'the slowest of the changes of its level filter, and the jumps in what is left, until lines or how far the search is are shown',
  msAtMost: 1000,
  measure: measureFilter,
});

/** `measure` gives times in milliseconds; the longest is the figure. */
function createCase({ name, does, msAtMost, measure }) {
  return {
    name,
    work: `page of a job with 1,000,000 lines in a real InfluxDB: ${does}`,
    peer: `the same with ${SHORT_LINES.toLocaleString('en')} lines`,
    bar: { by: 'wall', msAtMost },

    findMissing() {
      if (findInfluxd() === undefined) return 'not on PATH: influxd (sudo apt-get install influxdb)';
      return findChromium() === undefined ? 'not on PATH: chromium (sudo apt-get install chromium)' : undefined;
    },

    async prepare({ folder, isShort }) {
      const lines = isShort ? 100_000 : 1_000_000;
      const store = await startInfluxdb(folder);
      await writeLog(store.url, LONG_JOB, lines);
      await writeLog(store.url, SHORT_JOB, SHORT_LINES);
      const site = await startPage(folder, store.url);
      const runs = [];
      const measureJob = async (job, count) => {
        const timesMs = await measure(site, job, count);
        if (job === LONG_JOB) runs.push(timesMs);
        return { cpuMs: 0, wallMs: Math.max(...timesMs) };
      };
      return {
        amount: 1,
        unit: 'starts',
        measurePeer: () => measureJob(SHORT_JOB, SHORT_LINES),
        measureOurs: () => measureJob(LONG_JOB, lines),
        note: () => describe(runs, msAtMost),
        close: async () => {
          await site.close();
          await store.stop();
        },
      };
    },
  };
}

function describe(runs, msAtMost) {
  const longest = runs.map((timesMs) => Math.max(...timesMs).toFixed(0));
  const all = runs.flat();
  const over = all.filter((timeMs) => timeMs > msAtMost).length;
  return `longest of each run: ${longest.join(', ')} ms; ${over} of all ${all.length} over ${msAtMost} ms`;
}
