import { spawn } from 'node:child_process';
import { Agent } from 'node:http';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, URLSearchParams } from 'node:url';
import { trackChild } from '../children.mjs';
import { DATABASE, findInfluxd, send, startInfluxdb } from '../influxdb.mjs';
import { measureServer } from '../process-cost.mjs';

const COMMAND = fileURLToPath(new URL('../../ingester/bin/joblens', import.meta.url));
const SECRET = 'a-secret-of-the-bench';
const HEADERS = { 'x-joblens-secret': SECRET, 'x-grafana-user': 'ann' };
/** What Grafana and several users have open at once. */
const CONNECTIONS = 16;
const REQUESTS = 4000;
/** For the time that one request takes: one after the other. */
const ONE_BY_ONE = 1000;
const LINES = 1000;
const STATEMENT = `SELECT "line", "kind" FROM "job_log" WHERE "job" = 'j-1' AND time >= 0 ORDER BY time DESC LIMIT 20`;

export const gateway = {
  name: 'gateway',
  work: `${REQUESTS} queries of 20 lines through joblens gateway, ${CONNECTIONS} at once`,
  peer: 'the same queries to the InfluxDB behind it',
  // A thread that takes 0.5 ms for each answers 2,000 a second.
  bar: { by: 'cpu', msAtMost: REQUESTS / 2 },
  findMissing: () => (findInfluxd() === undefined ? 'not on PATH: influxd (sudo apt-get install influxdb)' : undefined),

  async prepare({ folder }) {
    const store = await startInfluxdb(folder);
    const body = Array.from(
      { length: LINES },
      (_, at) => `job_log,job=j-1,user=ann,stream=stdout line="${at}",kind="output" ${at}`
    );
    await send(store.url, `/write?db=${DATABASE}`, { method: 'POST', body: body.join('\n') });
    const { url, child } = await startGateway(store.url, folder);
    const [ours, peers] = [[], []];
    const measure = async (at, pid, slowest) => {
      const cost = await measureServer(pid, () => askAll(at));
      slowest.push(await findP99Ms(at));
      return cost;
    };
    return {
      amount: REQUESTS,
      unit: ' requests',
      measurePeer: () => measure(store.url, store.pid, peers),
      measureOurs: () => measure(url, child.pid, ours),
      note: () => {
        const [mine, its] = [Math.min(...ours), Math.min(...peers)];
        const figures = `${mine.toFixed(2)} ms through it, ${its.toFixed(2)} ms without: ${(mine - its).toFixed(2)} ms added`;
        return `of 1,000 queries one by one, 99 % took at most ${figures}; the client shares the machine`;
      },
      async close() {
        child.kill('SIGTERM');
        await store.stop();
      },
    };
  },
};

async function startGateway(storeUrl, home) {
  const args = ['gateway', '--url', storeUrl, '--database', DATABASE, '--listen', '0'];
  const env = { PATH: process.env['PATH'], HOME: home, JOBLENS_GATEWAY_SECRET: SECRET, JOBLENS_LOG_LEVEL: 'info' };
  const child = spawn(COMMAND, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  trackChild(child, () => child.kill('SIGKILL'));
  let stderr = '';
  const url = await new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error(`joblens gateway did not start: ${stderr}`)));
    child.stderr.on('data', (text) => {
      stderr += text;
      const [, found] = /answering (http:\S+)\/query/.exec(stderr) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  return { url, child };
}

async function askAll(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const startMs = performance.now();
  let left = REQUESTS;
  const asking = Array.from({ length: CONNECTIONS }, async () => {
    while (left-- > 0) await ask(url, agent);
  });
  await Promise.all(asking);
  agent.destroy();
  return { wallMs: performance.now() - startMs };
}

async function findP99Ms(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = [];
  for (let at = 0; at < ONE_BY_ONE; at++) {
    const startMs = performance.now();
    await ask(url, agent);
    times.push(performance.now() - startMs);
  }
  agent.destroy();
  return times.sort((a, b) => a - b)[ONE_BY_ONE * 0.99];
}

async function ask(url, agent) {
  const path = `/query?${new URLSearchParams({ db: DATABASE, epoch: 'ns', q: STATEMENT }).toString()}`;
  const { body } = await send(url, path, { agent, headers: HEADERS });
  if (!body.includes('"981"')) throw new Error(`the newest lines are missing: ${body.slice(0, 300)}`);
}
