import type { Readable } from 'node:stream';
import type { Clock } from '../clock/clock.js';
import type { Inherited } from './inherited.js';
import type { Supervisor } from './supervisor.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Facts about this process and its user. */
export interface Machine {
  readonly host: string;
  readonly userName: string;
  readonly homeFolder: string;
  readonly workFolder: string;
  readonly pid: number;
  /** The start of this process, by both clocks. */
  readonly nowMs: number;
  readonly monotonicMs: number;
}

/** In characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** The surroundings of the command; main.ts creates the real ones. */
export interface Host {
  readonly environment: Environment;
  readonly machine: Machine;
  /** The effective user id. */
  readonly uid: number;
  /** What is installed: the launcher in `bin`, and what it starts in `dist`. */
  readonly installFolder: string;
  /**
   * Folders where all users may create folders, for files that processes of one user share. The first usable one
   * counts.
   */
  readonly sharedFolders: readonly string[];
  readonly clock: Clock;
  readonly random: () => number;
  /** Undefined where this process itself is what the user started. */
  readonly supervisor: Supervisor | undefined;
  /** Undefined where a supervisor sees to it, or without the launcher. */
  readonly inherited: Inherited | undefined;
  /** Call it only to read standard input: opening it changes the descriptor. */
  readonly openStdin: () => Readable;
  readonly stdoutFd: number;
  readonly stderrFd: number;
  /** Writes one of Joblens' own messages to stderr. */
  readonly writeStderr: (text: string) => void;
  readonly writeStdout: (text: string) => void;
  /** The terminal that standard output is, if it is one. Call it only to print: it opens the descriptor. */
  readonly readTerminal: () => TerminalSize | undefined;
  /** Whether a descriptor is a terminal, without opening it. */
  readonly isTerminal: (fd: number) => boolean;
  /** Calls the listener at a signal, instead of the system's default action. Returns a function that removes it. */
  readonly onSignal: (signal: NodeJS.Signals, listener: () => void) => () => void;
  /** Calls the listener at an uncaught error, instead of ending the process. Returns a function that removes it. */
  readonly onFault: (listener: (error: unknown) => void) => () => void;
}
