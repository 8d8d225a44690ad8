import type { Clock } from '../../clock/clock.js';
import type { LogStream } from './log-copy.js';
import { logCopy } from './log-copy.js';
import type { Tap } from './tap.js';

/** How long the output must be quiet after the end until we stop waiting for what may still come. */
const QUIET_ROUNDS = 5;
const ROUND_MS = 50;

export interface LogOutputOptions {
  readonly tap: Tap;
  /** One for each stream of the tap; they never reject. */
  readonly logs: readonly LogStream[];
  readonly clock: Clock;
  /** Resolves when the job has ended, or we are to. */
  readonly ended: Promise<unknown>;
  /** How long after the end to wait for quiet; for ever if it is not given. */
  readonly patienceMs?: number;
}

/**
 * Logs what the tap passes on, until the job and its output have ended. Returns false when the output has not: a process that still runs
 * holds it.
 */
export async function logOutput({ tap, logs, clock, ended, patienceMs }: LogOutputOptions): Promise<boolean> {
  let writes = 0;
  let writing = 0;
  const count = (log: LogStream): LogStream => ({
    async write(bytes) {
      writes += 1;
      writing += 1;
      await log.write(bytes);
      writing -= 1;
    },
    end: () => log.end(),
  });
  const pumps = tap.copies.map((copy, i) => logCopy(copy, count(logs[i] ?? NO_LOG)));
  const done = Promise.all(pumps).then(() => true);
  await ended;
  const lastMs = clock.nowMs() + (patienceMs ?? Infinity);
  for (let quiet = 0, before = -1; quiet < QUIET_ROUNDS && clock.nowMs() < lastMs;) {
    if (await Promise.race([done, clock.sleep(ROUND_MS).then(() => false)])) return true;
    quiet = writes === before && writing === 0 && !tap.isWriting ? quiet + 1 : 0;
    before = writes;
  }
  for (const copy of tap.copies) copy.close();
  await done;
  return false;
}

const NO_LOG: LogStream = { write: () => Promise.resolve(), end: () => undefined };
