import type { RenderedRow } from './console-renderer.js';
import type { RowState, WindowState } from './renderer-state.js';
import { parseRow, Row } from './row.js';
import type { Slot } from './slot.js';
import { createSlot, formatLine, formatRow, formatSlotState, restoreSlot, thawRow } from './slot.js';

/** Rows that the cursor can reach; the height of the screen that we pretend to be. */
export const WINDOW_ROWS = 200;
/** Text kept for rewriting; beyond it old rows become final early. UTF-16 units. */
const WINDOW_TEXT_LIMIT = 4 * 1024 * 1024;
/** A longer row is returned when it ends: to look at it as it grows would cost more and more. UTF-16 units. */
const LIVE_ROW_LIMIT = 16 * 1024;
const COMPACT_AFTER = 256;

/** In place of a row that left, whose text would stay in memory. */
const GONE = createSlot();

/** The last rows of a stream, by their index on the screen (0 is the top), and what was returned of them. */
export class RowWindow {
  /** Id of the row at index 0. */
  firstId = 0;
  private slots: Slot[] = [];
  private head = 0;
  private out: RenderedRow[] = [];
  /** The first row that was not yet returned as complete. */
  private firstIncompleteId = 0;

  /** Rows that exist; the last of them is incomplete. */
  get length(): number {
    return this.slots.length - this.head;
  }

  /** The row at an index; it and those above it come to exist. */
  rowAt(index: number): Row {
    while (this.length <= index) this.slots.push(createSlot());
    const slot = this.slotAt(index);
    slot.row ??= thawRow(slot.returned);
    slot.isSaved = false;
    return slot.row;
  }

  /** The row at an index if it exists. */
  findRow(index: number): Row | undefined {
    return index < this.length ? this.rowAt(index) : undefined;
  }

  setRow(index: number, row: Row): void {
    this.rowAt(index);
    this.slotAt(index).row = row;
    row.isChanged = true;
  }

  /** UTF-16 units on the last row. */
  get unitsOfLast(): number {
    const slot = this.slots[this.slots.length - 1];
    return this.length === 0 || slot === undefined ? 0 : unitsOf(slot);
  }

  /** Nothing was printed on the row at an index, and nothing of it was returned. */
  isNew(index: number): boolean {
    const { row, returned } = this.slotAt(index);
    return returned === undefined && (row === undefined || row.isNew);
  }

  /** Makes the new last row a complete line and opens the next one. */
  completeLine(text: string, ansi: string | undefined): void {
    const slot = this.slotAt(this.length - 1);
    slot.isSaved = false;
    if (text.charCodeAt(text.length - 1) === 0x20) slot.row = ansi === undefined ? new Row(text) : parseRow(ansi);
    else {
      const id = this.firstId + this.length - 1;
      slot.returned = formatLine(id, text, ansi);
      slot.row = undefined;
    }
    this.slots.push(createSlot());
  }

  /** Takes the top row off the screen: it is final. */
  leaveTop(): void {
    const slot = this.slots[this.head];
    if (slot !== undefined) {
      this.returnRow(slot, this.firstId, true);
      this.slots[this.head++] = GONE;
    }
    this.firstId++;
    if (this.firstIncompleteId < this.firstId) this.firstIncompleteId = this.firstId;
    if (this.head >= COMPACT_AFTER) {
      this.slots = this.slots.slice(this.head);
      this.head = 0;
    }
  }

  /** Rows that nobody needs here have come before the only one, which is new. */
  skipRows(count: number): void {
    this.firstId += count;
    this.firstIncompleteId = this.firstId;
  }

  /** True when the window holds more text than it may. */
  isOverTextLimit(): boolean {
    let units = 0;
    for (let i = this.head; i < this.slots.length; i++) units += weightOf(this.slotAt(i - this.head));
    return units > WINDOW_TEXT_LIMIT;
  }

  hasChanges(): boolean {
    for (let i = this.slots.length - 1; i >= this.head; i--) {
      const slot = this.slots[i];
      if (slot?.row === undefined || !slot.row.isChanged || this.isTooLong(slot)) continue;
      if (slot.returned !== undefined || !slot.row.isBlank) return true;
    }
    return false;
  }

  /** Returns the rows that became complete, and the ones that left. */
  takeComplete(): RenderedRow[] {
    const firstOpenId = this.firstId + this.length - 1;
    for (; this.firstIncompleteId < firstOpenId; this.firstIncompleteId++) {
      this.returnRow(this.slotAt(this.firstIncompleteId - this.firstId), this.firstIncompleteId, true);
    }
    return this.drain();
  }

  /** Returns every row that changed; `isEnd` makes the last one complete too. */
  takeChanged(isEnd: boolean): RenderedRow[] {
    const length = this.length;
    for (let i = 0; i < length; i++) {
      const slot = this.slotAt(i);
      const isLast = i === length - 1;
      if (!isEnd && this.isTooLong(slot)) continue;
      if (isLast && slot.returned === undefined && (slot.row?.isBlank ?? true)) continue;
      if (slot.row?.isChanged === true || (isLast && isEnd)) this.returnRow(slot, this.firstId + i, !isLast || isEnd);
    }
    return this.drain();
  }

  /** `change`: the rows that changed since this was last called. */
  takeState(kind: 'whole' | 'change'): WindowState {
    const { firstId, length, firstIncompleteId } = this;
    const rows: Record<string, RowState> = {};
    for (let i = 0; i < length; i++) {
      const slot = this.slotAt(i);
      if (kind === 'change' && slot.isSaved) continue;
      slot.isSaved = true;
      const state = formatSlotState(slot);
      if (state !== undefined) rows[firstId + i] = state;
    }
    return { firstId, length, firstIncompleteId, rows };
  }

  restore({ firstId, length, firstIncompleteId, rows }: WindowState): void {
    this.firstId = firstId;
    this.firstIncompleteId = firstIncompleteId;
    this.head = 0;
    this.slots = Array.from({ length }, (_, i) => restoreSlot(firstId + i, rows[firstId + i]));
  }

  /** The last row, when it is returned only at its end. */
  private isTooLong({ row }: Slot): boolean {
    return row !== undefined && row.text.length > LIVE_ROW_LIMIT && this.slots[this.slots.length - 1]?.row === row;
  }

  private drain(): RenderedRow[] {
    const rows = this.out;
    this.out = [];
    return rows;
  }

  private slotAt(index: number): Slot {
    const slot = this.slots[this.head + index];
    if (slot === undefined) throw new RangeError(`No row ${index} in a window of ${this.length} rows.`);
    return slot;
  }

  private returnRow(slot: Slot, id: number, isComplete: boolean): void {
    const { row, returned } = slot;
    const isFirst = isComplete && id >= this.firstIncompleteId;
    if (row === undefined) {
      if (isFirst) this.out.push(returned ?? formatRow(new Row(), id, true));
      return;
    }
    if (!isFirst && !row.isChanged && returned?.isComplete === isComplete) return;
    row.isChanged = false;
    slot.isSaved = false;
    const next = formatRow(row, id, isComplete);
    if (!isFirst && returned !== undefined && isSameRow(returned, next)) return;
    slot.returned = next;
    this.out.push(next);
  }
}

function weightOf({ row, returned }: Slot): number {
  return row?.weight ?? returned?.ansi?.length ?? returned?.text.length ?? 0;
}

function unitsOf({ row, returned }: Slot): number {
  return row?.text.length ?? returned?.text.length ?? 0;
}

function isSameRow(a: RenderedRow, b: RenderedRow): boolean {
  return a.text === b.text && a.ansi === b.ansi && a.isComplete === b.isComplete && a.continues === b.continues;
}
