import { NS_PER_MS_FLOAT } from '@joblens/core/numbers/time-units';
import type { ImportedJob } from '../job/imported-job.js';
import { readTime } from '../job/read-time.js';

/** The states of a task on a worker in which it keeps that busy, and what it then does. */
const CATEGORIES: Readonly<Record<string, string>> = {
  executing: 'compute',
  'long-running': 'compute',
  flight: 'transfer',
};

interface OpenTask {
  readonly category: string;
  readonly startNs: bigint;
}

interface WorkerLogOptions {
  readonly job: ImportedJob;
  readonly worker: string;
  /** The group of a task, by which its spans are named. */
  readonly groupOf: (key: string) => string;
  readonly offsetNs: bigint | undefined;
}

/**
 * Makes spans of the log of a worker. Its rows of a transition are (key, start, recommended, final, recommendations,
 * stimulus, time); others, of other forms, are not needed.
 */
export class WorkerLog {
  readonly #options: WorkerLogOptions;
  readonly #open = new Map<string, OpenTask>();
  #number = 0;

  constructor(options: WorkerLogOptions) {
    this.#options = options;
  }

  add(row: unknown): void {
    if (!Array.isArray(row) || row.length !== 7) return;
    const [key, , , final, , stimulus, time] = row as readonly unknown[];
    if (typeof key !== 'string' || typeof final !== 'string' || typeof time !== 'number') return;
    const timeNs = readTime(time, this.#options.offsetNs);
    if (timeNs === undefined) return;
    const open = this.#open.get(key);
    const category = CATEGORIES[final];
    if (open !== undefined && open.category !== category) {
      this.#open.delete(key);
      this.#close(key, open, timeNs, { finish: final, stimulus_id: String(stimulus) });
    }
    if (category !== undefined && open?.category !== category) this.#open.set(key, { category, startNs: timeNs });
  }

  /** Tasks that were not done yet last to the time of the dump. */
  end(endNs: bigint): void {
    for (const [key, open] of this.#open) this.#close(key, open, endNs, { unfinished: true });
    this.#open.clear();
  }

  #close(
    key: string,
    { category, startNs }: OpenTask,
    endNs: bigint,
    data: Readonly<Record<string, string | boolean>>
  ): void {
    const { job, worker, groupOf } = this.#options;
    this.#number += 1;
    const durationMs = Math.max(0, Number(endNs - startNs) / NS_PER_MS_FLOAT);
    const id = `${key}/${this.#number}`;
    job.addSpan({ category, worker, id, name: groupOf(key), startNs, durationMs, data: { key, ...data } });
  }
}
