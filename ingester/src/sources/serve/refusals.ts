import type { Reporter } from '../../host/report.js';

/** The most reasons that are told; a sender can make up any number of them. */
const MAX_REASONS = 20;

/**
 * Requests that are refused whole. Not every sender says what it was told (Slurm's profile plugin does not), so it is
 * said here, once a reason.
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
