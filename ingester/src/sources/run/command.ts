import type { ChildProcess, StdioOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { CommandEnd } from './exit-status.js';

export interface StartedCommand {
  /** Undefined when it could not be started. */
  readonly child: ChildProcess | undefined;
  readonly ended: Promise<CommandEnd>;
}

export function startCommand(command: string, args: readonly string[], stdio: StdioOptions): StartedCommand {
  try {
    const child = spawn(command, args, { stdio });
    return { child, ended: untilEnd(child) };
  } catch (error) {
    // Node refuses some names and arguments (an empty one, a NUL byte) before it asks the system.
    const code = (error as NodeJS.ErrnoException).code ?? '';
    return { child: undefined, ended: Promise.resolve({ kind: 'spawn-error', code }) };
  }
}

function untilEnd(child: ChildProcess): Promise<CommandEnd> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve({ kind: 'spawn-error', code: error.code ?? '' }));
    child.once('exit', (code, signal) => {
      resolve(signal === null ? { kind: 'exit', code: code ?? 0 } : { kind: 'signal', signal });
    });
  });
}
