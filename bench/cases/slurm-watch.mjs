import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { trackChild } from '../children.mjs';
import { environmentOf } from '../joblens.mjs';
import { measureProcess, measureServer } from '../process-cost.mjs';

const COMMAND = new URL('../../ingester/dist/joblens.js', import.meta.url).pathname;
const NODES = 1000;
const JOBS_A_NODE = 10;
const WINDOW_S = 10;
/** All that squeue 22.05 says of jobs. */
const TEMPLATE = new URL('../../ingester/src/sources/slurm/testing/squeue-22.05-first.txt', import.meta.url);

export const slurmWatch = {
  name: 'slurm-watch',
  work: `${WINDOW_S} s of joblens watch --slurm beside ${NODES * JOBS_A_NODE} jobs on ${NODES} nodes that print nothing, with one question to squeue`,
  peer: 'a Node that only parses that answer of squeue',
  bar: { by: 'cpu', timeAtMost: 60 },

  async prepare({ folder, isShort }) {
    const watch = await startWatch(folder, isShort ? NODES : NODES * JOBS_A_NODE);
    return {
      amount: 1,
      unit: 'starts',
      measurePeer: () => measureProcess([process.execPath, '-e', PARSE, watch.queuePath]),
      measureOurs: () => watch.measureWindow(),
      note: () => watch.describe(),
    };
  },
};

const PARSE = `JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))`;

/** A watch that has read the first line of each job, and waits for more. */
async function startWatch(folder, jobCount) {
  const at = (...names) => join(folder, ...names);
  for (const name of ['bin', 'out']) mkdirSync(at(name));
  const jobs = listJobs(at('out'), jobCount);
  writeFileSync(at('queue.json'), JSON.stringify({ errors: [], jobs }));
  for (const { standard_output: path, start_time: startS } of jobs) {
    writeFileSync(path, 'begin\n');
    // A file that has not changed for long is read as seldom as ever.
    utimesSync(path, startS + 1, startS + 1);
  }
  const ask = `#!/bin/sh\ncat '${at('queue.json')}'\necho asked >>'${at('asked')}'\n`;
  writeFileSync(at('bin', 'squeue'), ask, { mode: 0o755 });
  writeFileSync(at('bin', 'sacct'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const env = { ...environmentOf(folder), PATH: `${at('bin')}:${process.env.PATH}` };
  const args = ['--mode', 'enabled', '--out', at('points.lp'), '--health', 'off', '--log-level', 'error'];
  const asking = ['--hook-file', 'off', '--slurm-interval', String(WINDOW_S)];
  const begunMs = performance.now();
  const child = spawn(process.execPath, [COMMAND, 'watch', '--slurm', ...asking, ...args], { env, stdio: 'ignore' });
  trackChild(child, () => child.kill('SIGKILL'));
  const countAsked = () => (existsSync(at('asked')) ? statSync(at('asked')).size / 'asked\n'.length : 0);
  const countLogged = () => countLines(at('points.lp'));
  while (countLogged() < jobCount) {
    if (child.exitCode !== null) throw new Error(`watch ended with ${child.exitCode}`);
    await sleep(1000);
  }
  const startS = (performance.now() - begunMs) / 1000;
  return {
    queuePath: at('queue.json'),
    /** From one question to the next. */
    async measureWindow() {
      const untilAsked = async () => {
        const before = countAsked();
        while (countAsked() === before) await sleep(50);
      };
      await untilAsked();
      return measureServer(child.pid, async () => {
        const fromMs = performance.now();
        await untilAsked();
        return { wallMs: performance.now() - fromMs };
      });
    },
    describe() {
      const peakMb = Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
      return `${jobCount} jobs; all were followed ${startS.toFixed(0)} s after the start; ${peakMb.toFixed(0)} MiB of memory at most`;
    },
  };
}

function listJobs(folder, count) {
  const found = JSON.parse(readFileSync(TEMPLATE, 'utf8')).jobs.find(({ job_state: state }) => state === 'RUNNING');
  const startS = Math.floor(Date.now() / 1000) - 3600;
  return Array.from({ length: count }, (_, i) => {
    const path = join(folder, `slurm-${i + 1}.out`);
    return {
      ...found,
      ...{ job_id: i + 1, name: `train (${i})`, user_id: process.getuid(), user_name: 'bench' },
      ...{ nodes: `node${i % NODES}`, batch_host: `node${i % NODES}`, submit_time: startS - 1, start_time: startS },
      ...{ standard_output: path, standard_error: path },
    };
  });
}

function countLines(path) {
  return existsSync(path) ? (readFileSync(path, 'utf8').match(/^job_log,/gm) ?? []).length : 0;
}
