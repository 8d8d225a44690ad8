import { spawn } from 'node:child_process';
import type { Clock } from '../../clock/clock.js';
import { createSightings, SPREAD_MS } from './sightings.js';

/** Tells whether a signal that reached us was sent to all processes around us, or to us alone. */
export interface SignalWitness {
  /** Call it when a signal arrives. */
  hasSeen(signal: NodeJS.Signals): Promise<boolean>;
  end(): void;
}

/**
 * Node does not tell who sent a signal and to whom. So a small process runs beside the command, in the same process
 * group, session, cgroup and family, and dies by any signal that is sent to all of these: Ctrl+C, `kill -- -GROUP`,
 * Slurm's proctrack/linuxproc and pgid, systemd. Slurm's proctrack/cgroup, `docker stop` and a plain `kill` reach this
 * process alone.
 */
export function startWitness(clock: Pick<Clock, 'nowMs' | 'sleep'>): SignalWitness {
  let isEnded = false;
  const sightings = createSightings();
  let process = start();

  function start(): ReturnType<typeof spawn> {
    // It ends with us, when its input ends. It leaves no core file (SIGQUIT).
    const child = spawn('/bin/sh', ['-c', 'ulimit -c 0; exec cat'], { stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', () => undefined);
    child.once('exit', (_code, signal) => {
      if (isEnded || signal === null) return;
      sightings.addDeath({ signal, atMs: clock.nowMs() });
      process = start();
    });
    return child;
  }

  return {
    async hasSeen(signal) {
      const came = { signal, atMs: clock.nowMs() };
      sightings.addSignal(came);
      if (sightings.hasSeen(came)) return true;
      await clock.sleep(SPREAD_MS);
      // A busy program gets to its timers late, and before it hears of ended children.
      await new Promise((resolve) => setImmediate(resolve));
      return sightings.hasSeen(came);
    },
    end() {
      isEnded = true;
      process.kill('SIGKILL');
    },
  };
}
