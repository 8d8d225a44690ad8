/** Something that can go on after a restart where it was. */
export interface StateSource {
  readonly key: string;
  /** Queues what is pending. False when there is no room: then the state is ahead of the queued points. */
  commit(): boolean;
  /** The whole state, as JSON. */
  takeWholeState(): string;
}

/** All whose state is kept with their points: the queue asks them when it begins a new file. */
export class StateRegistry {
  readonly #sources = new Map<string, StateSource>();

  add(source: StateSource): void {
    this.#sources.set(source.key, source);
  }

  delete(source: StateSource): void {
    if (this.#sources.get(source.key) === source) this.#sources.delete(source.key);
  }

  /** Lets every source queue what is pending. False when one could not. */
  commitAll(): boolean {
    let isDone = true;
    for (const source of this.#sources.values()) isDone = source.commit() && isDone;
    return isDone;
  }

  /** The whole state of all; right only after a commitAll that returned true. */
  *snapshot(): Iterable<readonly [key: string, value: string]> {
    for (const source of this.#sources.values()) yield [source.key, source.takeWholeState()];
  }
}
