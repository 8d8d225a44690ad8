/**
 * Whether `joblens serve` keeps up with 10,000 points a second that name a job, by UDP, and makes rows of all that its
 * socket took: `node bench/micro/points-of-jobs.mjs [seconds] [points a second]`, after `npm run build`. Exits with 1
 * when a point or a row is missing.
 */
import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { argv, exit, stdout } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE, send, startInfluxdb } from '../influxdb.mjs';
import { measureServer } from '../process-cost.mjs';
import { startServe } from '../serve.mjs';

const SECONDS = Number(argv[2] ?? 60);
const RATE = Number(argv[3] ?? 10_000);
const POINTS = SECONDS * RATE;
const RANKS = 8;
const BURST_MS = 5;
const LOOK_MS = 200;

const folder = mkdtempSync(join(tmpdir(), 'joblens-points-'));
const store = await startInfluxdb(folder);
const serve = await startServe(['--url', store.url, '--database', DATABASE], folder);
try {
  const readLost = async () => {
    const { body } = await send(serve.healthUrl, '/metrics');
    return Number(/^joblens_datagrams_lost_total (\d+)$/m.exec(body)?.[1] ?? 0);
  };
  const countPoints = () => store.countPoints('training_loss', 'value');
  const cost = await measureServer(serve.child.pid, async () => {
    const wallMs = await sendAll(serve.udpPort);
    while ((await countPoints()) + (await readLost()) < POINTS) await sleep(LOOK_MS);
    return { wallMs };
  });
  const memoryMb = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${serve.child.pid}/status`, 'utf8'))?.[1]) / 1024;
  const lost = await readLost();
  await serve.stop();
  const [points, rows] = [await countPoints(), await store.countPoints('job_metadata', 'iteration')];
  const sum = `SELECT sum("rows") FROM "job_series"`;
  const { body } = await send(store.url, `/query?db=${DATABASE}&q=${encodeURIComponent(sum)}`);
  const counted = JSON.parse(body).results[0].series[0].values[0][1];
  stdout.write(
    `${POINTS} points in ${(cost.wallMs / 1000).toFixed(1)} s: ${points} stored, ${lost} lost by the system, ` +
      `${rows} rows, ${counted} counted; ${(cost.cpuMs / 1000).toFixed(1)} s of CPU time, ${memoryMb.toFixed(0)} MB\n`
  );
  if (points + lost !== POINTS || rows !== points || counted !== points) exit(1);
} finally {
  await serve.stop();
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Sends them at an even rate. Returns how long that took. */
async function sendAll(port) {
  const socket = createSocket('udp4');
  const beganMs = performance.now();
  for (let i = 0; i < POINTS; i += 1) {
    const line = `training_loss,job_id=7,rank=${i % RANKS},user=ann iteration=${i}i,value=${1 / (1 + i)}`;
    await new Promise((resolve) => socket.send(line, port, '127.0.0.1', resolve));
    const aheadMs = (i / RATE) * 1000 - (performance.now() - beganMs);
    if (aheadMs > BURST_MS) await sleep(aheadMs);
  }
  socket.close();
  return performance.now() - beganMs;
}
