// A job in InfluxDB that has run for a while, and goes on.
import { setTimeout as sleep } from 'node:timers/promises';
import { formatPoint } from '../../../core/dist/point/line-protocol.js';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '../../../core/dist/schema/heartbeat-point.js';
import { createJobPoint } from '../../../core/dist/schema/job-point.js';
import { DATABASE, send } from '../../influxdb.mjs';
import { createLogWriter } from './log.mjs';
import { createTableWriter, MS_A_ROW } from './table.mjs';

/** A row and a line. */
const PRINT_EVERY_MS = 200;

/**
 * A job that has printed so many rows and lines, one each 10 ms until now. It prints one more of each 5 times a second
 * until it is stopped.
 * @returns {Promise<{ name: string, fromMs: number, countLines: () => number, stop: () => Promise<void> }>}
 *   `countLines`: those that the store has
 */
export async function startRunningJob(url, name, rows) {
  let nowMs = Date.now();
  const fromMs = nowMs - rows * MS_A_ROW;
  const timeOfMs = (at) => (at < rows ? fromMs + at * MS_A_ROW : nowMs);
  const table = createTableWriter(url, name, { timeOfMs });
  const log = createLogWriter(url, name, { timeOfMs });
  const points = [...describeJob(name, fromMs, nowMs)].map((point) => `${formatPoint(point)}\n`);
  await send(url, `/write?db=${DATABASE}&precision=ns`, { method: 'POST', body: points.join('') });
  await table.write(rows);
  await log.write(rows);
  let lines = rows;
  let isStopped = false;
  const print = async () => {
    while (!isStopped) {
      nowMs = Date.now();
      await table.write(1);
      await log.write(1);
      lines += 1;
      await sleep(PRINT_EVERY_MS - (Date.now() % PRINT_EVERY_MS));
    }
  };
  const printing = print();
  return {
    name,
    fromMs,
    countLines: () => lines,
    stop: () => {
      isStopped = true;
      return printing;
    },
  };
}

function* describeJob(job, startedMs, nowMs) {
  const source = { job, user: 'bench' };
  const description = { name: job, state: 'RUNNING', command: 'python train.py', nodes: 1, startedMs };
  yield createJobPoint(source, description, BigInt(startedMs) * 1_000_000n);
  for (const grid of HEARTBEAT_GRIDS) {
    for (let slot = findSlotStartMs(startedMs, grid); slot <= nowMs; slot += grid.slotMs) {
      yield createHeartbeatPoint(source, grid, slot, { state: 'RUNNING', startedMs });
    }
  }
}
