import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { HOUR_MS } from '@joblens/core/numbers/time-units';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { Environment } from '../host/host.js';
import { explainEnd, runToEnd } from '../host/run-to-end.js';

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
/** What takes no processor time waits, as for a file server. It is stopped with the job at the latest. */
const TIMEOUT_MS = HOUR_MS;
/** Fields of /proc/PID/stat behind the name of the program: its own times, and those of children that have ended. */
const [OWN_TICKS, CHILD_TICKS] = [11, 13];

/**
 * Runs programs one after the other, at the lowest priority and apart from the processes of the command. All together
 * may use only so much of a processor, and are ended when they have, or when they are to stop.
 */
export class BoundedPrograms {
  readonly #maxCpuMs: number;
  readonly #atStartMs = readChildMs();
  readonly #stop = new AbortController();
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
    this.#stop.abort();
  }

  readonly run: RunBounded = async (program, args, { folder, environment, maxBytes = MAX_BYTES }) => {
    if (this.#stopped !== undefined) return err(this.#stopped);
    let pid: number | undefined;
    const watch = setInterval(() => this.#look(pid), LOOK_MS);
    const limits = { folder, environment, maxBytes, timeoutMs: TIMEOUT_MS, stop: this.#stop.signal };
    const end = await runToEnd(program, args, { ...limits, onStart: (started) => lowerPriority((pid = started)) });
    clearInterval(watch);
    this.#look(undefined);
    if (end.kind === 'ended' && end.code === 0) return ok(end.stdout);
    if (this.stopped !== undefined) return err(this.stopped);
    if (end.kind === 'too-much') return err(`it has more than ${maxBytes / 2 ** 20} MiB`);
    const fault = end.kind === 'ended' ? findFault(end.stderr.toString()) : '';
    return err(fault === '' ? `${program} ${explainEnd(end, limits)}` : fault);
  };

  #look(pid: number | undefined): void {
    const usedMs = readChildMs() - this.#atStartMs + readOwnMs(pid);
    if (usedMs >= this.#maxCpuMs) this.stop(`it takes more than ${this.#maxCpuMs / 1000} s of a processor`);
  }
}

/** The line that says why, without the warnings before it. */
function findFault(errors: string): string {
  const lines = errors.trim().split('\n');
  return lines.find((line) => /^(?:error|fatal):/.test(line)) ?? lines[0] ?? '';
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, LOWEST_PRIORITY);
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
