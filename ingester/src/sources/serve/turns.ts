import { Waiters } from '../../waiters.js';

/** So many tasks run at once; the others wait for their turn. */
export class Turns {
  readonly #waiters = new Waiters();
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async take<T>(task: () => Promise<T>): Promise<T> {
    while (this.#free === 0) await this.#waiters.until(() => this.#free > 0);
    this.#free -= 1;
    try {
      return await task();
    } finally {
      this.#free += 1;
      this.#waiters.wake();
    }
  }
}
