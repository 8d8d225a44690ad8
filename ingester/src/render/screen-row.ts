import { columnsOfCodePoint, columnsOfText, isNarrowText } from '@joblens/core/console/column-width';
import type { EditedRowState, Redraw, RunState } from './renderer-state.js';
import { applySgr, DEFAULT_STYLE, formatSgrChange, type Style } from './sgr.js';

/** The style of the text from `offset` (UTF-16 units) to the next run. */
interface Run {
  readonly offset: number;
  readonly style: Style;
}

/** The memory of a run and its sequence, as a number of UTF-16 units. */
const RUN_WEIGHT = 32;

/** Shared by all rows without colours: never pushed to. */
const NO_RUNS: Run[] = [];

/**
 * Text and styles of one row. Appending needs no widths: they are computed only when the cursor goes back into the row.
 * Columns count from 0, and a character may take 0, 1 or 2 of them.
 */
export class ScreenRow {
  text: string;
  /** The row differs from the version last returned for its place. */
  isChanged = true;
  /** Another version was handed over, to be judged, than the one last returned for its place. */
  isShownOtherwise = false;
  continues = false;
  /** The last printed character is the last of the row, so trailing spaces were printed after the text. */
  wasPrintedAtEnd = true;
  /** The columns that were printed last, if the row was drawn anew. Kept only where redraws are followed. */
  redraw: Redraw | undefined;
  /** The text that was judged when the cursor left the complete row; empty before. */
  judged = '';
  #runs: Run[] = NO_RUNS;
  #knownColumns = -1;
  #isNarrow = false;

  constructor(text = '') {
    this.text = text;
  }

  get columns(): number {
    if (this.text === '') return 0;
    if (this.#knownColumns < 0) {
      this.#isNarrow = isNarrowText(this.text);
      this.#knownColumns = this.#isNarrow ? this.text.length : columnsOfText(this.text);
    }
    return this.#knownColumns;
  }

  /** The row as shown, without its trailing spaces. */
  get shownText(): string {
    return trimTrailingSpaces(this.text);
  }

  /** The memory of the row, as a number of UTF-16 units. */
  get weight(): number {
    return this.text.length + RUN_WEIGHT * this.#runs.length;
  }

  get isNew(): boolean {
    return this.text === '' && !this.continues && this.wasPrintedAtEnd && this.isChanged;
  }

  get isBlank(): boolean {
    return this.text === '' || this.text.trimStart() === '';
  }

  append(text: string, style: Style): void {
    if (this.#runs.length > 0 || style !== DEFAULT_STYLE) this.#startRun(style);
    this.text = this.text === '' ? text : this.text + text;
    if (this.#knownColumns >= 0) {
      this.#knownColumns += columnsOfText(text);
      this.#isNarrow &&= isNarrowText(text);
    }
    this.isChanged = true;
    this.wasPrintedAtEnd = true;
  }

  #startRun(style: Style): void {
    const last = this.#runs[this.#runs.length - 1]?.style ?? DEFAULT_STYLE;
    if (last === style || last.codes === style.codes) return;
    const run = { offset: this.text.length, style };
    if (this.#runs === NO_RUNS) this.#runs = [run];
    else this.#runs.push(run);
  }

  /** Prints over the columns from `column` on; `columns` is the width of `text`. */
  overwrite(column: number, text: string, columns: number, style: Style): void {
    const width = this.columns;
    if (column >= width) {
      // Marks alone have no column of their own: text printed at their place covers them.
      if (column === 0) this.#clearText();
      if (column > width) this.append(' '.repeat(column - width), DEFAULT_STYLE);
      this.append(text, style);
      return;
    }
    this.#replace(column, column + columns, text, style);
    this.wasPrintedAtEnd = column + columns >= width;
  }

  /**
   * Prints characters of one UTF-16 unit each, no marks, over the first columns. The last `lastColumns` of them were
   * printed last.
   */
  overwriteStart(text: string, columns: number, lastColumns: number, style: Style): void {
    const width = this.columns;
    this.#replace(0, columns, text, style);
    if (columns >= width) {
      this.#isNarrow = columns === text.length;
      this.#knownColumns = columns;
    }
    this.wasPrintedAtEnd = lastColumns >= Math.max(width, columns);
  }

  /** Blanks columns `from` to `to` (exclusive); blanks at the end of the row are cut. */
  erase(from: number, to: number): void {
    const width = this.columns;
    if (from >= width) return;
    this.#replace(from, to, to >= width ? '' : ' '.repeat(to - from), DEFAULT_STYLE);
  }

  /** Moves the text from `column` on to the right. Text beyond `limit` is lost, unless the row was longer before. */
  insertBlanks(column: number, count: number, limit: number): void {
    const width = this.columns;
    if (column >= width) return;
    this.#replace(column, column, ' '.repeat(count), DEFAULT_STYLE);
    this.erase(Math.max(limit, width), Infinity);
  }

  deleteColumns(column: number, count: number): void {
    if (column < this.columns) this.#replace(column, column + count, '', DEFAULT_STYLE);
  }

  clear(): void {
    this.#clearText();
    this.continues = false;
  }

  #clearText(): void {
    if (this.text !== '') this.isChanged = true;
    this.text = '';
    this.#runs = NO_RUNS;
    this.#knownColumns = -1;
  }

