import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { Environment } from '../host/host.js';
import { killGroup } from '../host/run-to-end.js';

export interface ProgramOptions {
  readonly folder: string;
  readonly environment: Environment;
  /** The most output; more is an error. */
  readonly maxBytes?: number;
}

/** Runs a program and gives its output. The error says why there is none, in a few words. */
export type RunBounded = (
  program: string,
  args: readonly string[],
  options: ProgramOptions
) => Promise<Result<Buffer, string>>;

const LOWEST_PRIORITY = 19;
const LOOK_MS = 20;
/** USER_HZ is 100 on all machines that Node runs on (sysconf(3)). */
const MS_PER_TICK = 10;
const MAX_BYTES = 16 * 2 ** 20;
/** Fields of /proc/PID/stat behind the name of the program: its own times, and those of children that have ended. */
const [OWN_TICKS, CHILD_TICKS] = [11, 13];

/**
 * Runs programs one after the other, at the lowest priority and apart from the processes of the command. All together
 * may use only so much of a processor, and are ended when they have, or when they are to stop.
 */
export class BoundedPrograms {
  readonly #maxCpuMs: number;
  readonly #atStartMs = readChildMs();
  #running: ChildProcess | undefined;
  #stopped: string | undefined;

  constructor(maxCpuMs: number) {
    this.#maxCpuMs = maxCpuMs;
  }

  /** Why nothing runs any more. */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** Ends what runs, and lets nothing run any more. */
  stop(reason: string): void {
    this.#stopped ??= reason;
    if (this.#running?.exitCode === null) killGroup(this.#running);
  }

  readonly run: RunBounded = (program, args, { folder, environment, maxBytes = MAX_BYTES }) => {
    if (this.#stopped !== undefined) return Promise.resolve(err(this.#stopped));
    const child = spawn(program, args, {
      ...{ cwd: folder, env: { ...environment }, detached: true },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    lowerPriority(child.pid);
    this.#running = child;
    const watch = setInterval(() => this.#look(child), LOOK_MS);
    return collect(child, maxBytes).then((result) => {
      clearInterval(watch);
      this.#running = undefined;
      if (this.#stopped === undefined) this.#look(undefined);
      return this.#stopped === undefined || result.ok ? result : err(this.#stopped);
    });
  };

  #look(child: ChildProcess | undefined): void {
    const usedMs = readChildMs() - this.#atStartMs + readOwnMs(child?.pid);
    if (usedMs >= this.#maxCpuMs) this.stop(`it takes more than ${this.#maxCpuMs / 1000} s of a processor`);
  }
}

function collect(child: ChildProcess, maxBytes: number): Promise<Result<Buffer, string>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let errors = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else if (child.exitCode === null) killGroup(child);
  });
  child.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2000)));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(err(`${child.spawnfile} cannot be run: ${error.message}`)));
    child.once('close', (code, signal) => {
      if (bytes > maxBytes) resolve(err(`it has more than ${maxBytes / 2 ** 20} MiB`));
      else if (code === 0) resolve(ok(Buffer.concat(chunks)));
      else resolve(err(findFault(errors) || `${child.spawnfile} ended with ${code ?? signal}`));
    });
  });
}

/** The line that says why, without the warnings before it. */
function findFault(errors: string): string | undefined {
  const lines = errors.trim().split('\n');
  return lines.find((line) => /^(?:error|fatal):/.test(line)) ?? lines[0];
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LOWEST_PRIORITY);
  } catch {
    // It has ended already.
  }
}

function readChildMs(): number {
  return readTicks('self', CHILD_TICKS) * MS_PER_TICK;
}

function readOwnMs(pid: number | undefined): number {
  return pid === undefined ? 0 : (readTicks(pid, OWN_TICKS) + readTicks(pid, CHILD_TICKS)) * MS_PER_TICK;
}

/** User and system time from a field on (proc(5)). */
function readTicks(pid: number | 'self', field: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[field]) + Number(fields[field + 1]);
  } catch {
    return 0;
  }
}
