import { getSystemErrorName } from 'node:util';
import type { Host } from '../../host/host.js';
import type { Supervisor } from '../../host/supervisor.js';
import type { CommandOptions, StartedCommand } from './command.js';
import { type CommandEnd, nameSignal, readWaitStatus } from './exit-status.js';

/** They may come to the whole group, and end only a process that does not expect them. */
const SURVIVED: readonly NodeJS.Signals[] = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGXCPU', 'SIGXFSZ'] as const),
  ...(['SIGVTALRM', 'SIGPROF', 'SIGIO', 'SIGPWR', 'SIGSTKFLT', 'SIGSYS', 'SIGTRAP', 'SIGABRT'] as const),
];

/** Lets the supervisor start the command. It passes signals on, and tells of them. Resolves once the command runs. */
export function startSupervised(
  supervisor: Supervisor,
  { host, args, outputFds, onSignal }: CommandOptions
): Promise<StartedCommand> {
  const stop = surviveSignals(host);
  let hasEnded: (end: CommandEnd) => void;
  const ended = new Promise<CommandEnd>((resolve) => (hasEnded = resolve));
  return new Promise((resolve) => {
    supervisor.onWord((word) => {
      switch (word.kind) {
        case 'started':
          resolve({ pid: word.pid, ended, stop });
          break;
        case 'failed':
          hasEnded({ kind: 'spawn-error', code: getSystemErrorName(-word.errno) });
          resolve({ pid: undefined, ended, stop });
          break;
        case 'signal':
          onSignal(nameSignal(word.number));
          break;
        case 'ended':
          hasEnded(readWaitStatus(word.status));
          break;
        case 'gone':
          hasEnded({ kind: 'unknown' });
          resolve({ pid: undefined, ended, stop });
          break;
      }
    });
    supervisor.start(args.length + 1, outputFds);
  });
}

function surviveSignals(host: Pick<Host, 'onSignal'>): () => void {
  const removers = SURVIVED.map((signal) => host.onSignal(signal, () => undefined));
  return () => removers.forEach((remove) => remove());
}
