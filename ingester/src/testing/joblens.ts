import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';

export interface Started {
  readonly pid: number;
  /** What was printed so far. */
  readonly stdout: () => Buffer;
  readonly stderr: () => Buffer;
  write(text: string | Uint8Array): void;
  endInput(): void;
  kill(signal: NodeJS.Signals): void;
  /** Closes our end of its stdout, as `| head` does. */
  closeStdout(): void;
  closeStderr(): void;
  /** Reads its stdout no more, until it is resumed. */
  pauseStdout(): void;
  resumeStdout(): void;
  /** Its own end; others may still print. */
  readonly exited: Promise<number | null>;
  /** Nobody holds its output any more. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface JoblensUnderTest {
  /** A folder of its own, also HOME. */
  readonly folder: string;
  /** The command as a word list for a shell. */
  readonly command: string;
  start(args: readonly string[], environment?: Record<string, string>): Started;
  /** Runs it to its end with this standard input. */
  run(args: readonly string[], input?: string | Uint8Array, environment?: Record<string, string>): Promise<Ended>;
  remove(): void;
}

/** Bundles the command as it is shipped and runs it as a process, with an environment that asks for warnings only and for no /health. */
export function buildJoblens(): JoblensUnderTest {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-test-'));
  const bundle = join(folder, 'joblens.mjs');
  execFileSync(execPath, [join(__dirname, '..', '..', 'build.mjs'), bundle]);

  const running = new Set<ChildProcess>();
  const start: JoblensUnderTest['start'] = (args, environment = {}) => {
    const child = spawn(execPath, [bundle, ...args], {
      cwd: folder,
      env: { PATH: env['PATH'], HOME: folder, JOBLENS_LOG_LEVEL: 'warn', JOBLENS_HEALTH: 'off', ...environment },
      // In a group of its own, so that the terminal of the tests does not count.
      detached: true,
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    const printed: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
    child.stdout.on('data', (chunk: Buffer) => printed.stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => printed.stderr.push(chunk));
    child.stdin.on('error', () => undefined);
    return {
      pid: child.pid ?? 0,
      stdout: () => Buffer.concat(printed.stdout),
      stderr: () => Buffer.concat(printed.stderr),
      write: (text) => void child.stdin.write(text),
      endInput: () => void child.stdin.end(),
      kill: (signal) => void child.kill(signal),
      closeStdout: () => void child.stdout.destroy(),
      closeStderr: () => void child.stderr.destroy(),
      pauseStdout: () => void child.stdout.pause(),
      resumeStdout: () => void child.stdout.resume(),
      exited: new Promise((resolve) => child.once('exit', resolve)),
      ended: new Promise((resolve, reject) => {
        child.once('close', (code, signal) => {
          // Node 26 dies of a file that nobody closed; before, it only says so.
          const leak = /.* on garbage collection.*/i.exec(Buffer.concat(printed.stderr).toString());
          if (leak === null) resolve({ code, signal });
          else reject(new Error(`joblens left a file open: ${leak[0]}`));
        });
      }),
    };
  };
  return {
    folder,
    command: `${execPath} ${bundle}`,
    start,
    async run(args, input = '', environment = {}) {
      const child = start(args, environment);
      child.write(input);
      child.endInput();
      const { code } = await child.ended;
      return { code, stdout: child.stdout(), stderr: child.stderr().toString() };
    },
    remove() {
      // What a failed test left behind would keep the test runner waiting.
      for (const child of running) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until the condition holds; fails after the time. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadlineMs) throw new Error(`Condition did not hold within ${timeoutMs} ms: ${String(condition)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
