import { performance } from 'node:perf_hooks';
import { URLSearchParams } from 'node:url';
import { printStatements } from '../../../core/dist/influxql/print.js';
import { formatPoint } from '../../../core/dist/point/line-protocol.js';
import { readEvents } from '../../../core/dist/ask/events/events.js';
import { createEventPoint } from '../../../core/dist/schema/job-point.js';
import { createTransitionPoint } from '../../../core/dist/schema/transition-point.js';
import { DATABASE, send } from '../../influxdb.mjs';
import { readAll } from './read-all.mjs';

const REQUEST_BYTES = 4_000_000;
const RETURNED = 1000;
const DAY_MS = 86_400_000;
const END_MS = 1_767_225_600_000;
const DAYS = 30;
const USERS = 50;
/** Each job has three changes of state. */
const STATES_SHARE = 0.3;
/** As many events of its own has each job that logs any. */
const OWN_EVENTS = 1000;
/** Texts that one event in a thousand holds, at all times; and all events of the first job that logs any. */
const [SPREAD, OLD] = ['Checkpoint saved', 'Warming up'];
/** One change of state of so many jobs holds the text of all times. */
const JOBS_A_SPREAD = 333;

const nsOf = (timeMs) => BigInt(Math.round(timeMs * 1000)) * 1000n;

/** Writes so many events of a month: changes of state of jobs, one after the other, and events that some logged. */
export async function writeEvents(url, events) {
  let lines = [];
  let bytes = 0;
  const flush = async () => {
    await send(url, `/write?db=${DATABASE}&precision=ns`, { method: 'POST', body: lines.join('\n') });
    lines = [];
    bytes = 0;
  };
  for (const point of listPoints(events)) {
    const line = formatPoint(point);
    lines.push(line);
    bytes += line.length;
    if (bytes > REQUEST_BYTES) await flush();
  }
  await flush();
}

const jobOf = (i) => ({ job: String(1_000_000 + i), user: `user${i % USERS}` });

function* listPoints(events) {
  const jobs = Math.round((events * STATES_SHARE) / 3);
  const loggers = Math.max(1, Math.round((events * (1 - STATES_SHARE)) / OWN_EVENTS));
  const spanMs = DAYS * DAY_MS;
  for (let i = 0; i < jobs; i += 1) {
    const submittedMs = END_MS - spanMs + (i / jobs) * spanMs;
    const end = i % 10 === 0 ? 'FAILED' : 'COMPLETED';
    yield* change(i, submittedMs, { toState: 'PENDING', data: {} });
    const note = i % JOBS_A_SPREAD === 0 ? { note: SPREAD } : {};
    yield* change(i, submittedMs + 60_000, { fromState: 'PENDING', toState: 'RUNNING', data: { nodes: 2, ...note } });
    yield* change(i, submittedMs + 660_000, {
      fromState: 'RUNNING',
      toState: end,
      data: { exit_code: i % 10 ? 0 : 1 },
    });
  }
  for (let k = 0; k < loggers; k += 1) {
    const i = Math.floor((k * jobs) / loggers);
    const startMs = END_MS - spanMs + (i / jobs) * spanMs + 60_000;
    for (let step = 0; step < OWN_EVENTS; step += 1) {
      const note = k === 0 ? { note: OLD } : step === OWN_EVENTS / 2 ? { note: SPREAD } : {};
      const data = { step, seconds: 0.5 + (step % 7), ...note };
      const event = { topic: k % 3 === 0 ? 'phases' : 'runtimes', data };
      yield createEventPoint(jobOf(i), event, nsOf(startMs + step * 600));
    }
  }
}

function* change(i, timeMs, { data, ...states }) {
  const timeNs = nsOf(timeMs);
  yield createEventPoint(jobOf(i), { topic: 'state', origin: 'slurm', ...states, data }, timeNs);
  yield createTransitionPoint(jobOf(i), { origin: 'slurm', ...states, data: JSON.stringify(data) }, timeNs);
}

/** The filters that are asked for; but for a text of none, each finds as many events as are returned, if there are. */
export const FILTERS = {
  'by job': { jobs: [jobOf(0).job] },
  'by to_state and time': { toStates: ['FAILED'], afterNs: nsOf(END_MS - 7 * DAY_MS) },
  'by to_state, all times': { toStates: ['FAILED'] },
  'by user and week': { users: ['user7'], afterNs: nsOf(END_MS - 7 * DAY_MS) },
  'by user, all times': { users: ['user7'] },
  'by topic and week': { topics: ['runtimes'], afterNs: nsOf(END_MS - 7 * DAY_MS) },
  'by topic, all times': { topics: ['runtimes'] },
  'of a day': { afterNs: nsOf(END_MS - DAY_MS) },
  'by text and day': { text: '"step":5', afterNs: nsOf(END_MS - DAY_MS) },
  'by text of all times': { text: SPREAD.toUpperCase(), afterNs: nsOf(END_MS - DAYS * DAY_MS) },
  'by text of old events': { text: OLD.toLowerCase(), afterNs: nsOf(END_MS - DAYS * DAY_MS) },
  'by text of none': { text: 'not there', afterNs: nsOf(END_MS - DAYS * DAY_MS) },
};

/** Asks one of them as every reader does. Resolves to the time until the events are read, and how many there are. */
export async function measureFilter(url, filter) {
  const startMs = performance.now();
  const reading = readEvents({ filter, order: 'newest-first', limit: RETURNED, nowNs: nsOf(END_MS) });
  const { events } = await readAll(reading, (statements) => ask(url, statements));
  return { wallMs: performance.now() - startMs, events: events.length };
}

async function ask(url, statements) {
  const parameters = new URLSearchParams({ db: DATABASE, q: printStatements(statements) });
  return JSON.parse((await send(url, `/query?${parameters}`)).body).results;
}
