import { columnsOfText } from './column-width.js';
import type { Row } from './row.js';
import { ScrollRegion } from './scroll-region.js';
import { DEFAULT_STYLE } from './sgr.js';
import type { Style } from './sgr.js';
import { RowWindow, WINDOW_ROWS } from './window.js';

/** A row is passed on in parts of this many UTF-16 units. */
export const ROW_TEXT_LIMIT = 1024 * 1024;
/** Cursor movements end at this column, unless the row is longer: there is no right edge, but `ESC [999C` means it. */
const MOVE_LIMIT = 1024;
const TAB_COLUMNS = 8;

interface SavedCursor {
  readonly rowId: number;
  readonly column: number;
  readonly style: Style;
}

const HOME: SavedCursor = { rowId: 0, column: 0, style: DEFAULT_STYLE };

/** What a terminal with 200 rows and no right edge does with text and with each control. Counts are at least 1. */
export class Screen {
  readonly window = new RowWindow();
  style: Style = DEFAULT_STYLE;
  private y = 0;
  /** Column, or undefined: behind the last character of the row, wherever that is. */
  private x: number | undefined = 0;
  private readonly region = new ScrollRegion(this.window);
  private saved = HOME;
  /** An absolute movement brought the cursor home, and nothing came since. */
  private isHomed = false;
  /** A program asked for the alternate screen and has not drawn on it yet. */
  private isAlternatePending = false;
  private isAlternate = false;
  private hasLongRows = false;

  /** Appending whole lines is all that plain text does here: no style, cursor at the end of the last row, no margins. */
  get isPlain(): boolean {
    return this.style.codes === '' && this.y >= this.window.length - 1 && this.region.isWhole;
  }

  /** Text without control characters, not empty. */
  print(text: string): void {
    this.isHomed = false;
    let rest = text;
    for (;;) {
      const row = this.window.rowAt(this.y);
      const room = ROW_TEXT_LIMIT - row.text.length;
      if (rest.length <= room || (this.x !== undefined && this.x < row.columns)) {
        this.printOn(row, rest);
        if (row.text.length > 0x4000) this.hasLongRows = true;
        return;
      }
      const end = isHighSurrogate(rest.charCodeAt(room - 1)) ? room - 1 : room;
      if (end > 0) this.printOn(row, rest.slice(0, end));
      row.continues = true;
      row.isChanged = true;
      this.lineFeed();
      rest = rest.slice(Math.max(end, 0));
    }
  }

  private printOn(row: Row, text: string): void {
    if (this.x === undefined || (this.x === 0 && row.text === '')) {
      row.append(text, this.style);
      this.x = undefined;
      return;
    }
    const columns = columnsOfText(text);
    row.overwrite(this.x, text, columns, this.style);
    this.x = row.wasPrintedAtEnd ? undefined : this.x + columns;
  }

  /** Prints lines without any control character but LF. Needs `isPlain`. */
  printLines(text: string): void {
    let start = text.indexOf('\n');
    if (start < 0) {
      this.print(text);
      return;
    }
    if (start > 0) this.print(text.slice(0, start));
    this.lineFeed();
    start++;
    for (let end = text.indexOf('\n', start); end >= 0; end = text.indexOf('\n', start)) {
      this.printLine(text.slice(start, end));
      start = end + 1;
    }
    if (start < text.length) this.print(text.slice(start));
  }

  /** One whole line: the empty last row stays the last. */
  private printLine(line: string): void {
    if (line.length > ROW_TEXT_LIMIT) {
      this.print(line);
      this.lineFeed();
      return;
    }
    this.window.completePlain(line);
    if (this.y < WINDOW_ROWS - 1) this.y++;
    else this.window.leaveTop();
    if (line.length > 0x4000) this.hasLongRows = true;
  }

  lineFeed(): void {
    this.x = 0;
    this.index();
  }

  /** Down one row, same column; scrolls at the bottom. */
  index(): void {
    const x = this.column;
    this.isHomed = false;
    if (this.y === this.region.bottom) this.region.scroll();
    else if (this.y < WINDOW_ROWS - 1) this.y++;
    this.window.rowAt(this.y);
    this.x = x;
  }

  carriageReturn(): void {
    this.x = 0;
  }

  backspace(): void {
    this.x = Math.max(0, this.column - 1);
  }

  tab(): void {
    const from = this.column;
    const to = (Math.floor(from / TAB_COLUMNS) + 1) * TAB_COLUMNS;
    const row = this.window.rowAt(this.y);
    if (to > row.columns && row.text.length < ROW_TEXT_LIMIT) row.append(' '.repeat(to - row.columns), DEFAULT_STYLE);
    this.x = to;
  }

  moveUp(count: number): void {
    this.moveToRow(this.y - count, this.y >= this.region.top ? this.region.top : 0);
  }

