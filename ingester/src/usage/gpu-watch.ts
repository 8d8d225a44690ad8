import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Clock } from '../clock/clock.js';
import { nameErrorCode } from '../host/file-error.js';
import type { Environment } from '../host/host.js';
import type { Reporter } from '../host/report.js';

export interface GpuReading {
  readonly percent: number | undefined;
  readonly memoryBytes: number | undefined;
}

/** The use of the job's GPUs, as of the newest answer of nvidia-smi. */
export interface GpuWatch {
  /** Whether the first answer has not come yet. */
  readonly isStarting: boolean;
  /** By nvidia-smi's number of the GPU; empty without an answer. */
  readonly readings: ReadonlyMap<number, GpuReading>;
  close(): void;
}

export type StartProgram = (program: string, args: readonly string[]) => ChildProcess;

/** The GPUs of a job: all, the named ones, or none. */
export type GpuSelection = 'all' | readonly string[];

/**
 * The job's GPUs by its environment: CUDA_VISIBLE_DEVICES, which Slurm sets too. A job of Slurm without it has none. A
 * part of a GPU (MIG) has no figures of its own, so it is left out.
 */
export function selectGpus(environment: Environment): GpuSelection {
  const visible = environment['CUDA_VISIBLE_DEVICES'];
  if (visible === undefined) return environment['SLURM_JOB_ID'] === undefined ? 'all' : [];
  return visible
    .split(',')
    .map((id) => id.trim())
    .filter((id) => /^(\d+|GPU-[\w-]+)$/.test(id));
}

const MIB = 2 ** 20;

/** How long until nvidia-smi is started again, at first and at most. */
const FIRST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 600_000;
/** nvidia-smi that has said nothing for so long, besides its pauses, hangs: it then gives no answer any more. */
const SILENT_MS = 60_000;

interface GpuWatchOptions {
  readonly selection: GpuSelection;
  readonly intervalMs: number;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly report: Pick<Reporter, 'info' | 'warn' | 'debug'>;
  readonly start?: StartProgram;
}

/** One process gives all answers, as starting nvidia-smi is what costs. If we are killed, its next answer ends it. */
export function watchGpus(options: GpuWatchOptions): GpuWatch {
  const { selection } = options;
  if (selection !== 'all' && selection.length === 0) {
    return { isStarting: false, readings: new Map(), close: () => undefined };
  }
  return new NvidiaSmi(options);
}

/** A program that answers until it ends, for instance when the driver is updated. Then it is started again. */
class NvidiaSmi implements GpuWatch {
  readonly #options: GpuWatchOptions;
  readonly readings = new Map<number, GpuReading>();
  isStarting = true;
  readonly #closed = new AbortController();
  #child: ChildProcess | undefined;
  #hasEverAnswered = false;
  /** It ended, and has not answered since. */
  #isAway = false;
  #retryMs = FIRST_RETRY_MS;
  /** How many lines have come. */
  #lines = 0;

  constructor(options: GpuWatchOptions) {
    this.#options = options;
    this.#start();
  }

  close(): void {
    this.#closed.abort();
    this.#child?.kill();
    this.#child?.stdout?.destroy();
  }

  #start(): void {
    const { selection, intervalMs, start = startProgram } = this.#options;
    const child = start('nvidia-smi', [
      ...(selection === 'all' ? [] : [`--id=${selection.join(',')}`]),
      '--query-gpu=index,utilization.gpu,memory.used',
      '--format=csv,noheader,nounits',
      `--loop=${Math.max(1, Math.round(intervalMs / 1000))}`,
    ]);
    this.#child = child;
    child.once('error', (error) => this.#noteEnd(nameErrorCode(error)));
    child.once('exit', (code, signal) => this.#noteEnd(signal ?? `exit code ${code}`));
    if (child.stdout !== null) createInterface(child.stdout).on('line', (line) => this.#take(line));
    void this.#endIfSilent(child);
  }

  /** What it said last is no reading of now. It is started again once it has ended, which it may never do. */
  async #endIfSilent(child: ChildProcess): Promise<void> {
    const { clock, intervalMs, report } = this.#options;
    const ended = new AbortController();
    child.once('error', () => ended.abort());
    child.once('exit', () => ended.abort());
    this.#closed.signal.addEventListener('abort', () => ended.abort(), { signal: ended.signal });
    for (let known = -1; known !== this.#lines;) {
      known = this.#lines;
      await clock.sleep(SILENT_MS + 3 * intervalMs, ended.signal);
      if (ended.signal.aborted) return;
    }
    this.isStarting = false;
    this.readings.clear();
    if (!this.#isAway)
      report[this.#hasEverAnswered ? 'warn' : 'debug'](
        'nvidia-smi hangs: nothing is known of the GPUs until it answers again'
      );
    this.#isAway = true;
    child.kill('SIGKILL');
    // What it has started may hold the pipe.
    child.stdout?.destroy();
  }

  #take(line: string): void {
    this.#lines += 1;
    const [index, reading] = parseGpuLine(line) ?? [];
    if (index === undefined || reading === undefined) return;
    this.isStarting = false;
    this.readings.set(index, reading);
    if (this.#isAway && this.#hasEverAnswered) this.#options.report.info('nvidia-smi answers again');
    this.#isAway = false;
    this.#hasEverAnswered = true;
    this.#retryMs = FIRST_RETRY_MS;
  }

  #noteEnd(how: string): void {
    this.isStarting = false;
    this.readings.clear();
    const { signal } = this.#closed;
    // Where it is not installed, nobody waits for it.
    if (signal.aborted || (how === 'ENOENT' && !this.#hasEverAnswered)) return;
    const { clock, report } = this.#options;
    const message = `nvidia-smi has ended (${how}): nothing is known of the GPUs until it answers again; it is started again`;
    if (!this.#isAway) report[this.#hasEverAnswered ? 'warn' : 'debug'](message);
    this.#isAway = true;
    const waitMs = this.#retryMs;
    this.#retryMs = Math.min(LONGEST_RETRY_MS, waitMs * 2);
    void clock.sleep(waitMs, signal).then(() => {
      if (!signal.aborted) this.#start();
    });
  }
}

/** A line `0, 97, 30123`: index, %, MiB. What a GPU does not tell is `[N/A]`. */
export function parseGpuLine(line: string): readonly [index: number, reading: GpuReading] | undefined {
  const [index, percent, mebibytes] = line.split(',').map((text) => {
    const digits = text.trim();
    return /^\d+(\.\d+)?$/.test(digits) ? Number(digits) : undefined;
  });
  if (index === undefined) return undefined;
  return [index, { percent, memoryBytes: mebibytes === undefined ? undefined : mebibytes * MIB }];
}

function startProgram(program: string, args: readonly string[]): ChildProcess {
  return spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
}
