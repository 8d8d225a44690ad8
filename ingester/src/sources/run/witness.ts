import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '../../clock/clock.js';
import { createSightings, SPREAD_MS } from './sightings.js';

/** Tells whether a signal that reached us was sent to all processes around us, or to us alone. */
export interface SignalWitness {
  /** Call it when a signal arrives. */
  hasSeen(signal: NodeJS.Signals): Promise<boolean>;
  end(): void;
}

/** A witness that neither answers nor dies for so long is stopped, or cannot be started. */
const ANSWER_MS = 2000;

/**
 * Node does not tell who sent a signal and to whom. So a small process runs beside the command, in the same process
 * group, session, cgroup and family, and dies by any signal that is sent to all of these: Ctrl+C, `kill -- -GROUP`,
 * Slurm's proctrack/linuxproc and pgid, systemd. Slurm's proctrack/cgroup, `docker stop` and a plain `kill` reach this
 * process alone.
 */
export function startWitness(clock: Pick<Clock, 'monotonicMs' | 'sleep'>): SignalWitness {
  let isEnded = false;
  const sightings = createSightings();
  let witness = startAnswering(onDeath);

  function onDeath(signal: NodeJS.Signals | null): void {
    if (isEnded || signal === null) return;
    const atMs = clock.monotonicMs();
    witness = startAnswering(onDeath);
    sightings.addDeath({ signal, atMs, replacedAtMs: clock.monotonicMs() });
  }

  return {
    async hasSeen(signal) {
      const came = { signal, atMs: clock.monotonicMs() };
      sightings.addSignal(came);
      if (sightings.hasSeen(came)) return true;
      await clock.sleep(SPREAD_MS);
      // On a busy machine the witness gets late to its death. One that still answers did not get the signal.
      const answered = new AbortController();
      await Promise.race([witness.answer(), clock.sleep(ANSWER_MS, answered.signal)]);
      answered.abort();
      return sightings.hasSeen(came);
    },
    end() {
      isEnded = true;
      witness.process.kill('SIGKILL');
    },
  };
}

interface AnsweringProcess {
  readonly process: ChildProcess;
  /** Resolves once the process has run again, or has ended and `onEnd` was told. */
  answer(): Promise<void>;
}

/** Starts a process that sends back what it is sent, so that it is known to have run since. */
function startAnswering(onEnd: (signal: NodeJS.Signals | null) => void): AnsweringProcess {
  // It ends with us, when its input ends. It leaves no core file (SIGQUIT).
  const child: ChildProcess = spawn('/bin/sh', ['-c', 'ulimit -c 0; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting: (() => void)[] = [];
  let isEnded = false;
  const end = (signal: NodeJS.Signals | null): void => {
    if (isEnded) return;
    isEnded = true;
    onEnd(signal);
    for (const tell of waiting.splice(0)) tell();
  };
  child.once('exit', (_code, signal) => end(signal));
  // It could not be started; or it has just ended, and cannot be written to any more.
  child.on('error', () => end(null));
  child.stdin?.on('error', () => undefined);
  child.stdout?.on('data', ({ length }: Buffer) => {
    for (const tell of waiting.splice(0, length)) tell();
  });
  return {
    process: child,
    answer: () =>
      new Promise((resolve) => {
        if (isEnded) resolve();
        else {
          waiting.push(resolve);
          child.stdin?.write('?');
        }
      }),
  };
}
