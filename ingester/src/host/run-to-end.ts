import { type ChildProcess, spawn } from 'node:child_process';
import { kill } from 'node:process';
import { nameErrorCode } from './file-error.js';
import type { Environment } from './host.js';

export interface ProgramLimits {
  /** That of this process, unless it is said. */
  readonly environment?: Environment;
  readonly timeoutMs: number;
  /** The most output of stdout that is taken. */
  readonly maxBytes: number;
  /** What the program has open as descriptor 3. */
  readonly fd?: number;
  /** That of this process, unless it is said. */
  readonly folder?: string;
  /** Kills the program. */
  readonly stop?: AbortSignal;
  readonly onStart?: (pid: number) => void;
}

/** How a program ended, and what it printed. */
export interface ProgramEnd {
  /** `late`, `too-much`, `stopped`: it was killed. `not-started`: `code` is the system's. */
  readonly kind: 'ended' | 'late' | 'too-much' | 'stopped' | 'not-started';
  /** Its exit code, or the name of the signal or of the error. */
  readonly code: number | string;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Resolves when the process is gone: one that waits for a file server cannot even be killed. */
  readonly gone: Promise<void>;
}

/** The most that is kept of stderr. */
const MAX_ERROR_BYTES = 1 << 16;
/** How long output is awaited behind the end of a program: what it leaves behind may hold its pipes for ever. */
const REST_MS = 1000;

/**
 * Runs a program to its end, or for so long. In any case there is an answer: a program that ignores signals, or whose
 * children hold its output, is given up, and its whole group is killed. Never rejects.
 */
export function runToEnd(command: string, args: readonly string[], limits: ProgramLimits): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const child = start(command, args, limits);
    if ('kind' in child) {
      resolve(child);
      return;
    }
    const output = [new Output(child.stdout), new Output(child.stderr, MAX_ERROR_BYTES)] as const;
    const gone = new Promise<void>((isGone) => child.once('exit', () => isGone()).once('error', () => isGone()));
    let restTimer: NodeJS.Timeout | undefined;
    const finish = (kind: ProgramEnd['kind'], code: ProgramEnd['code']): void => {
      clearTimeout(timer);
      clearTimeout(restTimer);
      limits.stop?.removeEventListener('abort', stop);
      const [stdout, stderr] = output.map((each) => each.close()) as [Buffer, Buffer];
      resolve({ kind, code, stdout, stderr, gone });
    };
    const giveUp = (kind: 'late' | 'too-much' | 'stopped'): void => {
      killGroup(child);
      finish(kind, 'SIGKILL');
    };
    const stop = (): void => giveUp('stopped');
    const timer = setTimeout(() => giveUp('late'), limits.timeoutMs);
    output[0].onBytes = (bytes) => bytes > limits.maxBytes && giveUp('too-much');
    child.once('error', (error) => finish('not-started', nameErrorCode(error)));
    child.once('exit', (code, signal) => {
      // It has ended in time, whatever its children do.
      clearTimeout(timer);
      limits.stop?.removeEventListener('abort', stop);
      restTimer = setTimeout(() => finish('ended', code ?? signal ?? 0), REST_MS);
    });
    child.once('close', (code, signal) => finish('ended', code ?? signal ?? 0));
    limits.stop?.addEventListener('abort', stop);
    if (limits.stop?.aborted === true) stop();
    else if (child.pid !== undefined) limits.onStart?.(child.pid);
  });
}

/** How a program ended, in words that go on behind its name. */
export function explainEnd(
  { kind, code }: Pick<ProgramEnd, 'kind' | 'code'>,
  { timeoutMs, maxBytes }: Pick<ProgramLimits, 'timeoutMs' | 'maxBytes'>
): string {
  if (kind === 'late') return `did not answer within ${timeoutMs / 1000} s`;
  if (kind === 'too-much') return `printed more than ${maxBytes / 2 ** 20} MiB`;
  if (kind === 'stopped') return 'was stopped';
  return kind === 'not-started' ? `cannot be run (${code})` : `ended with ${code}`;
}

function start(
  command: string,
  args: readonly string[],
  { environment, fd, folder }: ProgramLimits
): ChildProcess | ProgramEnd {
  try {
    return spawn(command, args, {
      ...(environment !== undefined && { env: { ...environment } }),
      ...(folder !== undefined && { cwd: folder }),
      // A group of its own can be killed with all that it has started.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...(fd === undefined ? [] : [fd])],
    });
  } catch (error) {
    const nothing = Buffer.alloc(0);
    const code = nameErrorCode(error);
    return { kind: 'not-started', code, stdout: nothing, stderr: nothing, gone: Promise.resolve() };
  }
}

/** What comes out of a pipe. */
class Output {
  readonly #pipe: ChildProcess['stdout'];
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  onBytes: ((bytes: number) => void) | undefined;

  constructor(pipe: ChildProcess['stdout'], maxBytes = Infinity) {
    this.#pipe = pipe;
    pipe?.on('error', () => undefined);
    pipe?.on('data', (chunk: Buffer) => {
      if (this.#bytes < maxBytes) this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      this.onBytes?.(this.#bytes);
    });
  }

  close(): Buffer {
    this.onBytes = undefined;
    this.#pipe?.destroy();
    return Buffer.concat(this.#chunks.splice(0));
  }
}

/** Ends a program that was started as the first of its group, and all that it has started. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
