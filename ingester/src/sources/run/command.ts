import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { CommandEnd } from './exit-status.js';

/** The command's descriptors and environment. */
export type CommandOptions = Required<Pick<SpawnOptions, 'stdio' | 'env'>>;

interface StartedCommand {
  /** Undefined when the command could not be started. */
  readonly child: ChildProcess | undefined;
  readonly ended: Promise<CommandEnd>;
}

export function startCommand(command: string, args: readonly string[], options: CommandOptions): StartedCommand {
  try {
    const child = spawn(command, args, options);
    return { child, ended: untilEnd(child) };
  } catch (error) {
    // Node refuses an empty name before it asks the system, which would not find it either (execvp(3)).
    if (command === '') return { child: undefined, ended: Promise.resolve({ kind: 'spawn-error', code: 'ENOENT' }) };
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
