import type { Reporter } from '../../host/report.js';

/** The most reasons that are reported; a sender can cause any number of them. */
const MAX_REASONS = 20;

/**
 * Reports requests that are refused whole, once for each reason. Not every sender reports the answers that it gets
 * (Slurm's profile plugin does not).
 */
export class Refusals {
  readonly #report: Reporter;
  readonly #told = new Set<string>();

  constructor(report: Reporter) {
    this.#report = report;
  }

  note(reason: string, from: string): void {
    if (this.#told.has(reason) || this.#told.size >= MAX_REASONS) return;
    this.#told.add(reason);
    this.#report.warn(`a request from ${from} was refused, and so are further ones like it: ${reason}`);
  }
}
