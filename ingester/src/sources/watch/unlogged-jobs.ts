import type { PointQueue } from '../../pipeline/point-queue.js';
import type { StateRegistry, StateSource } from '../../pipeline/state-registry.js';

export const UNLOGGED_KEY = 'watch:unlogged';

/** Jobs whose owners had not opted in when they were first seen: the decision holds, also over a restart. */
export class UnloggedJobs implements StateSource {
  readonly key = UNLOGGED_KEY;
  readonly #queue: Pick<PointQueue, 'append'>;
  readonly #jobs: Set<string>;
  #pending: string[] = [];

  /** `values`: as found after a restart, each a list of job keys. */
  constructor(queue: Pick<PointQueue, 'append'>, states: StateRegistry, values: readonly string[] = []) {
    this.#queue = queue;
    this.#jobs = new Set(values.flatMap((value) => JSON.parse(value) as string[]));
    states.add(this);
  }

  has(jobKey: string): boolean {
    return this.#jobs.has(jobKey);
  }

  add(jobKey: string): void {
    this.#jobs.add(jobKey);
    this.#pending.push(jobKey);
    this.commit();
  }

  /** The job is over. */
  delete(jobKey: string): void {
    this.#jobs.delete(jobKey);
  }

  commit(): boolean {
    if (this.#pending.length === 0) return true;
    const states = [{ key: this.key, kind: 'change' as const, value: JSON.stringify(this.#pending) }];
    if (!this.#queue.append({ bytes: Buffer.alloc(0), points: 0, states, isUrgent: true })) return false;
    this.#pending = [];
    return true;
  }

  takeWholeState(): string {
    return JSON.stringify([...this.#jobs]);
  }
}
