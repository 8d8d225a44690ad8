import { columnsOfText, isNarrowText } from '@joblens/core/console/column-width';
import type { ScreenRow } from './screen-row.js';
import { ScrollRegion } from './scroll-region.js';
import { DEFAULT_STYLE, type Style } from './sgr.js';
import { RowWindow, type ScreenLine, WINDOW_ROWS } from './row-window.js';

/** A row is cut into parts of this weight: UTF-16 units, and more for each change of colour. */
const ROW_LIMIT = 1024 * 1024;
/** A row of this many UTF-16 units causes a check of how much text the window holds. */
const LONG_ROW = 16 * 1024;
/**
 * A change inside a row costs as much as the row is long: a row of more UTF-16 units is only continued, never changed.
 */
const EDIT_LIMIT = 128 * 1024;
const TAB_COLUMNS = 8;

/** The last control character of bars that were run together. */
export interface LastControl {
  readonly isLineFeed: boolean;
  /** Whether text came behind it. */
  readonly hasText: boolean;
}

/** Prints text and obeys the control characters: feeds lines, moves back in a row. */
export class TextScreen {
  readonly window = new RowWindow();
  style: Style = DEFAULT_STYLE;
  protected y = 0;
  /** The column; undefined behind the last character of the row, wherever that is. */
  protected x: number | undefined = 0;
  protected readonly region = new ScrollRegion(this.window);
  /** An absolute movement brought the cursor home, and nothing has come since. */
  protected isHomed = false;
  #hasLongRows = false;
  /**
   * The cursor was moved, other than by a line feed, and nothing was printed since. Kept only where redraws are
   * followed.
   */
  protected isMoved = false;

  /** `followsRedraws`: rows that were drawn anew tell which text was printed on them last (`Row.redraw`). */
  constructor(readonly followsRedraws = false) {}

  /**
   * Whether plain text only appends whole lines: no style, no margins, and the cursor is at the end of the last row.
   */
  get isPlain(): boolean {
    return this.style.codes === '' && this.y >= this.window.length - 1 && this.region.isWhole;
  }

  /** Whether there are no margins: a line feed on the last place then takes the first row off the screen. */
  get isWhole(): boolean {
    return this.region.isWhole;
  }

  /** The cursor's row, from the top of the screen. */
  get row(): number {
    return this.y;
  }

  /** Whether the cursor is at the start of a new last row, so that whole lines may come in any style. */
  get isOnNewRow(): boolean {
    const { window } = this;
    const isAtStart = this.region.isWhole && this.x === 0 && !this.isMoved;
    return isAtStart && this.y === window.length - 1 && window.isNew(this.y);
  }

  /** Whether whole lines with colours may be added. */
  get mayAddStyled(): boolean {
    return this.isOnNewRow && this.style === DEFAULT_STYLE;
  }

  get textBeforeCursor(): string {
    const text = this.window.textAt(this.y);
    return this.x === undefined ? text : cutColumns(text, this.x);
  }

  get isAtHome(): boolean {
    return this.isHomed;
  }

  /** Whether the last row can still be changed after `units` more UTF-16 units. */
  canEdit(units: number): boolean {
    return this.window.unitsOfLast + units <= EDIT_LIMIT;
  }

  /** Prints text without control characters, not empty. */
  print(text: string): void {
    this.isHomed = false;
    if (this.x !== undefined && this.x < this.window.rowAt(this.y).columns) this.leaveLongRow();
    let rest = text;
    for (;;) {
      const row = this.window.rowAt(this.y);
      const room = ROW_LIMIT - row.weight;
      if (rest.length <= room || (this.x !== undefined && this.x < row.columns)) {
        this.#printOn(row, rest);
        if (row.weight > LONG_ROW) this.#hasLongRows = true;
        return;
      }
      const end = isHighSurrogate(rest.charCodeAt(room - 1)) ? room - 1 : room;
      if (end > 0) this.#printOn(row, rest.slice(0, end));
      row.continues = true;
      row.isChanged = true;
      this.lineFeed();
      rest = rest.slice(Math.max(end, 0));
    }
  }

  /** Called before a change inside the last row. If that row is very long, the change goes to a new row. */
  protected leaveLongRow(): void {
    if (this.y !== this.window.length - 1 || this.window.rowAt(this.y).text.length <= EDIT_LIMIT) return;
    this.lineFeed();
  }

