import { MovedTexts } from './moved-texts.js';
import type { PrintedRow, RenderedRow } from './rendered-row.js';
import type { RowState, WindowState } from './renderer-state.js';
import { ScreenRow } from './screen-row.js';
import {
  createLineRow,
  createLineSlot,
  createSlot,
  endsWithSpace,
  formatLine,
  formatRow,
  formatSlotState,
  isPlainLine,
  restoreSlot,
  type Slot,
  thawRow,
} from './slot.js';

/** The number of rows that the cursor can reach: the height of the screen that the renderer imitates. */
export const WINDOW_ROWS = 200;
/** The most text kept for rewriting; beyond it old rows become final early. UTF-16 units. */
const WINDOW_TEXT_LIMIT = 4 * 1024 * 1024;
/** A longer row is returned only when it ends: reading it as it grows would cost more and more. UTF-16 units. */
const LIVE_ROW_LIMIT = 16 * 1024;
const COMPACT_AFTER = 256;

/**
 * A text alone is a complete line without colours or trailing spaces that was returned and saved: most rows of a log,
 * most of the time.
 */
type Place = Slot | string;

/** A whole line, and its coloured form if it has colours. */
export interface ScreenLine {
  readonly text: string;
  readonly ansi: string | undefined;
}

/** In place of a row that left, so that its text does not stay in memory. */
const GONE = createSlot();

/**
 * The last rows of a stream, by their index on the screen (0 is the top), and the versions of them that were returned.
 */
export class RowWindow {
  /** Id of the row at index 0. */
  firstId = 0;
  #slots: Place[] = [];
  /** Changes of rows must be tracked. */
  #hasState = false;
  #head = 0;
  #out: RenderedRow[] = [];
  /** `#out` with what is judged in another way than usual, if anything is. */
  #printed: PrintedRow[] | undefined;
  /** The first row that was not yet returned as complete. */
  #firstIncompleteId = 0;
  readonly #moved = new MovedTexts(WINDOW_ROWS);

  /** The number of rows; the last of them is incomplete. */
  get length(): number {
    return this.#slots.length - this.#head;
  }

  /** The row at an index. Creates it and the rows above it if they are missing. */
  rowAt(index: number): ScreenRow {
    while (this.length <= index) this.#slots.push(createSlot());
    if (index < this.length - 1) this.#moved.touch(this.firstId + index);
    const slot = this.#slotAt(index);
    slot.row ??= thawRow(slot.returned);
    slot.isSaved = false;
    return slot.row;
  }

  /** The row at an index if it exists. */
  findRow(index: number): ScreenRow | undefined {
    return index < this.length ? this.rowAt(index) : undefined;
  }

  setRow(index: number, row: ScreenRow): void {
    this.rowAt(index);
    this.#slotAt(index).row = row;
    row.isChanged = true;
  }

  /** The length of the last row in UTF-16 units. */
  get unitsOfLast(): number {
    const slot = this.#slots[this.#slots.length - 1];
    if (this.length === 0 || slot === undefined) return 0;
    return typeof slot === 'string' ? slot.length : unitsOf(slot);
  }

  /** The text of the row at an index, with its trailing spaces if it was edited. */
  textAt(index: number): string {
    const slot = index < 0 ? undefined : this.#placeAt(index);
    return typeof slot === 'string' ? slot : (slot?.row?.text ?? slot?.returned?.text ?? '');
  }

  /** Whether a row that completes now may show a text that has moved: then each must be looked at. */
  get mayShowMoved(): boolean {
    return this.#moved.mayReach(this.firstId + this.length - 1);
  }

  /** Later rows show no text of earlier ones again. */
  forgetMoved(): void {
    this.#moved.forget();
  }

  /** Whether nothing was printed on the row at an index and no version of it was returned. */
  isNew(index: number): boolean {
    const { row, returned } = this.#slotAt(index);
    return returned === undefined && (row === undefined || row.isNew);
  }

  /** Makes the new last row a complete line and opens the next one. */
  completeLine(text: string, ansi: string | undefined): void {
    const slot = this.#slotAt(this.length - 1);
    slot.isSaved = false;
    if (endsWithSpace(text)) slot.row = createLineRow(text, ansi);
    else {
      const id = this.firstId + this.length - 1;
      slot.returned = formatLine(id, text, ansi);
      slot.row = undefined;
    }
    this.#slots.push(createSlot());
    if (this.mayShowMoved) this.settleComplete();
  }

