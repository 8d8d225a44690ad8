import type { MovedTextsState } from './renderer-state.js';

/** A screen has fewer rows. */
const MAX_TEXTS = 256;
/** A longer text is taken for a new one when it comes again. UTF-16 units. */
const MAX_UNITS = 16 * 1024;

/**
 * Texts that were judged on rows and printed over since. A live display takes its rows off, prints lines in their
 * place, and draws the rows again below: they have moved, and nothing new was said.
 */
export class MovedTexts {
  readonly #reachRows: number;
  #touchedId = -Infinity;
  #texts: Array<readonly [id: number, text: string]> = [];

  /** `reachRows`: a text moves by fewer rows than that. */
  constructor(reachRows: number) {
    this.#reachRows = reachRows;
  }

  /** Notes that a complete row may be changed. */
  touch(id: number): void {
    if (id > this.#touchedId) this.#touchedId = id;
  }

  /** Whether a text may have moved to this row, or to one behind it. */
  mayReach(id: number): boolean {
    return id - this.#touchedId < this.#reachRows;
  }

  /** Adds a text that was judged on a row and is no longer there. */
  add(id: number, text: string): void {
    if (text === '' || text.length > MAX_UNITS) return;
    this.#texts.push([id, text]);
    if (this.#texts.length > MAX_TEXTS) this.#texts.shift();
  }

  /** Removes a text that has moved to this row; false if there is none. */
  take(id: number, text: string): boolean {
    const index = this.#texts.findIndex((known) => known[1] === text && Math.abs(id - known[0]) < this.#reachRows);
    if (index >= 0) this.#texts.splice(index, 1);
    return index >= 0;
  }

  forget(): void {
    this.#touchedId = -Infinity;
    this.#texts = [];
  }

  /** Undefined if no row was touched that matters to the row `id` or those behind it. */
  takeState(id: number): MovedTextsState | undefined {
    return this.mayReach(id) ? { touchedId: this.#touchedId, texts: [...this.#texts] } : undefined;
  }

  restore({ touchedId, texts }: MovedTextsState): void {
    this.#touchedId = touchedId;
    this.#texts = [...texts];
  }
}
