import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { constants } from 'node:os';
import { OWN_SECRET_VARIABLES } from '../../config/shared-options.js';
import { readErrorCode } from '../../host/file-error.js';
import type { Environment, Host } from '../../host/host.js';
import { type CommandEnd, FIRST_REAL_TIME } from './exit-status.js';
import { passSignalsOn } from './signals.js';
import { startWitness } from './witness.js';

export interface CommandOptions {
  readonly host: Host;
  readonly command: string;
  readonly args: readonly string[];
  /** Pipes of this process for its standard output and error; our own by default. */
  readonly outputFds: readonly [stdout: number, stderr: number] | undefined;
  readonly onSignal: (signal: string) => unknown;
}

/** The command from its start on. */
export interface StartedCommand {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  readonly ended: Promise<CommandEnd>;
  /** Passes no signals on any more. */
  readonly stop: () => void;
}

const OWN_SECRET_NAMES: ReadonlySet<string> = new Set(OWN_SECRET_VARIABLES);

/** Starts the command as a child of this process, and passes signals on to it: where no supervisor does it. */
export function startCommand({ host, command, args, outputFds, onSignal }: CommandOptions): StartedCommand {
  const signals = passSignalsOn(host, onSignal);
  const [outFd, errorFd] = outputFds ?? (['inherit', 'inherit'] as const);
  const options: SpawnOptions = { stdio: ['inherit', outFd, errorFd], env: withoutOwnSecrets(host.environment) };
  const [program, programArgs] = restoreInherited(host, command, args);
  const { child, ended } = trySpawn(program, programArgs, options);
  signals.start({ send: (signal) => void child?.kill(signal), witness: startWitness(host.clock) });
  return { pid: child?.pid, ended, stop: () => signals.stop() };
}

/** A shell undoes what Node has changed, and becomes the command. */
function restoreInherited(
  { inherited }: Host,
  command: string,
  args: readonly string[]
): readonly [program: string, args: readonly string[]] {
  if (inherited === undefined) return [command, args];
  const ignored = inherited.ignoredSignals.filter((number) => number < FIRST_REAL_TIME).join(' ');
  const script = `${ignored === '' ? '' : `trap '' ${ignored}; `}ulimit -Sn ${inherited.openFiles}; exec "$@"`;
  return ['/bin/sh', ['-c', script, 'joblens', command, ...args]];
}

interface Spawned {
  readonly child: ChildProcess | undefined;
  readonly ended: Promise<CommandEnd>;
}

function trySpawn(command: string, args: readonly string[], options: SpawnOptions): Spawned {
  try {
    const child = spawn(command, args, options);
    return { child, ended: untilEnd(child) };
  } catch (error) {
    // Node refuses an empty name before it asks the system, which would not find it either (execvp(3)).
    const code = command === '' ? 'ENOENT' : (readErrorCode(error) ?? '');
    return { child: undefined, ended: Promise.resolve({ kind: 'spawn-error', code }) };
  }
}

function untilEnd(child: ChildProcess): Promise<CommandEnd> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      // Once it runs, the error is that of a signal that may not be sent: it has the rights of another user.
      if (child.pid === undefined) resolve({ kind: 'spawn-error', code: readErrorCode(error) ?? '' });
    });
    child.once('exit', (code, signal) => {
      resolve(
        signal === null ? { kind: 'exit', code: code ?? 0 } : { kind: 'signal', number: constants.signals[signal] }
      );
    });
  });
}

/** Removes only our own names: a command may need INFLUX_TOKEN and the like for itself. */
export function withoutOwnSecrets(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !OWN_SECRET_NAMES.has(name)));
}
