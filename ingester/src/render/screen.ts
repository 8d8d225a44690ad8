import type { ScreenState } from './renderer-state.js';
import { applySgr, DEFAULT_STYLE, type Style } from './sgr.js';
import { TextScreen } from './text-screen.js';
import { WINDOW_ROWS } from './row-window.js';

/**
 * Cursor movements end at this column unless the row is longer. There is no right edge, but programs send `ESC [999C`
 * to reach it.
 */
const MOVE_LIMIT = 1024;

interface SavedCursor {
  readonly rowId: number;
  readonly column: number;
  readonly style: Style;
}

const HOME: SavedCursor = { rowId: 0, column: 0, style: DEFAULT_STYLE };

/**
 * Obeys control sequences like a terminal with 200 rows and no right edge. Counts are at least 1, places count from 0.
 */
export class Screen extends TextScreen {
  #saved = HOME;
  /** A program asked for the alternate screen and has not drawn on it yet. */
  #isAlternatePending = false;
  #isAlternate = false;
  /** The cursor has moved up since this was last set to false. */
  hasMovedUp = false;

  moveUp(count: number): void {
    this.#moveToRow(this.y - count, this.y >= this.region.top ? this.region.top : 0);
  }

  moveDown(count: number): void {
    const last = this.y <= this.region.bottom ? this.region.bottom : WINDOW_ROWS - 1;
    this.#moveToRow(Math.min(this.y + count, last), 0);
  }

  /** Moves down (up when negative) to the start of a row. */
  moveToLine(count: number): void {
    if (count < 0) this.moveUp(-count);
    else this.moveDown(count);
    this.x = 0;
  }

  moveRight(count: number): void {
    this.moveToColumn(this.column + count);
  }

  moveLeft(count: number): void {
    this.x = Math.max(0, this.column - count);
    this.noteMove();
  }

  /** `column` counts from 0. */
  moveToColumn(column: number): void {
    const width = this.window.findRow(this.y)?.columns ?? 0;
    this.isHomed = false;
    this.x = Math.min(column, Math.max(MOVE_LIMIT, width) - 1);
    this.noteMove();
  }

