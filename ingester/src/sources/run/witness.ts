import { spawn } from 'node:child_process';
import type { Clock } from '../../clock/clock.js';

/** How long after us a sender that goes through all processes may reach the witness. */
const WAIT_MS = 50;
/** A witness that is younger may have come too late to be reached. */
const STARTING_MS = 20;

/** Knows whether a signal that reached us was sent to all processes around us, or to us alone. */
export interface SignalWitness {
  /** Call it at a signal. */
  hasSeen(signal: NodeJS.Signals): Promise<boolean>;
  end(): void;
}

/**
 * Node does not say who sent a signal and to whom. So a small process stands beside the command, in the same process group, session, cgroup
 * and family, and dies by any signal that is sent to all of these: Ctrl+C, `kill -- -GROUP`, Slurm's proctrack/linuxproc and pgid, systemd.
 * Slurm's proctrack/cgroup, `docker stop` and a plain `kill` reach this process alone.
 */
export function startWitness(clock: Pick<Clock, 'nowMs' | 'sleep'>): SignalWitness {
  let isEnded = false;
  let startedMs = 0;
  let last: { readonly signal: NodeJS.Signals; readonly atMs: number } | undefined;
  let process = start();

  function start(): ReturnType<typeof spawn> {
    startedMs = clock.nowMs();
    // It ends with us, when its input does. It leaves no core file (SIGQUIT).
    const child = spawn('/bin/sh', ['-c', 'ulimit -c 0; exec cat'], { stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', () => undefined);
    child.once('exit', (_code, signal) => {
      if (isEnded || signal === null) return;
      last = { signal, atMs: clock.nowMs() };
      process = start();
    });
    return child;
  }

  return {
    async hasSeen(signal) {
      const askedMs = clock.nowMs();
      const before = last;
      if (before !== undefined && askedMs - before.atMs < WAIT_MS) {
        if (before.signal === signal || askedMs - startedMs < STARTING_MS) return true;
      }
      await clock.sleep(WAIT_MS);
      // A busy program comes to its timers late and before it hears of children that have ended.
      await new Promise((resolve) => setImmediate(resolve));
      return last !== before;
    },
    end() {
      isEnded = true;
      process.kill('SIGKILL');
    },
  };
}
