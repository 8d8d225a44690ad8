import type { Clock } from '../../clock/clock.js';
import type { LogStream } from '../tap/log-copy.js';
import { logCopy } from '../tap/log-copy.js';
import type { Tap } from '../tap/tap.js';

/** How long the output must be quiet after the command's end until we stop waiting for what its leftover children may print. */
const QUIET_ROUNDS = 5;
const ROUND_MS = 50;

export interface LogOutputOptions {
  readonly tap: Tap;
  /** One for each stream of the tap; they never reject. */
  readonly logs: readonly LogStream[];
  readonly clock: Clock;
  /** Resolves when the command has ended. */
  readonly ended: Promise<unknown>;
}

/**
 * Logs what the tap passes on, until the command and its output have ended. Returns false when the output has not: a process that the
 * command left behind holds it.
 */
export async function logOutput({ tap, logs, clock, ended }: LogOutputOptions): Promise<boolean> {
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
  for (let quiet = 0, before = -1; quiet < QUIET_ROUNDS;) {
    if (await Promise.race([done, clock.sleep(ROUND_MS).then(() => false)])) return true;
    quiet = writes === before && writing === 0 && !tap.isWriting ? quiet + 1 : 0;
    before = writes;
  }
  for (const copy of tap.copies) copy.destroy();
  await done;
  return false;
}

/** Where a command's output is only passed through. */
export const NO_LOG: LogStream = { write: () => Promise.resolve(), end: () => undefined };
