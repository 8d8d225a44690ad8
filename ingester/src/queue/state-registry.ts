/** A part that can continue after a restart where it was. */
export interface StateSource {
  readonly key: string;
  /** Queues the pending points. False when there is no room: the state is then ahead of the queued points. */
  commit(): boolean;
  /** The whole state, as JSON. */
  takeWholeState(): string;
}

/**
 * All sources whose state is kept with their points. The queue asks them one after the other when it begins a new file.
 */
export class StateRegistry implements Iterable<StateSource> {
  readonly #sources = new Map<string, StateSource>();

  add(source: StateSource): void {
    this.#sources.set(source.key, source);
  }

  delete(source: StateSource): void {
    if (this.#sources.get(source.key) === source) this.#sources.delete(source.key);
  }

  /** Includes sources that are added meanwhile. */
  [Symbol.iterator](): Iterator<StateSource> {
    return this.#sources.values();
  }
}
