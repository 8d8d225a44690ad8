// Starts a `joblens serve` on free ports.
import { spawn } from 'node:child_process';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { trackChild } from './children.mjs';

const COMMAND = fileURLToPath(new URL('../ingester/bin/joblens', import.meta.url));
/** Nobody listens there. */
export const AWAY = ['--url', 'http://127.0.0.1:9', '--api', 'v1'];
const START_TIMEOUT_MS = 10_000;
/** Its message when it takes points, which says where. */
const STARTED =
  /receiving line protocol on (http:\S+), udp:\/\/\S+:(\d+), tcp:\/\/\S+:(\d+), .*\n.* answering (http:\S+)\/health.*\n/;

/**
 * @typedef {object} StartedServe
 * @property {import('node:child_process').ChildProcess} child
 * @property {string} httpUrl
 * @property {number} udpPort
 * @property {number} tcpPort
 * @property {string} healthUrl
 * @property {() => string} its stderr, without the lines that say where it listens
 * @property {() => Promise<void>} stop resolves when it has ended
 */

/**
 * Starts it and resolves when it takes points.
 * @param {string[]} args where to write to, and other options
 * @param {string} home a folder without settings, also for the spool
 * @returns {Promise<StartedServe>}
 */
export async function startServe(args, home) {
  const anyPort = ['--http', '--udp', '--tcp', '--health'].flatMap((option) => [option, '0']);
  const child = spawn(COMMAND, ['serve', ...anyPort, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: home },
  });
  trackChild(child, () => child.kill('SIGKILL'));
  let stderr = '';
  const ended = new Promise((resolve) => child.once('close', resolve));
  await new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`joblens serve did not start: ${stderr}`));
    const timer = setTimeout(fail, START_TIMEOUT_MS);
    child.once('close', fail);
    child.stderr.on('data', (text) => {
      stderr += text;
      if (!STARTED.test(stderr)) return;
      clearTimeout(timer);
      resolve();
    });
  });
  const [, httpUrl, udpPort, tcpPort, healthUrl] = STARTED.exec(stderr);
  return {
    ...{ child, httpUrl, udpPort: Number(udpPort), tcpPort: Number(tcpPort), healthUrl },
    said: () => stderr.replace(STARTED, ''),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