  #moveToRow(index: number, first: number): void {
    const y = Math.min(WINDOW_ROWS - 1, Math.max(first, index));
    if (y !== this.y) this.#leaveRow();
    if (y < this.y) this.hasMovedUp = true;
    this.x = this.column;
    this.isHomed = false;
    this.y = y;
    this.noteMove();
  }

  #leaveRow(): void {
    this.window.leaveRow(this.y);
    this.window.settleComplete();
  }

  /** `index` counts from 0 at the top of the screen. */
  moveToAbsoluteRow(index: number): void {
    this.#enterAlternate();
    this.#moveToRow(index, 0);
  }

  moveTo(index: number, column: number): void {
    this.moveToAbsoluteRow(index);
    this.moveToColumn(column);
    this.isHomed = this.y === 0 && this.x === 0;
  }

  saveCursor(): void {
    this.#saved = { rowId: this.window.firstId + this.y, column: this.column, style: this.style };
  }

  restoreCursor(): void {
    this.#moveToRow(this.#saved.rowId - this.window.firstId, 0);
    this.x = this.#saved.column;
    this.style = this.#saved.style;
  }

  eraseLine(mode: number): void {
    if (mode === 0 && this.x === undefined) return;
    this.leaveLongRow();
    const row = this.window.findRow(this.y);
    if (row === undefined) return;
    this.x = this.column;
    if (mode === 0) row.erase(this.x, Infinity);
    else if (mode === 1) row.erase(0, Math.min(this.x + 1, row.columns));
    else if (mode === 2) row.erase(0, Infinity);
  }

  eraseDisplay(mode: number): void {
    this.window.settleComplete();
    if (mode === 2 || (mode === 0 && this.isHomed)) {
      this.#enterAlternate();
      if (this.#isAlternate) this.#clearScreen();
      else this.#startPage();
    } else if (mode === 0) {
      this.eraseLine(0);
      for (let i = this.y + 1; i < this.window.length; i++) this.window.rowAt(i).clear();
    } else if (mode === 1) {
      this.eraseLine(1);
      for (let i = Math.min(this.y, this.window.length) - 1; i >= 0; i--) this.window.rowAt(i).clear();
    }
  }

  /** Clears the screen without losing the log: its rows scroll off, as in PuTTY or GNOME Terminal. */
  #startPage(): void {
    this.window.leaveRow(this.y);
    this.x = this.column;
    let last = this.window.length - 1;
    while (last >= 0 && this.window.rowAt(last).isBlank) last--;
    for (; last >= 0; last--) this.window.leaveTop();
  }

  /** Judges what was printed last, as no more comes. */
  end(): void {
    this.window.leaveRow(this.y);
  }

  /** Makes every row leave that is not empty, and puts the cursor at the start of a new one. */
  leaveAll(): void {
    const { window } = this;
    this.end();
    if (window.length > 0 && !window.isNew(window.length - 1)) window.rowAt(window.length);
    while (window.length > 1) window.leaveTop();
    window.forgetMoved();
    this.#moveToRow(0, 0);
    this.x = 0;
  }

  /** Clears the screen. On the alternate screen each picture replaces the one before. */
  #clearScreen(): void {
    this.x = this.column;
    for (let i = 0; i < this.window.length; i++) this.window.rowAt(i).clear();
  }

  eraseColumns(count: number): void {
    this.leaveLongRow();
    const row = this.window.findRow(this.y);
    this.x = this.column;
    row?.erase(this.x, Math.min(this.x + count, row.columns));
  }

  insertColumns(count: number): void {
    this.leaveLongRow();
    this.x = this.column;
    this.window.findRow(this.y)?.insertBlanks(this.x, Math.min(count, MOVE_LIMIT), MOVE_LIMIT);
  }

  deleteColumns(count: number): void {
    this.leaveLongRow();
    this.x = this.column;
    this.window.findRow(this.y)?.deleteColumns(this.x, count);
  }

  insertLines(count: number): void {
    if (!this.region.has(this.y)) return;
    this.region.shiftDown(this.y, count);
    this.x = 0;
  }

  deleteLines(count: number): void {
    if (!this.region.has(this.y)) return;
    this.region.shiftUp(this.y, count);
    this.x = 0;
  }

  scrollUp(count: number): void {
    this.x = this.column;
    this.region.shiftUp(this.region.top, count);
  }

  scrollDown(count: number): void {
    this.x = this.column;
    this.region.shiftDown(this.region.top, count);
  }

  /** Moves up one row; at the top everything moves down. */
  reverseIndex(): void {
    this.isHomed = false;
    this.x = this.column;
    this.#leaveRow();
    if (this.y === this.region.top) this.region.shiftDown(this.y, 1);
    else if (this.y > 0) this.y--;
  }

  /** Sets the scroll region, both rows inside it and counted from 0. An impossible region changes nothing. */
  setMargins(top: number, bottom: number): void {
    const last = Math.min(bottom, WINDOW_ROWS - 1);
    if (last <= top) return;
    this.moveTo(0, 0);
    this.region.set(top, last);
  }

  /**
   * Switches the alternate screen: a full-screen program draws on rows of its own below the log, and only its last
   * screen stays.
   */
  setAlternate(isOn: boolean): void {
    if (!isOn && this.#isAlternate) {
      this.#startPage();
      this.#moveToRow(0, 0);
      this.x = 0;
    }
    this.#isAlternate = false;
    this.#isAlternatePending = isOn;
  }

  #enterAlternate(): void {
    if (!this.#isAlternatePending) return;
    this.#isAlternatePending = false;
    this.#isAlternate = true;
    this.#startPage();
  }

  resetModes(): void {
    this.style = DEFAULT_STYLE;
    this.region.set(0, WINDOW_ROWS - 1);
    this.#saved = HOME;
  }

  reset(): void {
    this.#startPage();
    this.#isAlternate = this.#isAlternatePending = false;
    this.resetModes();
    this.moveTo(0, 0);
  }

  takeState(): ScreenState {
    const { y, x, style, region, isHomed, isMoved } = this;
    const saved = this.#saved;
    const alternate = this.#isAlternatePending ? 'pending' : this.#isAlternate ? 'on' : undefined;
    return {
      y,
      ...(x !== undefined && { x }),
      ...(style.codes !== '' && { style: style.codes }),
      ...(!region.isWhole && { margins: [region.top, region.bottom] as const }),
      ...(saved !== HOME && { saved: { ...saved, style: saved.style.codes } }),
      ...(isHomed && { isHomed: true as const }),
      ...(isMoved && { isMoved: true as const }),
      ...(alternate !== undefined && { alternate }),
    };
  }

  restore({ y, x, style = '', margins, saved, isHomed, isMoved, alternate }: ScreenState): void {
    this.y = y;
    this.x = x;
    this.style = applySgr(DEFAULT_STYLE, style);
    if (margins !== undefined) this.region.set(...margins);
    if (saved !== undefined) this.#saved = { ...saved, style: applySgr(DEFAULT_STYLE, saved.style) };
    this.isHomed = isHomed === true;
    this.isMoved = isMoved === true;
    this.#isAlternatePending = alternate === 'pending';
    this.#isAlternate = alternate === 'on';
  }
}
