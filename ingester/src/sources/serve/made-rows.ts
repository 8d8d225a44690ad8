import type { PointRow, PointRowRules } from '@joblens/core/metadata/point-row';
import type { Point } from '@joblens/core/point/point';
import type { Clock } from '../../clock/clock.js';
import type { Delivery } from '../../delivery/delivery.js';
import type { Reporter } from '../../host/report.js';
import { PendingPoints } from '../../pipeline/pending-points.js';
import { RowJobs } from '../../row-jobs/row-jobs.js';
import type { SourceFaults } from '../guard/source-faults.js';
import type { TranslatedPoints } from './translated-points.js';

/** How often summaries that keep changing are written again. */
const TICK_MS = 250;

interface MadeRowsOptions {
  readonly delivery: Pick<Delivery, 'queue' | 'states' | 'restored' | 'rewrites' | 'counters'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'sleep'>;
  readonly report: Reporter;
  readonly faults: SourceFaults;
  readonly rules: PointRowRules;
  readonly maxTables: number;
}

/** Makes rows of the received points that name a job, and queues what their jobs need besides. */
export class MadeRows {
  readonly #options: MadeRowsOptions;
  readonly #points: PendingPoints;
  readonly #jobs: RowJobs;
  readonly #stop = new AbortController();
  #isTicking = false;

  constructor(options: MadeRowsOptions) {
    const { delivery, clock, report, rules, maxTables } = options;
    this.#options = options;
    this.#points = new PendingPoints(
      (message) => report.debug(message),
      () => undefined
    );
    this.#jobs = new RowJobs({
      ...{ points: this.#points, rewrites: delivery.rewrites, rules, maxTables },
      clock,
      ...{ states: delivery.states, restored: delivery.restored },
      warn: (message) => report.warn(message),
    });
    this.#keepTicking();
  }

  get jobTags(): readonly string[] {
    return this.#options.rules.jobTags;
  }

  /** The number of jobs that are known. */
  get jobs(): number {
    return this.#jobs.size;
  }

  read(point: Point): PointRow | undefined {
    return this.#jobs.read(point);
  }

  /** Adds the points of the rows. Call it where there is room for the whole. */
  makeInto(translated: TranslatedPoints): void {
    if (translated.rows.length === 0) return;
    for (const { row, timeNs } of translated.rows) {
      const { job, user } = row.source;
      this.#options.faults.contain(`job ${job} of ${user}`, () => this.#jobs.addRow(row, timeNs));
    }
    translated.addMade(this.#points.take(), this.#jobs.takeStates());
    this.#keepTicking();
  }

  /** Writes what is still to be said of the jobs. */
  close(): void {
    this.#stop.abort();
    this.#write(true);
  }

  #keepTicking(): void {
    const { signal } = this.#stop;
    if (this.#isTicking || signal.aborted || !this.#jobs.isDirty) return;
    this.#isTicking = true;
    void this.#options.clock.sleep(TICK_MS, signal).then(() => {
      this.#isTicking = false;
      if (signal.aborted) return;
      if (this.#options.delivery.queue.fill < 1) this.#write(false);
      this.#keepTicking();
    });
  }

  #write(isEnd: boolean): void {
    const { delivery, clock, faults } = this.#options;
    faults.contain('the summaries of tables', () => {
      this.#jobs.writeDue(isEnd);
      const batch = this.#points.take();
      const states = this.#jobs.takeStates();
      if (batch.points === 0 && states.length === 0) return;
      if (delivery.queue.append({ ...batch, states, isUrgent: true })) {
        delivery.counters.addQueued(batch.points, clock.monotonicMs());
      }
    });
  }
}
