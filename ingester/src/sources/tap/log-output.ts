import type { Clock } from '../../clock/clock.js';
import type { LogStream } from './log-copy.js';
import { logCopy } from './log-copy.js';
import type { Tap } from './tap.js';

const QUIET_ROUNDS = 5;
const ROUND_MS = 50;
/** How long the output must be quiet after the end until we stop waiting for what may still come. */
export const QUIET_MS = QUIET_ROUNDS * ROUND_MS;
/** More than what can be on its way from the writer to the log: what the pipes and those who read them hold. */
const ON_ITS_WAY_BYTES = 1024 * 1024;

export interface LogOutputOptions {
  readonly tap: Tap;
  /** One for each stream of the tap; they never reject. */
  readonly logs: readonly LogStream[];
  readonly clock: Clock;
  /** Resolves when the job has ended, or we are to. */
  readonly ended: Promise<unknown>;
  /** How long after the end to log what still comes, once what was printed before is logged. */
  readonly lingerMs: number;
  /** How long after the end to wait for anything at all; for ever if it is not given. */
  readonly patienceMs?: number;
}

/**
 * Logs what the tap passes on, until the job and its output have ended. Returns false when the output has not: a process that still runs
 * holds it. Then all that was printed before the end is logged, and what came after it without a longer pause.
 */
export async function logOutput(options: LogOutputOptions): Promise<boolean> {
  const { tap, clock, ended, lingerMs, patienceMs = Infinity } = options;
  const streams = options.tap.copies.map((_copy, i) => new LoggedStream(options.logs[i] ?? NO_LOG));
  const done = Promise.all(tap.copies.map((copy, i) => logCopy(copy, streams[i] ?? NO_LOG))).then(() => true);
  await ended;
  const endMs = clock.nowMs();
  for (const stream of streams) stream.jobHasEnded();
  for (let quiet = 0; quiet < QUIET_ROUNDS && clock.nowMs() < endMs + patienceMs;) {
    if (await Promise.race([done, clock.sleep(ROUND_MS).then(() => false)])) return true;
    const { areWriting } = tap;
    const areQuiet = streams.map((stream, i) => stream.look(areWriting[i] === true));
    quiet = areQuiet.every((isQuiet) => isQuiet) ? quiet + 1 : 0;
    if (clock.nowMs() >= endMs + lingerMs && streams.every((stream) => stream.hasLoggedAllOfJob)) break;
  }
  for (const copy of tap.copies) copy.close();
  await done;
  return false;
}

/** Knows how far the log of a stream is. */
class LoggedStream implements LogStream {
  readonly #log: LogStream;
  #isWriting = false;
  #hasWritten = false;
  #bytesSinceEnd = 0;
  #idleLooks = 0;

  constructor(log: LogStream) {
    this.#log = log;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hasWritten = true;
    this.#isWriting = true;
    await this.#log.write(bytes);
    this.#isWriting = false;
    this.#bytesSinceEnd += bytes.length;
  }

  end(): void {
    this.#log.end();
  }

  jobHasEnded(): void {
    this.#bytesSinceEnd = 0;
  }

  /** `isPassing`: some of it is on its way to its reader. Returns whether nothing came since the last look. */
  look(isPassing: boolean): boolean {
    const isIdle = !isPassing && !this.#isWriting;
    const isQuiet = isIdle && !this.#hasWritten;
    if (isIdle) this.#idleLooks += 1;
    this.#hasWritten = false;
    return isQuiet;
  }

  get hasLoggedAllOfJob(): boolean {
    return this.#idleLooks >= QUIET_ROUNDS || this.#bytesSinceEnd >= ON_ITS_WAY_BYTES;
  }
}

const NO_LOG: LogStream = { write: () => Promise.resolve(), end: () => undefined };
