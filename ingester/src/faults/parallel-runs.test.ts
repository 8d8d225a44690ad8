import { readFileSync, readdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { randomCases } from '../../../test/random-cases.js';
import { prepareJoblens, until } from '../testing/joblens.js';
import { readLog, storePoints } from '../testing/stored-points.js';

/** Runs at once. */
const RUNS = randomCases(24);
const LINES = ['one', 'two', 'three'];
jest.setTimeout(300_000 + 3000 * RUNS);

const joblens = prepareJoblens();
const written: string[] = [];
/** Answers that are held back. */
const held: ServerResponse[] = [];
let isHolding = false;
const store = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    written.push(...Buffer.concat(chunks).toString().split('\n').slice(0, -1));
    response.statusCode = 204;
    response.setHeader('x-influxdb-version', '1.8.10');
    if (isHolding) held.push(response);
    else response.end();
  });
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
});
afterAll(() => {
  joblens.remove();
  store.closeAllConnections();
  store.close();
});

const readLogOf = (job: string): string[] =>
  readLog(storePoints(written.filter((line) => line.includes(`job=${job},`))));

function runArgs(job: string, ...options: string[]): string[] {
  const spool = join(joblens.folder, 'state', 'spool');
  const to = ['--mode', 'enabled', '--job', job, '--url', url, '--api', 'v1', '--spool', spool];
  return ['run', ...to, ...options, '--', 'sh', '-c', LINES.map((line) => `echo ${line}`).join('; ')];
}

it('logs all of many runs at once that share a spool, and says nothing', async () => {
  const jobs = Array.from({ length: RUNS }, (_, i) => `many-${i}`);
  const ended = await Promise.all(jobs.map((job) => joblens.run(runArgs(job))));
  const stdout = Buffer.from(LINES.map((line) => `${line}\n`).join(''));
  expect(ended).toEqual(jobs.map(() => ({ code: 0, stdout, stderr: '' })));
  expect(jobs.map(readLogOf)).toEqual(jobs.map(() => LINES));
  expect(readdirSync(join(joblens.folder, 'state', 'spool'))).toEqual([]);
});

/** Sends a signal to all processes of a job, as a batch system does: also to those with a session of their own. */
function signalJob(pid: number, signal: NodeJS.Signals): void {
  const parentOf = new Map(readdirSync('/proc').flatMap((name) => readParent(Number(name))));
  const isOfJob = (each: number | undefined): boolean =>
    each !== undefined && (each === pid || isOfJob(parentOf.get(each)));
  for (const each of parentOf.keys()) {
    try {
      if (isOfJob(each)) process.kill(each, signal);
    } catch {
      // It has just ended.
    }
  }
}

/** The process and its parent; nothing of one that is gone. */
function readParent(pid: number): ReadonlyArray<readonly [pid: number, parent: number]> {
  try {
    const [, parent] = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return parent === undefined ? [] : [[pid, Number(parent)]];
  } catch {
    return [];
  }
}

it('does not take the time that it was suspended for a fault', async () => {
  isHolding = true;
  // It waits 6 s for its end at most.
  const child = joblens.start(runArgs('suspended', '--drain-timeout', '1'));
  await until(() => held.length > 0 && child.stdout().includes('three'));
  signalJob(child.pid, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 7000));
  isHolding = false;
  for (const response of held.splice(0)) response.end();
  signalJob(child.pid, 'SIGCONT');
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(child.stderr().toString()).toBe('');
  expect(readLogOf('suspended')).toEqual(LINES);
});
