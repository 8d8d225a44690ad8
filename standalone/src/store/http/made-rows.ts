import { DEFAULT_JOB_TAGS } from '@joblens/core/metadata/point-row';
import { parseLineProtocol } from '@joblens/core/point/parse-line-protocol';
import type { Point } from '@joblens/core/point/point';
import { RowJobs } from '@joblens/ingester/row-jobs';
import type { KeptStates, Store } from '../kept/store.js';

/** How often summaries that keep changing are written again. */
const TICK_MS = 1000;
const MAX_TABLES = 1000;

export interface MadeRowsOptions {
  /** The user of points with a job and without a tag `user`. */
  readonly user: string;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  /** One line for the user. */
  readonly warn: (message: string) => void;
}

/** Points to write, and the states of the jobs that belong to them. */
export interface PointsWithRows {
  readonly points: readonly Point[];
  readonly states?: KeptStates;
}

const NO_REGISTRY = { add: () => undefined, delete: () => undefined };

/** Makes rows of the points that name a job, in all databases of a store. */
export class MadeRows {
  readonly #store: Store;
  readonly #options: MadeRowsOptions;
  readonly #jobs = new Map<string, RowJobs>();
  /** What the jobs write, until it is taken. */
  #points: Point[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, options: MadeRowsOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** The points, and those of their rows behind them. Write the answer at once: later ones count on it. */
  make(database: string, points: readonly Point[]): PointsWithRows {
    const jobs = this.#jobsOf(database);
    let isAny = false;
    for (const point of points) {
      const row = jobs.read(point);
      if (row === undefined) continue;
      isAny = true;
      jobs.addRow(row, point.timeNs);
    }
    if (!isAny) return { points };
    jobs.writeDue(false);
    this.#keepTicking();
    return this.#take(jobs, points);
  }

  /** Writes what is still to be said of the jobs. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writeDue(true);
  }

  #jobsOf(database: string): RowJobs {
    const known = this.#jobs.get(database);
    if (known !== undefined) return known;
    const { user, nowMs, monotonicMs, warn } = this.#options;
    const add = (point: Point): void => void this.#points.push(point);
    const addText = (text: string): void => {
      const { points } = parseLineProtocol(text, { precision: 'ns', defaultTimeNs: 0n });
      points.forEach(add);
    };
    const jobs = new RowJobs({
      points: { addPoint: add, addText, addBytes: (bytes) => addText(Buffer.from(bytes).toString()) },
      ...{ rewrites: () => true, clock: { nowMs, monotonicMs }, maxTables: MAX_TABLES, warn },
      ...{ rules: { jobTags: DEFAULT_JOB_TAGS, user }, states: NO_REGISTRY },
      restored: this.#store.readStates(database),
    });
    this.#jobs.set(database, jobs);
    return jobs;
  }

  #take(jobs: RowJobs, points: readonly Point[]): PointsWithRows {
    const made = this.#points;
    this.#points = [];
    const states = jobs.takeStates('whole').map(({ key, value }) => [key, value === '' ? null : value] as const);
    return { points: [...points, ...made], states: new Map(states) };
  }

  #keepTicking(): void {
    if (this.#timer !== undefined || ![...this.#jobs.values()].some(({ isDirty }) => isDirty)) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#writeDue(false).then(
        () => this.#keepTicking(),
        (error: unknown) => this.#options.warn(`the summaries of tables cannot be written: ${String(error)}`)
      );
    }, TICK_MS).unref();
  }

  async #writeDue(isEnd: boolean): Promise<void> {
    const writes = [...this.#jobs].flatMap(([database, jobs]) => {
      jobs.writeDue(isEnd);
      const { points, states } = this.#take(jobs, []);
      return points.length === 0 && states?.size === 0 ? [] : [this.#store.write(database, points, states)];
    });
    await Promise.all(writes);
  }
}
