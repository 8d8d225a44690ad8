import { type ChildProcess, spawn } from 'node:child_process';
import { env, kill } from 'node:process';
import type { JoblensUnderTest } from './joblens.js';

const running = new Set<ChildProcess>();
// What a failed test leaves behind would disturb the tests after it.
afterEach(() => {
  for (const { pid } of running) killGroup(pid ?? 0);
});

/** A running script. */
export interface Shell {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<number | null>;
}

/** Starts a script of bash, with the command joblens and more words as its parameters, in the folder of the tests. */
export function startShell(
  { command, folder }: JoblensUnderTest,
  script: string,
  words: readonly string[] = [],
  environment: Record<string, string> = {}
): Shell {
  const child = spawn('/bin/bash', ['-c', script, 'bash', command, ...words], {
    cwd: folder,
    env: {
      PATH: env['PATH'],
      HOME: folder,
      JOBLENS_LOG_LEVEL: 'warn',
      JOBLENS_HEALTH: 'off',
      ...environment,
    },
    detached: true,
  });
  running.add(child);
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()));
  return {
    child,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    ended: new Promise((resolve) => {
      child.once('close', (code) => {
        running.delete(child);
        resolve(code);
      });
    }),
  };
}

function killGroup(pid: number): void {
  try {
    kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
