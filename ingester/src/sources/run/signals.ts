import type { Host } from '../../host/host.js';
import type { SignalWitness } from './witness.js';

/** Signals that a batch system, a terminal or a user may send to a job. */
const PASSED_ON: readonly NodeJS.Signals[] = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGTERM',
  'SIGUSR1',
  'SIGUSR2',
  'SIGALRM',
  'SIGXCPU',
];

/** The command, once it runs. */
interface SignalTarget {
  readonly send: (signal: NodeJS.Signals) => void;
  readonly witness: SignalWitness;
}

interface SignalPassing {
  /** Call it when the command runs. Signals that came before are sent at once. */
  start(target: SignalTarget): void;
  stop(): void;
}

/**
 * Passes signals on to the command, except those that the sender also sent to the command: a job that counts its
 * signals, or ends at the second one, must see as many as without us. `onSignal` is called for each.
 */
export function passSignalsOn(
  host: Pick<Host, 'onSignal'>,
  onSignal: (signal: NodeJS.Signals) => unknown
): SignalPassing {
  const early: NodeJS.Signals[] = [];
  let target: SignalTarget | undefined;

  async function pass(signal: NodeJS.Signals): Promise<void> {
    if (target === undefined) early.push(signal);
    else if (!(await target.witness.hasSeen(signal))) target.send(signal);
  }

  const removers = PASSED_ON.map((signal) =>
    host.onSignal(signal, () => {
      onSignal(signal);
      void pass(signal);
    })
  );
  return {
    start(newTarget) {
      target = newTarget;
      early.forEach(newTarget.send);
    },
    stop() {
      for (const remove of removers) remove();
      target?.witness.end();
    },
  };
}
