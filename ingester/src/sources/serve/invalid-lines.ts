import type { Counters } from '../../pipeline/counters.js';
import type { Reporter } from '../../report.js';
import type { DeadLetter, DeadLetters } from '../../sinks/dead-letters.js';
import { createDeadLetters } from '../../sinks/dead-letters.js';
import type { TranslatedPoints } from './translated-points.js';

/** A sender that goes wrong must not fill the disk: after so much lines are counted only. */
const MAX_KEPT_BYTES = 64 << 20;
/** So much waits to be written; more is counted only. */
const MAX_WAITING_BYTES = 1 << 20;

/** Received lines that are no points, kept beside the points that InfluxDB rejects. */
export class InvalidLines {
  readonly #letters: DeadLetters;
  readonly #counters: Counters;
  readonly #path: string;
  readonly #report: Reporter;
  #waiting: DeadLetter[] = [];
  #waitingBytes = 0;
  #keptBytes = 0;
  #writing: Promise<void> | undefined;

  constructor(path: string, counters: Counters, report: Reporter) {
    this.#letters = createDeadLetters(path, report, 'a line that came is no point');
    this.#counters = counters;
    this.#path = path;
    this.#report = report;
  }

  keep({ invalid, invalidLines }: Pick<TranslatedPoints, 'invalid' | 'invalidLines'>): void {
    this.#counters.invalidLines += invalidLines;
    for (const { line, reason, from } of invalid) {
      if (this.#waitingBytes > MAX_WAITING_BYTES || this.#keptBytes > MAX_KEPT_BYTES) return;
      this.#waiting.push({ point: line, reason: `${reason} (from ${from})` });
      this.#waitingBytes += line.length + reason.length;
    }
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  async close(): Promise<void> {
    await this.#writing;
    const { invalidLines } = this.#counters;
    if (invalidLines > 0) this.#report.warn(`${invalidLines} lines were no points; see ${this.#path}`);
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const letters = this.#waiting;
      const bytes = this.#waitingBytes;
      this.#waiting = [];
      this.#waitingBytes = 0;
      await this.#letters.keep(letters);
      this.#addKept(bytes);
    }
  }

  #addKept(bytes: number): void {
    const wasOver = this.#keptBytes > MAX_KEPT_BYTES;
    this.#keptBytes += bytes;
    if (!wasOver && this.#keptBytes > MAX_KEPT_BYTES) {
      this.#report.warn(`${this.#path} is large enough: further lines that are no points are counted only`);
    }
  }
}
