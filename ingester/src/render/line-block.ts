import type { RowState } from './renderer-state.js';
import { createLineSlot, formatSlotState } from './slot.js';

/** Complete lines of plain text, one after the other, as they came: rows that nobody has looked at one by one yet. */
export class LineBlock {
  /** Unchanged since the state was last taken. */
  isSaved = false;
  /** How many lines there are. */
  length: number;
  readonly #bytes: Buffer;
  #gone = 0;

  /** `bytes`: UTF-8 of that many lines, each ended by LF, in memory of their own. */
  constructor(bytes: Buffer, length: number) {
    this.#bytes = bytes;
    this.length = length;
  }

  /** At least as many as UTF-16 units of text. */
  get byteLength(): number {
    return this.#bytes.length;
  }

  /** The first line leaves. */
  leaveTop(): void {
    this.#gone += 1;
    this.length -= 1;
  }

  readLines(): string[] {
    return this.#bytes.toString().split('\n').slice(this.#gone, -1);
  }

  /** Adds the states of its rows, if they are wanted; the first of them has the id `firstId`. */
  addState(kind: 'whole' | 'change', firstId: number, rows: Record<string, RowState>): void {
    if (kind === 'change' && this.isSaved) return;
    this.isSaved = true;
    this.readLines().forEach((line, i) => {
      const state = line.endsWith(' ') ? formatSlotState(createLineSlot(firstId + i, line)) : line;
      if (state !== undefined) rows[firstId + i] = state;
    });
  }
}
