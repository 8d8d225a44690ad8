import type { PointQueue } from '../../queue/point-queue.js';
import type { StateRegistry, StateSource } from '../../queue/state-registry.js';

export const UNLOGGED_KEY = 'watch:unlogged';

/** Jobs whose owners had not opted in when they were first seen. The decision holds, even over a restart. */
export class UnloggedJobs implements StateSource {
  readonly key = UNLOGGED_KEY;
  readonly #queue: Pick<PointQueue, 'append'>;
  readonly #jobs: Set<string>;
  #pending: string[] = [];
  #isKept: boolean;

  /** `values`: the states found after a restart, each a list of job keys. */
  constructor(queue: Pick<PointQueue, 'append'>, states: StateRegistry, values: readonly string[] = []) {
    this.#queue = queue;
    this.#jobs = new Set(values.flatMap((value) => JSON.parse(value) as string[]));
    this.#isKept = values.length > 0;
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

  /** Forgets a job that is over. */
  delete(jobKey: string): void {
    this.#jobs.delete(jobKey);
  }

  commit(): boolean {
    if (this.#pending.length === 0) return true;
    const change = { key: this.key, kind: 'change', value: JSON.stringify(this.#pending) } as const;
    // A change needs a whole value before it.
    const state = this.#isKept ? change : ({ key: this.key, kind: 'whole', value: this.takeWholeState() } as const);
    if (!this.#queue.append({ bytes: Buffer.alloc(0), points: 0, states: [state], isUrgent: true })) return false;
    this.#pending = [];
    this.#isKept = true;
    return true;
  }

  takeWholeState(): string {
    return JSON.stringify([...this.#jobs]);
  }
}
