import type { JobSource } from '@joblens/core/schema/measurements';
import { describeFault } from '../host/describe-fault.js';
import type { Reporter } from '../host/report.js';
import type { FaultKeeper } from '../rules/writing/fault-keeper.js';
import type { PendingPoints } from './pending-points.js';

/** A job with more faults is not logged any more: each costs time that belongs to others. */
const MAX_FAULTS = 1000;

interface JobFaultsOptions {
  readonly source: JobSource;
  readonly counters: { faults: number };
  readonly report: Pick<Reporter, 'error'>;
  readonly points: Pick<PendingPoints, 'mark' | 'rollback'>;
  readonly nextNs: () => bigint;
  /** Writes a notice into the job's log; the same time gives the same notice. */
  readonly addNotice: (text: string, timeNs: bigint) => void;
}

/** The faults of one job. They are in its log as one notice, on stderr as one line, and counted. */
export class JobFaults implements FaultKeeper {
  readonly #options: JobFaultsOptions;
  #count = 0;
  #saidCount = 0;
  #isSaid = false;
  #noticeNs: bigint | undefined;

  constructor(options: JobFaultsOptions) {
    this.#options = options;
  }

  /** Whether there were so many that the job is not logged any more. */
  get areTooMany(): boolean {
    return this.#count > MAX_FAULTS;
  }

  /** The logging of the job had ended so before a restart. */
  stayGivenUp(): void {
    this.#count = this.#saidCount = MAX_FAULTS + 1;
    this.#isSaid = true;
  }

  /** Ends the logging of the job, whose state cannot be kept. */
  giveUp(error: unknown): void {
    this.#count = Math.max(this.#count, MAX_FAULTS);
    this.note(error);
  }

  note(error: unknown): void {
    const { counters, report, source } = this.#options;
    this.#count += 1;
    counters.faults += 1;
    if (!this.#isSaid) {
      this.#isSaid = true;
      const what = `a part of the output of job ${source.job} of ${source.user} could not be logged`;
      report.error(
        `${what}: a fault of joblens, ${describeFault(error)}; the rest is logged, and further ones are counted`
      );
    }
    if (this.#count === MAX_FAULTS + 1) {
      report.error(
        `job ${source.job} of ${source.user} is not logged any more: there were too many such faults, or one that could not be passed`
      );
    }
    // The notice is written again each time the number has doubled, and at the end.
    if (this.areTooMany || this.#count >= this.#saidCount * 2) this.say();
  }

  /** Brings the notice up to date. */
  say(): void {
    if (this.#count === this.#saidCount || this.#saidCount > MAX_FAULTS) return;
    const { addNotice, nextNs } = this.#options;
    this.#saidCount = this.#count;
    const places = this.#count === 1 ? 'one place' : this.areTooMany ? 'many places' : `${this.#count} places`;
    const rest = this.areTooMany ? 'nothing more of it is logged' : 'the rest is logged';
    try {
      this.#noticeNs ??= nextNs();
      addNotice(
        `output of this job could not be logged in ${places}, because of a fault of joblens; ${rest}`,
        this.#noticeNs
      );
    } catch {
      // It is on stderr.
    }
  }

  mark(): void {
    this.#options.points.mark();
  }

  rollback(): void {
    this.#options.points.rollback();
  }
}