  /** The row as shown: text without trailing spaces, also with SGR sequences when it has colours. */
  format(): { text: string; ansi: string | undefined; hasTrailingSpace: boolean } {
    const text = trimTrailingSpaces(this.text);
    const hasTrailingSpace = this.wasPrintedAtEnd && text.length < this.text.length;
    return { text, ansi: this.#formatAnsi(text), hasTrailingSpace };
  }

  /** The text that was printed last, with its trailing spaces; undefined if the row was not drawn anew. */
  formatRedrawn(): string | undefined {
    if (this.redraw === undefined) return undefined;
    const { start, end } = this.redraw;
    const to = end === undefined ? this.text.length : this.#offsetOf(end);
    return this.text.slice(this.#offsetOf(start), to);
  }

  #formatAnsi(text: string): string | undefined {
    const first = this.#runs[0];
    if (first === undefined || first.offset >= text.length) return undefined;
    let ansi = text.slice(0, first.offset);
    let style = DEFAULT_STYLE;
    for (let i = 0; i < this.#runs.length; i++) {
      const run = this.#runs[i];
      if (run === undefined || run.offset >= text.length) break;
      ansi += formatSgrChange(style, run.style) + text.slice(run.offset, this.#runs[i + 1]?.offset);
      style = run.style;
    }
    return ansi + formatSgrChange(style, DEFAULT_STYLE);
  }

  toState(): Pick<ScreenRow, 'text' | 'isChanged' | 'continues' | 'wasPrintedAtEnd' | 'judged' | 'redraw'> & {
    runs: RunState[];
  } {
    const runs = this.#runs.map(({ offset, style }) => [offset, style.codes] as const);
    const { text, isChanged, continues, wasPrintedAtEnd, judged, redraw } = this;
    return { text, runs, isChanged, continues, wasPrintedAtEnd, judged, redraw };
  }

  static fromState(state: EditedRowState): ScreenRow {
    const { text, runs, isChanged, continues, wasPrintedAtEnd, returned, judged, redraw } = state;
    const row = new ScreenRow(text);
    row.redraw = redraw;
    if (runs !== undefined)
      row.#runs = runs.map(([offset, codes]) => ({ offset, style: applySgr(DEFAULT_STYLE, codes) }));
    row.isChanged = isChanged === true;
    row.continues = continues === true;
    row.wasPrintedAtEnd = wasPrintedAtEnd === true;
    row.judged = judged ?? (returned?.isComplete === true ? returned.text : '');
    return row;
  }

  #replace(from: number, to: number, text: string, style: Style): void {
    this.isChanged = true;
    if (from === 0 && to >= this.columns) {
      this.text = text;
      this.#runs = style.codes === '' || text === '' ? NO_RUNS : [{ offset: 0, style }];
      this.#knownColumns = -1;
      return;
    }
    this.#offsetOf(to); // Splits a wide character there first: that moves the text behind it.
    const start = this.#offsetOf(from);
    const end = Math.max(start, this.#offsetOf(to));
    if (this.#runs.length > 0 || style.codes !== '') this.#replaceRuns(start, end, text.length, style);
    this.text = this.text.slice(0, start) + text + this.text.slice(end);
    const isKnown = this.#isNarrow && isNarrowText(text);
    this.#knownColumns = isKnown ? this.text.length : -1;
  }

  #replaceRuns(start: number, end: number, length: number, style: Style): void {
    const before = this.#runs.filter((run) => run.offset < start);
    const after = this.#runs.filter((run) => run.offset > end);
    const afterStyle = this.#runs.findLast((run) => run.offset <= end)?.style ?? DEFAULT_STYLE;
    const runs = before;
    if (length > 0) runs.push({ offset: start, style });
    if (end < this.text.length) runs.push({ offset: start + length, style: afterStyle });
    for (const run of after) runs.push({ offset: run.offset + length - (end - start), style: run.style });
    this.#runs = runs.filter((run, i) => run.style.codes !== (runs[i - 1]?.style ?? DEFAULT_STYLE).codes);
  }

  /**
   * The offset in the text at which a column begins. Combining marks belong to the character before them. If the column
   * is the second half of a wide character, the character becomes two spaces, as on a terminal.
   */
  #offsetOf(column: number): number {
    if (column >= this.columns) return this.text.length;
    if (this.#isNarrow || column === 0) return column;
    let at = 0;
    let offset = 0;
    while (offset < this.text.length) {
      const codePoint = this.text.codePointAt(offset) ?? 0;
      const columns = columnsOfCodePoint(codePoint);
      if (at >= column && columns > 0) break;
      if (at + columns > column) return this.#splitWide(offset);
      at += columns;
      offset += codePoint > 0xffff ? 2 : 1;
    }
    return offset;
  }

  #splitWide(offset: number): number {
    let end = offset + ((this.text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1);
    while (end < this.text.length && columnsOfCodePoint(this.text.codePointAt(end) ?? 0) === 0) {
      end += (this.text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    }
    const style = this.#runs.findLast((run) => run.offset <= offset)?.style ?? DEFAULT_STYLE;
    if (this.#runs.length > 0) this.#replaceRuns(offset, end, 2, style);
    this.text = `${this.text.slice(0, offset)}  ${this.text.slice(end)}`;
    return offset + 1;
  }
}

/** Parses a text with minimal SGR sequences, as `format` returns it. */
export function parseRow(ansi: string): ScreenRow {
  const row = new ScreenRow();
  let style = DEFAULT_STYLE;
  let start = 0;
  for (let at = ansi.indexOf('\x1b'); at >= 0; at = ansi.indexOf('\x1b', start)) {
    if (at > start) row.append(ansi.slice(start, at), style);
    const end = ansi.indexOf('m', at);
    style = applySgr(style, ansi.slice(at + 2, end));
    start = end + 1;
  }
  if (start < ansi.length) row.append(ansi.slice(start), style);
  return row;
}

/** Cuts U+0020 only: other white space was printed as a character. */
function trimTrailingSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return end === text.length ? text : text.slice(0, end);
}
