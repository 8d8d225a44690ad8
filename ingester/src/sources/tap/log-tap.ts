import type { Clock } from '../../clock/clock.js';
import type { PipeReader } from './pipe-reader.js';
import type { Tap } from './tap.js';

const QUIET_ROUNDS = 5;
const ROUND_MS = 50;
/** How long the output must be quiet after the end until nobody waits for more. */
export const QUIET_MS = QUIET_ROUNDS * ROUND_MS;
/** More than fits between the writer and the log, in the pipes and in the processes that read them. */
const ON_ITS_WAY_BYTES = 1024 * 1024;

/** Takes all output of a stream, and never rejects. */
export interface CopyWriter {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when all of it is in the pipeline. */
  end(): Promise<void>;
}

interface LogTapOptions {
  readonly tap: Tap;
  /** One for each stream of the tap. */
  readonly writers: readonly CopyWriter[];
  readonly clock: Clock;
  /** Resolves when the job has ended, or when this process is asked to stop. */
  readonly ended: Promise<unknown>;
  /** How long after the end to log new output, once everything printed before is logged. */
  readonly lingerMs: number;
  /** How long after the end to wait for any output at all; forever by default. */
  readonly patienceMs?: number;
}

/**
 * Logs the output that passes through the tap, until the job and its output have ended. Returns false if the output has
 * not ended, because a running process holds it. In that case everything printed before the end is logged, and the
 * output after it up to the first longer pause.
 */
export async function logTap({ tap, writers, clock, ended, ...limits }: LogTapOptions): Promise<boolean> {
  const { lingerMs, patienceMs = Infinity } = limits;
  const logs = tap.copies.flatMap((copy, i) => writers.slice(i, i + 1).map((writer) => new CopyLog(copy, writer)));
  const done = Promise.all(logs.map((log) => log.run())).then(() => true);
  await ended;
  const endMs = clock.monotonicMs();
  for (const log of logs) log.jobHasEnded();
  for (let quiet = 0; quiet < QUIET_ROUNDS && clock.monotonicMs() < endMs + patienceMs;) {
    if (await Promise.race([done, clock.sleep(ROUND_MS).then(() => false)])) return true;
    const { areWriting } = tap;
    const areQuiet = logs.map((log, i) => log.look(areWriting[i] === true));
    quiet = areQuiet.every((isQuiet) => isQuiet) ? quiet + 1 : 0;
    if (clock.monotonicMs() >= endMs + lingerMs && logs.every((log) => log.hasLoggedAllOfJob)) break;
  }
  for (const copy of tap.copies) copy.close();
  await done;
  return false;
}

/** Logs the copy of one stream and tracks how far the log has come. */
class CopyLog {
  readonly #copy: PipeReader;
  readonly #writer: CopyWriter;
  #isWriting = false;
  #hasWritten = false;
  #bytesSinceEnd = 0;
  #idleLooks = 0;

  constructor(copy: PipeReader, writer: CopyWriter) {
    this.#copy = copy;
    this.#writer = writer;
  }

  /** Resolves at the end of the copy. */
  async run(): Promise<void> {
    for (let bytes = await this.#copy.take(); bytes !== undefined; bytes = await this.#copy.take()) {
      this.#hasWritten = true;
      this.#isWriting = true;
      await this.#writer.write(bytes);
      this.#isWriting = false;
      this.#bytesSinceEnd += bytes.length;
    }
    await this.#writer.end();
  }

  jobHasEnded(): void {
    this.#bytesSinceEnd = 0;
  }

  /**
   * Returns whether nothing has come since the last call. `isPassing`: some output is still on its way to its reader.
   */
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
