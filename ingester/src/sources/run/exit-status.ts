import { constants } from 'node:os';

/** The end of a command. */
export type CommandEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  /** It never ran. */
  | { readonly kind: 'spawn-error'; readonly code: string };

/**
 * The exit code that a shell gives (POSIX, Shell Command Language, 2.8.2): 127 not found, 126 not executable, 128+n for
 * signal n.
 */
export function toExitCode(end: CommandEnd): number {
  switch (end.kind) {
    case 'exit':
      return end.code;
    case 'signal':
      return 128 + constants.signals[end.signal];
    case 'spawn-error':
      return end.code === 'ENOENT' ? 127 : 126;
  }
}

const CANCEL_SIGNALS: ReadonlySet<string> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

export type FinalState = 'COMPLETED' | 'FAILED' | 'CANCELLED';

/** The job's final state, in Slurm's words. A command that was asked to stop and failed was cancelled. */
export function toFinalState(end: CommandEnd, wasAskedToStop: boolean): FinalState {
  if (end.kind === 'exit' && end.code === 0) return 'COMPLETED';
  if (end.kind === 'signal' && CANCEL_SIGNALS.has(end.signal)) return 'CANCELLED';
  return wasAskedToStop && end.kind !== 'spawn-error' ? 'CANCELLED' : 'FAILED';
}

/** Whether a signal asks a job to stop. Others (USR1 …) mean whatever the job wants. */
export function isStopSignal(signal: NodeJS.Signals): boolean {
  return CANCEL_SIGNALS.has(signal);
}
