/** Waits for conditions, which are checked again at each `wake`. */
export class Waiters {
  readonly #checks = new Set<() => void>();

  /** Resolves when the condition holds or the signal is aborted. */
  until(holds: () => boolean, signal?: AbortSignal): Promise<void> {
    const isDone = (): boolean => signal?.aborted === true || holds();
    if (isDone()) return Promise.resolve();
    return new Promise((resolve) => {
      const check = (): void => {
        if (!isDone()) return;
        this.#checks.delete(check);
        signal?.removeEventListener('abort', check);
        resolve();
      };
      this.#checks.add(check);
      signal?.addEventListener('abort', check);
    });
  }

  wake(): void {
    for (const check of [...this.#checks]) check();
  }
}