  moveDown(count: number): void {
    const last = this.y <= this.region.bottom ? this.region.bottom : WINDOW_ROWS - 1;
    this.moveToRow(Math.min(this.y + count, last), 0);
  }

  /** Down (or up, when negative) to the start of a row. */
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
  }

  /** Column from 0. */
  moveToColumn(column: number): void {
    const width = this.window.findRow(this.y)?.columns ?? 0;
    this.isHomed = false;
    this.x = Math.min(column, Math.max(MOVE_LIMIT, width) - 1);
  }

  private moveToRow(index: number, first: number): void {
    this.x = this.column;
    this.isHomed = false;
    this.y = Math.min(WINDOW_ROWS - 1, Math.max(first, index));
  }

  /** Row from 0 at the top of the screen. */
  moveToAbsoluteRow(index: number): void {
    this.enterAlternate();
    this.moveToRow(index, 0);
  }

  moveTo(index: number, column: number): void {
    this.moveToAbsoluteRow(index);
    this.moveToColumn(column);
    this.isHomed = this.y === 0 && this.x === 0;
  }

  saveCursor(): void {
    this.saved = { rowId: this.window.firstId + this.y, column: this.column, style: this.style };
  }

  restoreCursor(): void {
    this.moveToRow(this.saved.rowId - this.window.firstId, 0);
    this.x = this.saved.column;
    this.style = this.saved.style;
  }

  eraseLine(mode: number): void {
    const row = this.window.findRow(this.y);
    if (row === undefined) return;
    if (mode === 0 && this.x === undefined) return;
    this.x = this.column;
    if (mode === 0) row.erase(this.x, Infinity);
    else if (mode === 1) row.erase(0, Math.min(this.x + 1, row.columns));
    else if (mode === 2) row.erase(0, Infinity);
  }

  eraseDisplay(mode: number): void {
    if (mode === 2 || (mode === 0 && this.isHomed)) {
      this.enterAlternate();
      this.startPage();
    } else if (mode === 0) {
      this.eraseLine(0);
      for (let i = this.y + 1; i < this.window.length; i++) this.window.rowAt(i).clear();
    } else if (mode === 1) {
      this.eraseLine(1);
      for (let i = Math.min(this.y, this.window.length) - 1; i >= 0; i--) this.window.rowAt(i).clear();
    }
  }

  /** A cleared screen does not take the log with it: what stands on it scrolls off, as in PuTTY or GNOME Terminal. */
  private startPage(): void {
    this.x = this.column;
    let last = this.window.length - 1;
    while (last >= 0 && this.window.rowAt(last).isBlank) last--;
    for (; last >= 0; last--) this.window.leaveTop();
  }

  eraseColumns(count: number): void {
    const row = this.window.findRow(this.y);
    this.x = this.column;
    row?.erase(this.x, Math.min(this.x + count, row.columns));
  }

  insertColumns(count: number): void {
    this.x = this.column;
    this.window.findRow(this.y)?.insertBlanks(this.x, Math.min(count, MOVE_LIMIT), MOVE_LIMIT);
  }

  deleteColumns(count: number): void {
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

  /** Up one row; at the top everything moves down. */
  reverseIndex(): void {
    this.isHomed = false;
    this.x = this.column;
    if (this.y === this.region.top) this.region.shiftDown(this.y, 1);
    else if (this.y > 0) this.y--;
  }

  /** Rows from 0, both inside; a region that makes no sense changes nothing. */
  setMargins(top: number, bottom: number): void {
    const last = Math.min(bottom, WINDOW_ROWS - 1);
    if (last <= top) return;
    this.moveTo(0, 0);
    this.region.set(top, last);
  }

  /** A full-screen program draws on rows of its own below the log; only its last screen stays. */
  setAlternate(isOn: boolean): void {
    if (!isOn && this.isAlternate) {
      this.startPage();
      this.moveToRow(0, 0);
      this.x = 0;
    }
    this.isAlternate = false;
    this.isAlternatePending = isOn;
  }

  private enterAlternate(): void {
    if (!this.isAlternatePending) return;
    this.isAlternatePending = false;
    this.isAlternate = true;
    this.startPage();
  }

  resetModes(): void {
    this.style = DEFAULT_STYLE;
    this.region.set(0, WINDOW_ROWS - 1);
    this.saved = HOME;
  }

  reset(): void {
    this.startPage();
    this.resetModes();
    this.moveTo(0, 0);
  }

  /** Lets the oldest rows go while the window holds too much text. */
  limitText(): void {
    if (!this.hasLongRows) return;
    this.hasLongRows = false;
    while (this.y > 0 && this.window.length > 1 && this.window.isOverTextLimit()) {
      this.window.leaveTop();
      this.y--;
      this.hasLongRows = true;
    }
  }

  private get column(): number {
    return this.x ?? this.window.findRow(this.y)?.columns ?? 0;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
