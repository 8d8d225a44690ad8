// A real InfluxDB 1.x for one measurement.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, URLSearchParams } from 'node:url';
import { trackChild } from './children.mjs';
import { findProgram } from './machine.mjs';

export const DATABASE = 'bench';
/** The configuration of the tests. */
const CONFIG = fileURLToPath(new URL('../test/influxdb.conf', import.meta.url));
const START_TIMEOUT_MS = 30_000;

/** The server, even if it is not on the user's PATH. */
export const findInfluxd = () => findProgram('influxd');

/**
 * Starts InfluxDB on free ports, with new data in a folder below `parent` and an empty database `bench`.
 * @returns {Promise<{ url: string, countPoints: (measurement: string, field: string) => Promise<number>,
 *   pid: number, readRequests: () => Promise<{ count: number, bytes: number }>,
 *   restart: () => Promise<void>, stop: () => Promise<void> }>} `readRequests`: the writes so far
 */
export async function startInfluxdb(parent) {
  const folder = await mkdtemp(join(parent, 'influxdb-'));
  const [rpcPort, httpPort] = [await findFreePort(), await findFreePort()];
  const configPath = join(folder, 'influxdb.conf');
  await writeFile(configPath, formatConfig(folder, rpcPort, httpPort));
  const url = `http://127.0.0.1:${httpPort}`;
  const run = () => {
    const server = spawn(findInfluxd(), ['run', '-config', configPath], { stdio: 'ignore' });
    trackChild(server, () => server.kill('SIGKILL'));
    return { server, ended: new Promise((resolve) => server.once('exit', resolve)) };
  };
  let { server, ended } = run();
  const end = async (signal) => {
    server.kill(signal);
    await ended;
  };
  const stop = async () => {
    await end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(url);
    await query(url, `CREATE DATABASE "${DATABASE}"`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    stop,
    get pid() {
      return server.pid;
    },
    async restart() {
      await end('SIGTERM');
      ({ server, ended } = run());
      await untilReady(url);
    },
    async countPoints(measurement, field) {
      const { results } = await query(url, `SELECT count("${field}") FROM "${measurement}"`);
      return results[0].series?.[0].values[0][1] ?? 0;
    },
    async readRequests() {
      const variables = JSON.parse((await send(url, '/debug/vars')).body);
      const [, { values }] = Object.entries(variables).find(([name]) => name.startsWith('httpd'));
      return { count: values.writeReq, bytes: values.writeReqBytes };
    },
  };
}

/** One HTTP request; fails unless the answer is 2xx. */
export function send(url, path, { method = 'GET', body, agent, headers } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, agent, headers }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.once('error', reject).once('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode >= 200 && answer.statusCode < 300) resolve({ status: answer.statusCode, body: text });
        else reject(new Error(`${method} ${path} gave ${answer.statusCode}: ${text.slice(0, 500)}`));
      });
    });
    sent.once('error', reject).end(body);
  });
}

async function query(url, text) {
  const parameters = new URLSearchParams({ q: text, db: DATABASE });
  return JSON.parse((await send(url, `/query?${parameters}`, { method: 'POST' })).body);
}

/** Resolves when it answers as InfluxDB does. */
export async function untilReady(url) {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const answer = await send(url, '/ping').catch(() => undefined);
    if (answer !== undefined) return;
    if (Date.now() > deadlineMs) throw new Error(`nobody answered ${url}/ping within ${START_TIMEOUT_MS / 1000} s`);
    await sleep(50);
  }
}

export async function findFreePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const formatConfig = (folder, rpcPort, httpPort) =>
  readFileSync(CONFIG, 'utf8')
    .replaceAll('@FOLDER@', folder)
    .replace('@RPC_PORT@', String(rpcPort))
    .replace('@HTTP_PORT@', String(httpPort))
    .replace('@AUTH_ENABLED@', 'false');
