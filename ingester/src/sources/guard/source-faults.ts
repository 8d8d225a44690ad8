import { describeFault } from '../../host/describe-fault.js';
import { LatelySaid } from '../../host/lately-said.js';
import type { Reporter } from '../../host/report.js';

/** The most things with a fault that are named in a while. */
const MAX_SAID = 1000;

/**
 * The faults of a source outside the pipelines of its jobs. Each costs the thing that it is about, such as one job or
 * one file, and nothing else. They are counted, and said now and then of each thing.
 */
export class SourceFaults {
  readonly #counters: { faults: number };
  readonly #report: Pick<Reporter, 'error'>;
  readonly #said: LatelySaid;

  constructor(
    counters: { faults: number },
    report: Pick<Reporter, 'error'>,
    monotonicMs: () => number = () => performance.now()
  ) {
    this.#counters = counters;
    this.#report = report;
    this.#said = new LatelySaid(monotonicMs, MAX_SAID);
  }

  /** `what`: the thing that suffers alone, e.g. `job 7`. `outcome`: what becomes of it. */
  note(what: string, error: unknown, outcome = 'cannot be logged as it should'): void {
    this.#counters.faults += 1;
    if (!this.#said.isNews(what)) return;
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
