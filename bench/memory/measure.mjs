// Measures one case: runs joblens as it is shipped, in a process of its own, and reads the most memory that it took.
import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startServed } from './serve.mjs';
import { startStore } from './store.mjs';
import { watchMemory } from './resident-memory.mjs';

const COMMAND = fileURLToPath(new URL('../../ingester/bin/joblens', import.meta.url));
const PRINT = fileURLToPath(new URL('print.mjs', import.meta.url));
const NO_LIMIT = ['--limit-bytes', '0', '--limit-lines', '0'];
/** A watch with nothing new to read for this long has read everything. */
const QUIET_MS = 3000;
const LOOK_MS = 250;

/**
 * @param {import('./cases.mjs').MemoryCase} memoryCase
 * @param {{ folder: string, amount: number }} context an empty folder
 * @returns {Promise<{ mebibytes: number, seconds: number, said: string }>}
 */
export async function measureMemory(memoryCase, { folder, amount }) {
  const { command, kind, store: storeKind, options = [] } = memoryCase;
  const store = storeKind === 'file' ? undefined : await startStore(storeKind);
  const destination = store === undefined ? ['--out', join(folder, 'points.lp')] : ['--url', store.url, '--api', 'v1'];
  const print = [process.execPath, PRINT, kind, String(amount)];
  const startMs = Date.now();
  const start = (args, stdin = 'ignore') => {
    const all = [command, '--mode', 'enabled', ...NO_LIMIT, ...destination, ...options, ...args];
    return spawn(COMMAND, all, {
      stdio: [stdin, 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: folder, JOBLENS_LOG_LEVEL: 'warn' },
    });
  };
  try {
    const { child, finish } =
      command === 'serve'
        ? await startServed({ kind, amount, args: [...destination, ...options], folder })
        : await { pipe: startPipe, run: startRun, watch: startWatch }[command](start, print, memoryCase, folder);
    const readMost = watchMemory(child);
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    const ended = new Promise((resolve) => child.once('close', resolve));
    await finish?.(child);
    await ended;
    return { mebibytes: readMost(), seconds: (Date.now() - startMs) / 1000, said };
  } finally {
    store?.stop();
  }
}

function startRun(start, print) {
  return { child: start(['--job', 'memory', '--', ...print]) };
}

function startPipe(start, [program, ...args]) {
  const printer = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const child = start(['--job', 'memory'], printer.stdout);
  // Only joblens holds this end of the pipe.
  printer.stdout.destroy();
  return { child };
}

/** The files are there already, or they grow while they are watched. */
async function startWatch(start, [program, ...args], { files = 1 }, folder) {
  const watched = join(folder, 'files');
  mkdirSync(watched);
  const child = start([watched, '--health', 'off']);
  const paths = Array.from({ length: files }, (_, i) => join(watched, `job-${i}.out`));
  const printed = files === 1 ? printToFile(program, args, paths[0]) : growAll(program, args, paths);
  const finish = async () => {
    await printed;
    await untilQuiet(child.pid);
    child.kill('SIGTERM');
  };
  return { child, finish };
}

async function printToFile(program, args, path) {
  const fd = openSync(path, 'w');
  const printer = spawn(program, args, { stdio: ['ignore', fd, 'inherit'] });
  closeSync(fd);
  await new Promise((resolve) => printer.once('close', resolve));
}

/** Distributes the output over the files, piece by piece. */
async function growAll(program, args, paths) {
  const printer = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let next = 0;
  for await (const part of printer.stdout) {
    for (let at = 0; at < part.length; at += 4096)
      appendFileSync(paths[next++ % paths.length], part.subarray(at, at + 4096));
    await sleep(1);
  }
}

/** Resolves when the process has used next to no processor time for a while. */
async function untilQuiet(pid) {
  const { readFileSync } = await import('node:fs');
  const readTicks = () => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  for (let quietMs = 0, ticks = readTicks(); quietMs < QUIET_MS; quietMs += LOOK_MS) {
    await sleep(LOOK_MS);
    const now = readTicks();
    if (now - ticks > 8) quietMs = 0;
    ticks = now;
  }
}