  /** Takes the top row off the screen, which makes it final. */
  leaveTop(): void {
    const slot = this.#slots[this.#head];
    if (slot !== undefined) {
      if (typeof slot !== 'string') {
        this.#returnRow(slot, this.firstId, true);
        if (slot.row !== undefined && slot.row.shownText !== slot.row.judged)
          this.#moved.add(this.firstId, slot.row.judged);
      }
      this.#slots[this.#head++] = GONE;
    }
    this.firstId++;
    if (this.#firstIncompleteId < this.firstId) this.#firstIncompleteId = this.firstId;
    if (this.#head >= COMPACT_AFTER) {
      this.#slots = this.#slots.slice(this.#head);
      this.#head = 0;
    }
  }

  /**
   * Adds complete lines that were returned and come before the only row, which is new: `finalCount` final ones, then
   * those that stay.
   */
  addLines(finalCount: number, lines: readonly ScreenLine[]): void {
    this.firstId += finalCount;
    this.#firstIncompleteId = this.firstId + lines.length;
    const places = lines.map((line, i) => createLinePlace(this.firstId + i, line, !this.#hasState));
    this.#slots = [...places, ...this.#slots.slice(this.#head)];
    this.#head = 0;
  }

  /** Whether the window holds more text than it may. */
  isOverTextLimit(): boolean {
    let units = 0;
    for (let i = this.#head; i < this.#slots.length; i++) units += weightOf(this.#slots[i] ?? '');
    return units > WINDOW_TEXT_LIMIT;
  }

  hasChanges(): boolean {
    for (let i = this.#slots.length - 1; i >= this.#head; i--) {
      const slot = this.#slots[i];
      if (typeof slot === 'string' || slot?.row === undefined || !slot.row.isChanged || this.#isTooLong(slot)) continue;
      if (slot.returned !== undefined || !slot.row.isBlank) return true;
    }
    return false;
  }

  /** Returns the rows that became complete, and those that left, oldest first. */
  takeComplete(): RenderedRow[] {
    this.settleComplete();
    return this.#drain();
  }

  /** The rows returned since the last call, where some are not judged as usual. */
  takePrinted(): readonly PrintedRow[] | undefined {
    const printed = this.#printed;
    this.#printed = undefined;
    return printed;
  }

  /** Keeps complete rows for `takeComplete` as they are now. Call it before any of them may change. */
  settleComplete(): void {
    const firstOpenId = this.firstId + this.length - 1;
    while (this.#firstIncompleteId < firstOpenId) {
      const index = this.#firstIncompleteId - this.firstId;
      this.#returnRow(this.#slotAt(index), this.#firstIncompleteId, true);
      this.#firstIncompleteId++;
      if (!this.#hasState) this.#shrink(index);
    }
  }

  /** The cursor leaves a row: what was printed on it since it was complete is judged. */
  leaveRow(index: number): void {
    if (index >= this.length - 1) return;
    this.settleComplete();
    const slot = this.#placeAt(index);
    if (slot === undefined || typeof slot === 'string' || slot.row === undefined) return;
    const { row } = slot;
    const id = this.firstId + index;
    const text = row.shownText;
    if (!this.#noteText(row, id, text)) return;
    slot.isSaved = false;
    row.isShownOtherwise = true;
    this.#addPrinted(formatRow(row, id, true), this.#takeMoved(id, text) ? 'none' : 'again');
  }

  #addPrinted(row: RenderedRow, judging: 'again' | 'none'): void {
    this.#printed ??= this.#out.map((earlier) => ({ row: earlier }));
    this.#printed.push({ row, judging });
  }

  /** Notes the text of a complete row as judged; false if that is nothing new. */
  #noteText(row: ScreenRow, id: number, text: string): boolean {
    if (text === '' || text === row.judged) return false;
    this.#moved.add(id, row.judged);
    row.judged = text;
    return true;
  }

  /** Whether the text was judged on another row that shows it no longer. */
  #takeMoved(id: number, text: string): boolean {
    if (text === '' || !this.#moved.mayReach(id)) return false;
    if (this.#moved.take(id, text)) return true;
    for (let i = this.#head; i < this.#slots.length; i++) {
      const slot = this.#slots[i];
      if (typeof slot === 'string' || slot?.row?.judged !== text || slot.row.shownText === text) continue;
      slot.row.judged = '';
      slot.isSaved = false;
      return true;
    }
    return false;
  }

  /** Returns every row that changed; `isEnd` makes the last one complete too. */
  takeChanged(isEnd: boolean): RenderedRow[] {
    const last = this.length - 1;
    for (let i = 0; i <= last; i++) {
      const slot = this.#placeAt(i);
      if (slot === undefined || typeof slot === 'string') continue;
      if (this.#isDue(slot, i === last, isEnd)) this.#returnRow(slot, this.firstId + i, i < last || isEnd);
    }
    return this.#drain();
  }

  /** Whether `takeChanged` returns a row. */
  #isDue(slot: Slot, isLast: boolean, isEnd: boolean): boolean {
    if (!isEnd && this.#isTooLong(slot)) return false;
    if (isLast && slot.returned === undefined && (slot.row?.isBlank ?? true)) return false;
    return slot.row?.isChanged === true || (isLast && isEnd);
  }

  /** `change`: the rows that changed since the last call. */
  takeState(kind: 'whole' | 'change'): WindowState {
    const { firstId, length } = this;
    const rows: Record<string, RowState> = {};
    this.#hasState = true;
    for (let i = 0; i < length; i++) {
      const slot = this.#placeAt(i);
      if (slot === undefined || (kind === 'change' && (typeof slot === 'string' || slot.isSaved))) continue;
      const state = typeof slot === 'string' ? slot : formatSlotState(slot);
      if (state !== undefined) rows[firstId + i] = state;
      if (typeof slot === 'string') continue;
      slot.isSaved = true;
      this.#shrink(i);
    }
    const moved = this.#moved.takeState(firstId + length - 1);
    return { firstId, length, firstIncompleteId: this.#firstIncompleteId, rows, ...(moved && { moved }) };
  }

  restore({ firstId, length, firstIncompleteId, rows, moved }: WindowState): void {
    this.#hasState = true;
    this.firstId = firstId;
    this.#firstIncompleteId = firstIncompleteId;
    if (moved !== undefined) this.#moved.restore(moved);
    this.#head = 0;
    this.#slots = Array.from({ length }, (_, i) => restoreSlot(firstId + i, rows[firstId + i]));
  }

  /** Whether it is the last row and is returned only at its end. */
  #isTooLong({ row }: Slot): boolean {
    const last = this.#slots[this.#slots.length - 1];
    return row !== undefined && row.text.length > LIVE_ROW_LIMIT && typeof last !== 'string' && last?.row === row;
  }

  #drain(): RenderedRow[] {
    const rows = this.#out;
    this.#out = [];
    const isSorted = rows.every(({ id }, i) => i === 0 || id >= (rows[i - 1]?.id ?? 0));
    return isSorted ? rows : rows.sort((a, b) => a.id - b.id);
  }

  #placeAt(index: number): Place | undefined {
    return this.#slots[this.#head + index];
  }

  #slotAt(index: number): Slot {
    const place = this.#placeAt(index);
    if (place === undefined) throw new RangeError(`No row ${index} in a window of ${this.length} rows.`);
    if (typeof place !== 'string') return place;
    const returned = formatLine(this.firstId + index, place, undefined);
    const slot = { row: undefined, returned, isSaved: true };
    this.#slots[this.#head + index] = slot;
    return slot;
  }

  /** Keeps only the text of a row that is an ordinary line. */
  #shrink(index: number): void {
    const place = this.#placeAt(index);
    if (place === undefined || typeof place === 'string' || !isPlainLine(place)) return;
    // A line that was not returned yet must be returned as a row.
    if (this.firstId + index >= this.#firstIncompleteId) return;
    this.#slots[this.#head + index] = place.returned?.text ?? '';
  }

  #returnRow(slot: Slot, id: number, isComplete: boolean): void {
    const { row, returned } = slot;
    const isFirst = isComplete && id >= this.#firstIncompleteId;
    if (row === undefined) {
      if (isFirst) this.#returnFirst(returned ?? formatRow(new ScreenRow(), id, true), '');
      return;
    }
    if (!isFirst && !row.isChanged && returned?.isComplete === isComplete) return;
    const { isShownOtherwise } = row;
    row.isChanged = row.isShownOtherwise = false;
    slot.isSaved = false;
    const next = formatRow(row, id, isComplete);
    if (!isFirst && !isShownOtherwise && returned !== undefined && isSameRow(returned, next)) return;
    slot.returned = next;
    if (!isFirst) {
      this.#add(next);
      return;
    }
    const { judged } = row;
    this.#noteText(row, id, next.text);
    this.#returnFirst(next, judged);
  }

  /** Returns a row that became complete; `judged`: the text that was judged on it elsewhere. */
  #returnFirst(row: RenderedRow, judged: string): void {
    const isKnown = row.text !== '' && (row.text === judged || this.#takeMoved(row.id, row.text));
    if (isKnown) this.#addPrinted(row, 'none');
    if (isKnown) this.#out.push(row);
    else this.#add(row);
  }

  #add(row: RenderedRow): void {
    this.#out.push(row);
    this.#printed?.push({ row });
  }
}

function createLinePlace(id: number, { text, ansi }: ScreenLine, isSaved: boolean): Place {
  if (isSaved && ansi === undefined && !endsWithSpace(text)) return text;
  return { ...createLineSlot(id, text, ansi), isSaved };
}

function weightOf(place: Place): number {
  if (typeof place === 'string') return place.length;
  const { row, returned } = place;
  return row?.weight ?? returned?.ansi?.length ?? returned?.text.length ?? 0;
}

function unitsOf({ row, returned }: Slot): number {
  return row?.text.length ?? returned?.text.length ?? 0;
}

function isSameRow(a: RenderedRow, b: RenderedRow): boolean {
  if (a.text !== b.text || a.ansi !== b.ansi || a.hasTrailingSpace !== b.hasTrailingSpace) return false;
  return a.isComplete === b.isComplete && a.continues === b.continues;
}
