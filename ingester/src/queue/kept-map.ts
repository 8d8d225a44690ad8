import type { PointQueue } from './point-queue.js';
import type { StateRegistry, StateSource } from './state-registry.js';

/** Where the states of this process are kept. */
export interface StatePlace {
  readonly queue: Pick<PointQueue, 'append'>;
  readonly states: Pick<StateRegistry, 'add' | 'delete'>;
  /** The states found at the start: for each key the whole value, then its changes. */
  readonly restored: ReadonlyMap<string, readonly string[]>;
}

/** A value of null in a change means that the entry is gone. */
type Entries<Value> = readonly (readonly [name: string, value: Value | null])[];

/** A map of JSON values, with the newest last, that is kept over a restart. Changes are kept by the next `commit`. */
export class KeptMap<Value> implements StateSource {
  readonly key: string;
  readonly #queue: StatePlace['queue'];
  readonly #values = new Map<string, Value>();
  readonly #changed = new Set<string>();
  #isKept: boolean;

  /** `key` names the map among all states. */
  constructor(key: string, { queue, states, restored }: StatePlace) {
    const found = restored.get(key) ?? [];
    this.key = key;
    this.#queue = queue;
    for (const [name, value] of found.flatMap((json) => JSON.parse(json) as Entries<Value>)) {
      this.#values.delete(name);
      if (value !== null) this.#values.set(name, value);
    }
    this.#isKept = found.length > 0;
    states.add(this);
  }

  get size(): number {
    return this.#values.size;
  }

  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  names(): Iterable<string> {
    return this.#values.keys();
  }

  values(): Iterable<Value> {
    return this.#values.values();
  }

  set(name: string, value: Value): void {
    this.#values.delete(name);
    this.#values.set(name, value);
    this.#changed.add(name);
  }

  delete(name: string): void {
    if (this.#values.delete(name)) this.#changed.add(name);
  }

  commit(): boolean {
    if (!this.hasChanged) return true;
    // A change needs a whole value before it.
    const states = this.#isKept
      ? [{ key: this.key, kind: 'change', value: this.#formatChange() } as const]
      : [{ key: this.key, kind: 'whole', value: this.takeWholeState() } as const];
    if (!this.#queue.append({ bytes: Buffer.alloc(0), points: 0, states, isUrgent: true })) return false;
    this.#changed.clear();
    this.#isKept = true;
    return true;
  }

  takeWholeState(): string {
    return JSON.stringify([...this.#values] satisfies Entries<Value>);
  }

  #formatChange(): string {
    const entries = [...this.#changed].map((name) => [name, this.#values.get(name) ?? null] as const);
    return JSON.stringify(entries satisfies Entries<Value>);
  }
}
