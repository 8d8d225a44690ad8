// Measures CPU and wall time of another process.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { trackChild } from './children.mjs';

/** bash reports the time of a command and of everything that it waited for. It leaves a SIGTERM to the command. */
const TIME_COMMAND = `TIMEFORMAT='%3R %3U %3S'; trap : TERM; exec 4>&2 2>&3; time "$@" 2>&4 3>&- 4>&-`;
const MS_A_TICK = 10;

/**
 * Runs a command to its end.
 * @param {string[]} command program and arguments
 * @param {object} [options]
 * @param {string} [options.stdin] path of a file to read; otherwise there is nothing to read
 * @param {string} [options.stdout] path of a file to write; otherwise the output is returned
 * @param {Record<string, string>} [options.env] in addition to PATH
 * @param {() => Promise<void>} [options.untilDone] for a command that never ends: it gets a SIGTERM when this resolves
 * @returns {Promise<{ cpuMs: number, wallMs: number, stdout: string }>} fails unless the exit code is 0
 */
export async function measureProcess(command, { stdin = '/dev/null', stdout, env, untilDone } = {}) {
  const files = [openSync(stdin, 'r'), ...(stdout === undefined ? [] : [openSync(stdout, 'w')])];
  try {
    const child = spawn('bash', ['-c', TIME_COMMAND, 'bash', ...command], {
      stdio: [files[0], files[1] ?? 'pipe', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], ...env },
      // In a group of its own, so that a signal reaches the command too.
      detached: true,
    });
    trackChild(child, () => process.kill(-child.pid, 'SIGKILL'));
    const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
    if (untilDone !== undefined) await stopAfter(untilDone(), child, ended);
    const [printed, errors, times, code] = await Promise.all([
      child.stdout === null ? '' : readAll(child.stdout),
      readAll(child.stderr),
      readAll(child.stdio[3]),
      ended,
    ]);
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${errors.slice(-2000)}`);
    const [wallS, userS, systemS] = times.trim().split(' ').map(Number);
    return { cpuMs: (userS + systemS) * 1000, wallMs: wallS * 1000, stdout: printed };
  } finally {
    for (const fd of files) closeSync(fd);
  }
}

/**
 * Measures the CPU time of a running server during some work of its clients.
 * @param {number} pid
 * @param {() => Promise<{ wallMs: number }>} work
 */
export async function measureServer(pid, work) {
  const startMs = readCpuMs(pid);
  const { wallMs } = await work();
  return { cpuMs: readCpuMs(pid) - startMs, wallMs };
}

/** Read from proc(5), so Linux only. */
function readCpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_A_TICK;
}

/** If it ends too early, or the wait fails, the caller gets an exit code or an error. */
async function stopAfter(done, child, ended) {
  try {
    await Promise.race([done, ended]);
  } finally {
    if (child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
  }
}

async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/**
 * Runs a program of programs/ that measures its own work and prints it, so that its start and its reading do not count.
 * @returns {Promise<{ cpuMs: number, wallMs: number, result: unknown }>}
 */
export async function measureWork(program, args) {
  const { stdout } = await measureProcess([process.execPath, program, ...args]);
  return JSON.parse(stdout);
}
