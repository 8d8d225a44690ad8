import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findInfluxd, startInfluxdb } from '../influxdb.mjs';
import { measureServer } from '../process-cost.mjs';
import { FILTERS, measureFilter, writeEvents } from './shared/events.mjs';

const FEW_EVENTS = 10_000;
const EVENTS = 1_000_000;

export const events = {
  name: 'events',
  work: `the slowest of several filters that return 1,000 events of ${EVENTS.toLocaleString('en')} in a real InfluxDB`,
  peer: `the same with ${FEW_EVENTS.toLocaleString('en')} events`,
  bar: { by: 'wall', msAtMost: 500 },
  findMissing: () => (findInfluxd() === undefined ? 'not on PATH: influxd (sudo apt-get install influxdb)' : undefined),

  async prepare({ folder, isShort }) {
    const count = isShort ? EVENTS / 10 : EVENTS;
    const [few, many] = [await start(join(folder, 'few'), FEW_EVENTS), await start(join(folder, 'many'), count)];
    const measured = [];
    const measure = (store, note = () => undefined) =>
      measureServer(store.pid, async () => {
        const times = [];
        for (const [name, filter] of Object.entries(FILTERS)) {
          times.push({ name, ...(await measureFilter(store.url, filter)) });
        }
        note(times);
        return { wallMs: Math.max(...times.map(({ wallMs }) => wallMs)) };
      });
    return {
      amount: 1,
      unit: 'starts',
      measurePeer: () => measure(few),
      measureOurs: () => measure(many, (times) => measured.push(times)),
      note: () => `${count.toLocaleString('en')} events; ${describe(measured)}`,
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
  await writeEvents(store.url, count);
  return store;
}

/** The best time of each filter. */
function describe(measured) {
  const names = Object.keys(FILTERS);
  const best = names.map((_name, i) => Math.min(...measured.map((times) => times[i].wallMs)));
  return names.map((name, i) => `${name} ${best[i].toFixed(0)} ms (${measured[0][i].events})`).join('; ');
}
