import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Environment } from '../host/host.js';

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

/** One process gives all answers, as starting nvidia-smi is what costs. If we are killed, its next answer ends it. */
export function watchGpus(selection: GpuSelection, intervalMs: number, start: StartProgram = startProgram): GpuWatch {
  const readings = new Map<number, GpuReading>();
  let isStarting = selection === 'all' || selection.length > 0;
  if (!isStarting) return { isStarting, readings, close: () => undefined };
  const child = start('nvidia-smi', [
    ...(selection === 'all' ? [] : [`--id=${selection.join(',')}`]),
    '--query-gpu=index,utilization.gpu,memory.used',
    '--format=csv,noheader,nounits',
    `--loop=${Math.max(1, Math.round(intervalMs / 1000))}`,
  ]);
  // Not installed here.
  child.once('error', () => (isStarting = false));
  child.once('exit', () => {
    isStarting = false;
    readings.clear();
  });
  if (child.stdout !== null) {
    createInterface(child.stdout).on('line', (line) => {
      const [index, reading] = parseGpuLine(line) ?? [];
      if (index === undefined || reading === undefined) return;
      isStarting = false;
      readings.set(index, reading);
    });
  }
  return {
    get isStarting() {
      return isStarting;
    },
    readings,
    close: () => void child.kill(),
  };
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