  #printOn(row: ScreenRow, text: string): void {
    if (!this.followsRedraws) {
      this.#putOn(row, text);
      return;
    }
    const { x } = this;
    const isOver = x !== undefined && x < row.columns && x !== row.redraw?.end;
    const start = this.isMoved || isOver ? (x ?? row.columns) : row.redraw?.start;
    this.isMoved = false;
    this.#putOn(row, text);
    row.redraw = start === undefined ? undefined : { start, end: this.x };
  }

  #putOn(row: ScreenRow, text: string): void {
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
      this.addLine(text.slice(start, end), undefined);
      start = end + 1;
    }
    if (start < text.length) this.print(text.slice(start));
  }

  /** Adds one whole line; `ansi` is its coloured form. Needs `isOnNewRow`. */
  addLine(text: string, ansi: string | undefined): void {
    this.window.completeLine(text, ansi);
    if (this.y < WINDOW_ROWS - 1) this.y++;
    else this.window.leaveTop();
    if (text.length > LONG_ROW) this.#hasLongRows = true;
  }

  /** Makes all rows leave but the last. Needs `isOnNewRow`. */
  leaveRows(): void {
    for (; this.y > 0; this.y--) this.window.leaveTop();
  }

  /**
   * Adds complete lines that were handed over: `finalCount` final ones, then those that the cursor can still reach.
   * Needs `leaveRows`.
   */
  addLines(finalCount: number, lines: readonly ScreenLine[]): void {
    this.window.addLines(finalCount, lines);
    this.y = lines.length;
    this.#hasLongRows = true;
  }

  lineFeed(): void {
    this.x = 0;
    this.isMoved = false;
    this.index();
  }

  /** Moves down one row in the same column; scrolls at the bottom. */
  index(): void {
    this.window.leaveRow(this.y);
    const x = this.column;
    this.isHomed = false;
    if (this.y === this.region.bottom) this.region.scroll();
    else if (this.y < WINDOW_ROWS - 1) this.y++;
    this.window.rowAt(this.y);
    if (this.window.mayShowMoved) this.window.settleComplete();
    this.x = x;
  }

  /**
   * Moves the cursor by many line feeds and movements up: line feeds went down to `reach`, rows before `top` have left,
   * and the cursor is on `row`, all by id. Without a `column` it stays in its column.
   */
  goOn(reach: number, top: number, row: number, column: number | undefined): void {
    const { window } = this;
    const x = column ?? (row === window.firstId + this.y ? this.x : this.column);
    while (window.firstId < top) {
      window.rowAt(WINDOW_ROWS - 1);
      window.leaveTop();
    }
    if (reach >= top) window.rowAt(reach - top);
    this.y = row - top;
    this.x = x;
  }

  /**
   * Prints characters of one UTF-16 unit each, no marks, over the start of the row `id`, to which line feeds lead. Rows
   * a screen above it leave. The last `lastColumns` of the text were printed last.
   */
  printOver(id: number, text: string, columns: number, lastColumns: number): void {
    const top = Math.max(this.window.firstId, id - WINDOW_ROWS + 1);
    this.goOn(id, top, id, 0);
    const row = this.window.rowAt(this.y);
    row.overwriteStart(text, columns, lastColumns, this.style);
    row.redraw = undefined;
    if (row.weight > LONG_ROW) this.#hasLongRows = true;
  }

  /** Notes how bars that were run together left the cursor. */
  noteFrame({ isLineFeed, hasText }: LastControl): void {
    this.isMoved = !isLineFeed && !hasText;
    const row = this.window.findRow(this.y);
    if (row !== undefined && hasText) row.redraw = isLineFeed ? undefined : { start: 0, end: this.x };
  }

  carriageReturn(): void {
    this.x = 0;
    this.noteMove();
  }

  backspace(): void {
    this.x = Math.max(0, this.column - 1);
    this.noteMove();
  }

  protected noteMove(): void {
    this.isMoved = this.followsRedraws;
  }

  tab(): void {
    const from = this.column;
    const to = (Math.floor(from / TAB_COLUMNS) + 1) * TAB_COLUMNS;
    const row = this.window.rowAt(this.y);
    if (to > row.columns && row.weight < ROW_LIMIT) row.append(' '.repeat(to - row.columns), DEFAULT_STYLE);
    this.x = to;
  }

  /** Makes the oldest rows leave while the window holds too much text. */
  limitText(): void {
    if (!this.#hasLongRows) return;
    this.#hasLongRows = false;
    while (this.y > 0 && this.window.length > 1 && this.window.isOverTextLimit()) {
      this.window.leaveTop();
      this.y--;
      this.#hasLongRows = true;
    }
  }

  /** The cursor's column. */
  get column(): number {
    return this.x ?? this.window.findRow(this.y)?.columns ?? 0;
  }
}

/** The start of a text, as many columns of it. */
function cutColumns(text: string, columns: number): string {
  if (isNarrowText(text)) return text.slice(0, columns);
  let end = 0;
  let width = 0;
  for (const character of text) {
    width += columnsOfText(character);
    if (width > columns) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
