import type { Counters } from '../../delivery/counters.js';
import type { Reporter } from '../../host/report.js';
import { createDeadLetters, type DeadLetter, type DeadLetters } from '../../sinks/dead-letters.js';
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
  #waitingBytes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, counters: Counters, report: Reporter, maxFileBytes = MAX_FILE_BYTES) {
    this.#letters = createDeadLetters({ path, report, what: 'a received line is not a valid point', maxFileBytes });
    this.#counters = counters;
    this.#path = path;
    this.#report = report;
  }

  keep({ invalid, invalidLines }: Pick<TranslatedPoints, 'invalid' | 'invalidLines'>): void {
    this.#counters.invalidLines += invalidLines;
    if (invalid.length === 0 || this.#waitingBytes > MAX_WAITING_BYTES) return;
    const bytes = invalid.reduce((sum, { line, reason }) => sum + line.length + reason.length + LINE_BYTES, 0);
    this.#waitingBytes += bytes;
    this.#writing = this.#writing.then(async () => {
      await this.#letters.keep(invalid.map(toLetter));
      this.#waitingBytes -= bytes;
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    const { invalidLines } = this.#counters;
    if (invalidLines === 0) return;
    const found = invalidLines === 1 ? '1 line was not a valid point' : `${invalidLines} lines were not valid points`;
    this.#report.warn(`${found}; see ${this.#path}`);
  }
}

function toLetter({ line, lineBytes, reason, from }: InvalidLine): DeadLetter {
  const letter = { point: line, reason: `${reason} (from ${from})` };
  return line.length === lineBytes ? letter : { ...letter, wholeBytes: lineBytes };
}
