import { readFileSync } from 'node:fs';
import type { Host } from '../../host.js';

/** What a batch system, a terminal or a user may send to a job. */
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

/** A terminal sends these to every process of its foreground group, so the command has them already. */
const SENT_BY_TERMINAL: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT']);

/** Passes signals on to the command; returns how to stop that. `onSignal` hears of each. */
export function passSignalsOn(
  host: Pick<Host, 'onSignal'>,
  send: (signal: NodeJS.Signals) => void,
  onSignal: (signal: NodeJS.Signals) => unknown
): () => void {
  const removers = PASSED_ON.map((signal) =>
    host.onSignal(signal, () => {
      onSignal(signal);
      if (!SENT_BY_TERMINAL.has(signal) || !isInForeground()) send(signal);
    })
  );
  return () => {
    for (const remove of removers) remove();
  };
}

/** Whether this process is in the foreground group of a terminal (proc(5), /proc/pid/stat: pgrp, tty_nr, tpgid). */
function isInForeground(): boolean {
  try {
    const status = readFileSync('/proc/self/stat', 'utf8');
    const [, , group, , terminal, foreground] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return terminal !== '0' && group === foreground;
  } catch {
    return false;
  }
}
