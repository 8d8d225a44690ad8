import { describeFault } from '../../host/describe-fault.js';
import type { Reporter } from '../../host/report.js';

/** The newest things that had a fault, so that each is named once. */
const MAX_SAID = 1000;

/**
 * The faults of a source outside the pipelines of its jobs. Each costs the thing that it is about, such as one job or
 * one file, and nothing else. They are counted, and said once of each thing.
 */
export class SourceFaults {
  readonly #counters: { faults: number };
  readonly #report: Pick<Reporter, 'error'>;
  readonly #said = new Set<string>();

  constructor(counters: { faults: number }, report: Pick<Reporter, 'error'>) {
    this.#counters = counters;
    this.#report = report;
  }

  /** `what`: the thing that suffers alone, e.g. `job 7`. `outcome`: what becomes of it. */
  note(what: string, error: unknown, outcome = 'cannot be logged as it should'): void {
    this.#counters.faults += 1;
    if (this.#said.has(what)) return;
    const [oldest] = this.#said;
    if (this.#said.size >= MAX_SAID && oldest !== undefined) this.#said.delete(oldest);
    this.#said.add(what);
    this.#report.error(
      `${what} ${outcome}: a fault of joblens, ${describeFault(error)}; all else goes on, and further ones are counted`
    );
  }

  /** Does a step that nothing else may suffer from. Undefined when it failed. */
  contain<T>(what: string, step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      this.note(what, error);
      return undefined;
    }
  }

  async containAll<T>(what: string, step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      this.note(what, error);
      return undefined;
    }
  }
}
