import type { Readable } from 'node:stream';
import type { Clock } from '../clock/clock.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the machine says of this process. */
export interface Machine {
  readonly host: string;
  readonly userName: string;
  readonly homeFolder: string;
  readonly workFolder: string;
  readonly pid: number;
  readonly nowMs: number;
}

/** What the command needs of its process; main.ts makes the real one. */
export interface Host {
  readonly environment: Environment;
  readonly machine: Machine;
  /** The effective user id. */
  readonly uid: number;
  /** Where processes of one user on this machine can meet, the first that can be used: all may make folders there. */
  readonly sharedFolders: readonly string[];
  readonly clock: Clock;
  readonly random: () => number;
  /** Opened only by who reads it: opening changes the descriptor. */
  readonly openStdin: () => Readable;
  readonly stdoutFd: number;
  readonly stderrFd: number;
  /** Writes a text of our own to stderr. */
  readonly writeStderr: (text: string) => void;
  readonly writeStdout: (text: string) => void;
  /** Calls the listener at a signal, in place of what the system does by itself; returns how to take it off. */
  readonly onSignal: (signal: NodeJS.Signals, listener: () => void) => () => void;
  /** Calls the listener at a fault that nothing caught, in place of ending the process; returns how to take it off. */
  readonly onFault: (listener: (error: unknown) => void) => () => void;
}
