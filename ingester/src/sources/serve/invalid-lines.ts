import type { Counters } from '../../delivery/counters.js';
import type { Reporter } from '../../host/report.js';
import type { DeadLetter, DeadLetters } from '../../sinks/dead-letters.js';
import { createDeadLetters } from '../../sinks/dead-letters.js';
import type { InvalidLine, TranslatedPoints } from './translated-points.js';

/** A faulty sender must not fill the disk: beyond this size of the file, lines are only counted. */
const MAX_FILE_BYTES = 64 << 20;
/** The most bytes that wait to be written; lines beyond it are only counted. */
const MAX_WAITING_BYTES = 1 << 20;
/** The size of a line besides its bytes, in memory and in the file. */
const LINE_BYTES = 100;

/** Received lines that are not points, kept beside the points that InfluxDB rejects. */
export class InvalidLines {
  readonly #letters: DeadLetters;
  readonly #counters: Counters;
  readonly #path: string;
  readonly #report: Reporter;
  #waiting: DeadLetter[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;

  constructor(path: string, counters: Counters, report: Reporter, maxFileBytes = MAX_FILE_BYTES) {
    this.#letters = createDeadLetters({ path, report, what: 'a received line is not a valid point', maxFileBytes });
    this.#counters = counters;
    this.#path = path;
    this.#report = report;
  }

  keep({ invalid, invalidLines }: Pick<TranslatedPoints, 'invalid' | 'invalidLines'>): void {
    this.#counters.invalidLines += invalidLines;
    for (const line of invalid) {
      if (this.#waitingBytes > MAX_WAITING_BYTES) break;
      this.#waiting.push(toLetter(line));
      this.#waitingBytes += line.line.length + line.reason.length + LINE_BYTES;
    }
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  async close(): Promise<void> {
    await this.#writing;
    const { invalidLines } = this.#counters;
    if (invalidLines > 0) this.#report.warn(`${invalidLines} lines were not valid points; see ${this.#path}`);
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const letters = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      await this.#letters.keep(letters);
    }
  }
}

function toLetter({ line, lineBytes, reason, from }: InvalidLine): DeadLetter {
  const letter = { point: line, reason: `${reason} (from ${from})` };
  return line.length === lineBytes ? letter : { ...letter, wholeBytes: lineBytes };
}
