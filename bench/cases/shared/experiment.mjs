// Jobs of one experiment as line protocol, and their comparison as every host asks for it.
import { performance } from 'node:perf_hooks';
import { URLSearchParams } from 'node:url';
import { compareGroups } from '../../../core/dist/ask/comparison/compare-groups.js';
import { compareJobs } from '../../../core/dist/ask/comparison/compare-jobs.js';
import { readLabelled } from '../../../core/dist/ask/comparison/find-compared.js';
import { followX } from '../../../core/dist/axis/followed-x.js';
import { printStatements } from '../../../core/dist/influxql/print.js';
import { formatPoint } from '../../../core/dist/point/line-protocol.js';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '../../../core/dist/schema/heartbeat-point.js';
import { createJobPoint } from '../../../core/dist/schema/job-point.js';
import { createLabelPoint } from '../../../core/dist/schema/label-point.js';
import { createMetadataPoints, createSeriesPoint } from '../../../core/dist/schema/metadata-point.js';
import { createTableStats, foldRow } from '../../../core/dist/table/table-stats.js';
import { send } from '../../influxdb.mjs';
import { readAll } from './read-all.mjs';

const LABEL = { key: 'experiment', value: 'sweep' };
const END_MS = Date.UTC(2026, 10, 22, 16);
const RUN_MS = 60_000;
const SERIES = 'acc,loss,lr,step,val_loss';
const ROWS = 5;
const SEEDS = 5;
const JOBS_A_REQUEST = 1000;

const toNs = (ms) => BigInt(ms) * 1_000_000n;

/** Writes so many jobs of the experiment, each with a configuration and a table of 5 keys. */
export async function writeExperiment({ url, database, headers }, count) {
  for (let first = 0; first < count; first += JOBS_A_REQUEST) {
    let body = '';
    for (let at = first; at < Math.min(count, first + JOBS_A_REQUEST); at++) {
      for (const point of createPoints(at)) body += `${formatPoint(point)}\n`;
    }
    await send(url, `/write?db=${database}&precision=ns`, { method: 'POST', body, headers });
  }
}

function* createPoints(at) {
  const source = { job: String(1_000_000 + at), user: `user${at % 10}` };
  const startedMs = END_MS - (at + 1) * RUN_MS;
  const lr = 10 ** -(1 + (Math.floor(at / SEEDS) % 4));
  const config = JSON.stringify({ optimizer: { name: 'adam', lr }, seed: at % SEEDS, width: 2 ** (4 + (at % 7)) });
  const description = { name: 'train', config, tags: { experiment: LABEL.value }, startedMs, submittedMs: startedMs };
  yield createLabelPoint(source, LABEL, startedMs);
  yield createJobPoint(source, { ...description, state: 'COMPLETED', endedMs: startedMs + RUN_MS }, toNs(startedMs));
  for (const grid of HEARTBEAT_GRIDS) {
    const heartbeat = { state: 'COMPLETED', startedMs };
    yield createHeartbeatPoint(source, grid, findSlotStartMs(startedMs, grid), heartbeat);
  }
  const stats = createTableStats();
  for (let step = 0; step < ROWS; step++) {
    const loss = lr + 1 / (1 + step) + ((at * 7919) % 1000) / 10_000;
    const row = new Map(Object.entries({ step, loss, val_loss: loss * 1.1, acc: 1 / (1 + loss), lr }));
    foldRow(stats, row);
    followX(stats);
    yield* createMetadataPoints(source, SERIES, row, toNs(startedMs + 1000 * (1 + step)));
  }
  const keys = [...stats.columns.keys()];
  yield createSeriesPoint(source, {
    series: SERIES,
    keys,
    stats,
    x: 'step',
    rows: ROWS,
    timeNs: toNs(startedMs + 1000),
  });
}

/**
 * Compares all jobs of the experiment by their learning rate.
 * @returns {Promise<{ wallMs: number, jobs: number, rounds: number }>} the time until it is said which is better
 */
export async function measureComparison({ url, database, headers }) {
  let rounds = 0;
  const ask = async (statements) => {
    const form = new URLSearchParams({ q: printStatements(statements) });
    const body = form.toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await send(url, `/query?db=${database}`, { method: 'POST', body, headers: { ...type, ...headers } });
    return JSON.parse(answer.body).results;
  };
  const read = (reading) =>
    readAll(
      countRounds(reading, () => (rounds += 1)),
      ask
    );
  const startMs = performance.now();
  const jobs = await read(readLabelled({ labels: [LABEL], manifest: true }));
  const facts = compareJobs(jobs, { stat: 'min', nowMs: END_MS });
  const find = (wanted) => facts.find(({ name }) => name === wanted);
  const found = compareGroups(find('config.optimizer.lr'), find('val_loss'), { facts, stat: 'min' });
  if (found?.others.length !== 3) throw new Error('the groups of four learning rates were not compared');
  return { wallMs: performance.now() - startMs, jobs: jobs.length, rounds };
}

/** The same reading. Calls `count` for all that is asked at once. */
function* countRounds(reading, count) {
  let next = reading.next();
  while (!next.done) {
    if (!('soFar' in next.value) && next.value.length > 0) count();
    next = reading.next(yield next.value);
  }
  return next.value;
}
