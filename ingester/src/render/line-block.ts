import type { RowState } from './renderer-state.js';
import { createLineSlot, formatSlotState } from './slot.js';

/** Complete lines of plain text, one after the other: rows that nobody has read one by one yet. */
export class LineBlock {
  /** Unchanged since the state was last taken. */
  isSaved = false;
  /** The number of lines. */
  length: number;
  readonly #bytes: Buffer;
  #gone = 0;

  /** `bytes`: UTF-8 of `length` lines, each ended by LF, in memory that nobody else uses. */
  constructor(bytes: Buffer, length: number) {
    this.#bytes = bytes;
    this.length = length;
  }

  /** At least the number of UTF-16 units of text. */
  get byteLength(): number {
    return this.#bytes.length;
  }

  /** Removes the first line. */
  leaveTop(): void {
    this.#gone += 1;
    this.length -= 1;
  }

  readLines(): string[] {
    return this.#bytes.toString().split('\n').slice(this.#gone, -1);
  }

  /** Adds the states of its rows unless `kind` does not ask for them. The first row has the id `firstId`. */
  addState(kind: 'whole' | 'change', firstId: number, rows: Record<string, RowState>): void {
    if (kind === 'change' && this.isSaved) return;
    this.isSaved = true;
    this.readLines().forEach((line, i) => {
      const state = line.endsWith(' ') ? formatSlotState(createLineSlot(firstId + i, line)) : line;
      if (state !== undefined) rows[firstId + i] = state;
    });
  }
}
