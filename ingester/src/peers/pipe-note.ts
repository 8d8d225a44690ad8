import { type BigIntStats, fstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ifThere } from '@joblens/core/result/is-gone';
import { parseJsonObject } from '@joblens/core/json/bounded-json';

const KINDS = ['run', 'pipe'] as const;
const STAGES = ['opening', 'logging'] as const;

/** What a process says of a pipe whose output it logs, in a file that other processes of the user read. */
export interface PipeNote {
  /** The process, and its start in the kernel's ticks (proc(5)). */
  readonly by: readonly [pid: number, startTime: string];
  /** `run`: the pipe is the output of its command. `pipe`: it is what it reads. */
  readonly kind: (typeof KINDS)[number];
  /** The same for all that log the same job in the same way to the same place; empty: nothing is logged. */
  readonly logs: string;
  /** It is about to log, or it does. */
  readonly stage: (typeof STAGES)[number];
}

/** The name of a pipe on this machine, the same at its two ends; undefined for anything else. */
export function identifyPipe(fd: number): string | undefined {
  try {
    return namePipe(fstatSync(fd, { bigint: true }));
  } catch {
    // A closed descriptor is no pipe.
    return undefined;
  }
}

export function namePipe(status: BigIntStats): string | undefined {
  return status.isFIFO() ? `pipe-${status.dev}-${status.ino}` : undefined;
}

/** Says it of the pipe. Throws what the file system does. A kill leaves it behind (sweepCommandFiles). */
export function writePipeNote(folder: string, pipe: string, note: PipeNote): void {
  const draft = join(folder, `${pipe}-${note.by[0]}`);
  writeFileSync(draft, `${JSON.stringify({ ...note, what: 'reads' })}\n`, { mode: 0o600 });
  // Nobody reads half of it.
  renameSync(draft, join(folder, pipe));
}

export function removePipeNote(folder: string, pipe: string): void {
  rmSync(join(folder, pipe), { force: true });
}

/** What was said of the pipe last, by a process that may be dead. Throws when nobody can tell. */
export function readPipeNote(folder: string, pipe: string): PipeNote | undefined {
  const text = ifThere(() => readFileSync(join(folder, pipe), 'utf8'));
  return text === undefined ? undefined : parsePipeNote(text);
}

/** All that was said last, also by processes that are dead. Throws when nobody can tell. */
export function listPipeNotes(folder: string): PipeNote[] {
  const pipes = readdirSync(folder).filter((name) => /^pipe-\d+-\d+$/.test(name));
  return pipes.flatMap((pipe) => readPipeNote(folder, pipe) ?? []);
}

function parsePipeNote(text: string): PipeNote | undefined {
  const { by, kind: kindText, logs, stage: stageText } = (parseJsonObject(text) ?? {}) as Record<string, unknown>;
  const [pid, startTime] = Array.isArray(by) ? (by as unknown[]) : [];
  const kind = KINDS.find((one) => one === kindText);
  const stage = STAGES.find((one) => one === stageText);
  if (typeof pid !== 'number' || typeof startTime !== 'string' || typeof logs !== 'string') return undefined;
  return kind === undefined || stage === undefined ? undefined : { by: [pid, startTime], kind, logs, stage };
}
