/** Why a setup cannot go on: one line for the user. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}

/** What a setup finds and does, a line for each thing. In a dry run nothing is done. */
export class Changes {
  readonly #print: (text: string) => void;
  readonly isDryRun: boolean;
  #count = 0;

  constructor(print: (text: string) => void, isDryRun: boolean) {
    this.#print = print;
    this.isDryRun = isDryRun;
  }

  get count(): number {
    return this.#count;
  }

  /** It is as it should be. */
  kept(what: string): void {
    this.#say('kept', what);
  }

  /** Does it. Undefined in a dry run. */
  async make<T>(what: string, act: () => T | Promise<T>): Promise<T | undefined> {
    return this.#do('make', 'made', what, act);
  }

  async change<T>(what: string, act: () => T | Promise<T>): Promise<T | undefined> {
    return this.#do('change', 'changed', what, act);
  }

  async remove<T>(what: string, act: () => T | Promise<T>): Promise<T | undefined> {
    return this.#do('remove', 'removed', what, act);
  }

  /** More about what was said last. */
  show(text: string): void {
    this.#print(text);
  }

  async #do<T>(verb: string, done: string, what: string, act: () => T | Promise<T>): Promise<T | undefined> {
    this.#count += 1;
    if (this.isDryRun) {
      this.#say(`would ${verb}`, what);
      return undefined;
    }
    const result = await act();
    this.#say(done, what);
    return result;
  }

  #say(verb: string, what: string): void {
    this.#print(`${verb.padEnd(12)}  ${what}\n`);
  }
}
