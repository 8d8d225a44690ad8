import { LatelySaid } from '../../host/lately-said.js';
import type { Reporter } from '../../host/report.js';

/**
 * Reports requests that are refused whole, now and then for each reason. Not every sender reports the answers that it
 * gets (Slurm's profile plugin does not).
 */
export class Refusals {
  readonly #report: Pick<Reporter, 'warn'>;
  readonly #said: LatelySaid;

  constructor(report: Pick<Reporter, 'warn'>, monotonicMs: () => number) {
    this.#report = report;
    this.#said = new LatelySaid(monotonicMs);
  }

  note(reason: string, from: string): void {
    if (!this.#said.isNews(reason)) return;
    this.#report.warn(`a request from ${from} was refused, and so are further ones like it: ${reason}`);
  }
}
