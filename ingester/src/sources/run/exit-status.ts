import { constants } from 'node:os';

/** The end of a command. */
export type CommandEnd =
  | { readonly kind: 'exit'; readonly code: number }
  /** `number`: 1 to 64. */
  | { readonly kind: 'signal'; readonly number: number }
  /** It never ran. */
  | { readonly kind: 'spawn-error'; readonly code: string }
  /** What would have told it was killed, perhaps together with the command. */
  | { readonly kind: 'unknown' };

/** The first real-time signal that a program may use (signal(7)). */
export const FIRST_REAL_TIME = 34;
const SIGNAL_NAMES: ReadonlyMap<number, string> = new Map(
  // The first of several names of a signal is the usual one.
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name])
);

/** As `kill -l` names it: `SIGTERM`, `SIGRTMIN+1`. */
export function nameSignal(number: number): string {
  if (number < FIRST_REAL_TIME) return SIGNAL_NAMES.get(number) ?? `SIG${number}`;
  return number === FIRST_REAL_TIME ? 'SIGRTMIN' : `SIGRTMIN+${number - FIRST_REAL_TIME}`;
}

/** From the status that wait(2) gives. */
export function readWaitStatus(status: number): CommandEnd {
  const number = status & 0x7f;
  return number === 0 ? { kind: 'exit', code: (status >> 8) & 0xff } : { kind: 'signal', number };
}

/**
 * The exit code that a shell gives (POSIX, Shell Command Language, 2.8.2): 127 not found, 126 not executable, 128+n for
 * signal n.
 */
export function toExitCode(end: CommandEnd): number {
  switch (end.kind) {
    case 'exit':
      return end.code;
    case 'signal':
      return 128 + end.number;
    case 'spawn-error':
      return end.code === 'ENOENT' ? 127 : 126;
    case 'unknown':
      return 1;
  }
}

const CANCEL_SIGNALS: ReadonlySet<string> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

export type FinalState = 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'LOST';

/** The job's final state, in Slurm's words. A command that was asked to stop and failed was cancelled. */
export function toFinalState(end: CommandEnd, wasAskedToStop: boolean): FinalState {
  if (end.kind === 'unknown') return 'LOST';
  if (end.kind === 'exit' && end.code === 0) return 'COMPLETED';
  if (end.kind === 'signal' && CANCEL_SIGNALS.has(nameSignal(end.number))) return 'CANCELLED';
  return wasAskedToStop && end.kind !== 'spawn-error' ? 'CANCELLED' : 'FAILED';
}

/** Whether a signal asks a job to stop. Others (USR1 …) mean whatever the job wants. */
export function isStopSignal(signal: string): boolean {
  return CANCEL_SIGNALS.has(signal);
}
