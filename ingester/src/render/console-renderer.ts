import { isAscii, isUtf8 } from 'node:buffer';
import { findCharacterBoundary, findLastLines, findSequenceBoundary, nextSlice } from './boundaries.js';
import { startOf } from '../kernels/coloured-lines.js';
import { type ControlIndex, indexControls } from '../kernels/control-index.js';
import { EscapeParser } from './escape-parser.js';
import { flattenLines } from '../kernels/flat-lines.js';
import { runBarFrames } from './bar-frames.js';
import { joinBytes } from './join-bytes.js';
import { maskWindow } from './mask-window.js';
import type { PlainLines, PrintedRow, RenderedRow, RowSink } from './rendered-row.js';
import type { RendererState } from './renderer-state.js';
import { Screen } from './screen.js';
import { type StyledLines, takeStyledLines } from './styled-lines.js';
import { type ScreenLine, WINDOW_ROWS } from './row-window.js';

/** Plain lines are handed over in parts of this size. */
const BULK_BYTES = 1024 * 1024;
/** Other text is decoded in parts of this size. The rows on the screen may keep one in memory. */
const GENERAL_BYTES = 16 * 1024;

const NOTHING = Buffer.alloc(0);
const LF = 0x0a;
const ESC = 0x1b;
const TAB = 0x09;
const CR = 0x0d;
const BRACE = 0x7b;
const LINES_ONLY = 1 << LF;
const FLAT_ONLY = LINES_ONLY | (1 << TAB) | (1 << CR);
const FRAMES_ONLY = LINES_ONLY | (1 << CR) | (1 << ESC);

interface IndexedSlice {
  readonly slice: Buffer;
  readonly index: ControlIndex;
}

/** Shared by all: it keeps nothing between two calls. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Renders the raw output of one stream of a pipe or file: lines of any length, no wrapping, and a cursor that reaches
 * up 200 rows. Rows come oldest first. A row is handed over only when it differs from the version returned before for
 * its `id`. No input makes it throw, and memory is bounded.
 *
 * The caller's part:
 * - Give each new `id` a time when it first comes, and keep it while `id >= firstRewritableId`; a row that comes again
 *   is written at the time of its first version, so that it replaces it. A dropped row (a repeat) keeps its time too:
 *   when it comes again with other text it is written there.
 * - Commands, metadata and repeats are decided when the row first comes with `isComplete`, and again where
 *   `PrintedRow.judging` says so. On any other version write only the log line again: the effects of earlier versions
 *   stay. A later version may be empty (an erased bar).
 */
export class ConsoleRenderer {
  readonly #screen: Screen;
  readonly #parser: EscapeParser;
  /** The start of a character or short control sequence whose other bytes have not come yet. */
  #tail: Buffer = NOTHING;

  readonly #isMixed: boolean;

  /**
   * Continues from `state`, the whole state of another renderer. `isMixed`: the stream carries the output of two
   * programs, each as if it were alone, and rows tell which text was printed on them last.
   */
  constructor(state?: RendererState, isMixed = false) {
    this.#isMixed = isMixed;
    this.#screen = new Screen(isMixed);
    this.#parser = new EscapeParser(this.#screen);
    if (state === undefined) return;
    this.#screen.window.restore(state.window);
    this.#screen.restore(state.screen);
    if (state.parser !== undefined) this.#parser.restore(state.parser);
    if (state.tail !== undefined) this.#tail = Buffer.from(state.tail, 'base64');
  }

  /** Whether `takeChangedRows` may return something. While it is false, the caller needs no timer. */
  get hasChangedRows(): boolean {
    return this.#screen.window.hasChanges();
  }

  /** Rows with a smaller id are final: they never come again. It never falls. */
  get firstRewritableId(): number {
    return this.#screen.window.firstId;
  }

  /** Whether the cursor has moved up since the last call: rows that are complete may change. */
  takeMovedUp(): boolean {
    const { hasMovedUp } = this.#screen;
    this.#screen.hasMovedUp = false;
    return hasMovedUp;
  }

  /** The id of the row below the last one. */
  get nextId(): number {
    const { firstId, length } = this.#screen.window;
    return firstId + length;
  }

  /** A renderer whose first row has this id. */
  static startAt(firstId: number, isMixed: boolean): ConsoleRenderer {
    const window = { firstId, length: 1, firstIncompleteId: firstId, rows: {} };
    return new ConsoleRenderer({ window, screen: { y: 0, x: 0 } }, isMixed);
  }

  /**
   * Feeds bytes, cut anywhere. Hands over rows that are complete for the first time and changed rows that just became
   * final. Many lines of plain text are handed over at once.
   */
  write(chunk: Uint8Array, to: RowSink): void {
    let bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#tail.length > 0) bytes = joinBytes(this.#tail, bytes);
    const end = findSequenceBoundary(bytes, findCharacterBoundary(bytes, bytes.length));
    for (let start = 0; start < end;) start = this.#feed(bytes, start, end, to);
    this.#tail = end === bytes.length ? NOTHING : Buffer.from(bytes.subarray(end));
    this.#handOver(to);
  }

  /**
   * Returns every row that changed since it was last returned. The last, incomplete row is included up to 16 Ki UTF-16
   * units.
   */
  takeChangedRows(): RenderedRow[] {
    return this.#screen.window.takeChanged(false);
  }

  /** The text of the cursor's row, that part of it which is before the cursor, and the text of the last row. */
  get openTexts(): readonly string[] {
    const { window, row, textBeforeCursor } = this.#screen;
    return [window.textAt(row), textBeforeCursor, window.textAt(window.length - 1)];
  }

  /**
   * Makes all rows final, also the last one unless it is empty, and begins a new one: later output changes no earlier
   * row.
   */
  startPage(to: RowSink): void {
    if (this.#tail.length > 0) this.#feed(this.#tail, 0, this.#tail.length);
    this.#tail = NOTHING;
    this.#parser.forgetCollected();
    this.#screen.leaveAll();
    this.#handOver(to);
  }

  /** The rows that `end` has returned, where some are not judged as usual. */
  takePrinted(): readonly PrintedRow[] | undefined {
    return this.#screen.window.takePrinted();
  }

  /**
   * The state with which another renderer continues, as JSON: all of it, or the changes since the last call, which
   * `mergeRendererState` adds. `withoutText` puts an x in place of each character. Never call it during another method.
   */
  takeState(kind: 'whole' | 'change', withoutText = false): RendererState {
    if (withoutText) this.#parser.forgetCollected();
    const parser = this.#parser.takeState();
    const window = this.#screen.window.takeState(kind);
    return {
      window: withoutText ? maskWindow(window) : window,
      screen: this.#screen.takeState(),
      ...(parser !== undefined && { parser }),
      ...(this.#tail.length > 0 && !withoutText && { tail: this.#tail.toString('base64') }),
    };
  }

  /**
   * Ends the stream and returns the changed rows. All rows are then final and complete, and `write` must not be called
   * again.
   */
  end(): RenderedRow[] {
    if (this.#tail.length > 0) this.#feed(this.#tail, 0, this.#tail.length);
    this.#parser.end();
    this.#screen.end();
    const complete = this.#screen.window.takeComplete();
    return [...complete, ...this.#screen.window.takeChanged(true)];
  }

  #handOver(to: RowSink): void {
    const { window } = this.#screen;
    const rows = window.takeComplete();
    to.update(rows, this.firstRewritableId, window.takePrinted());
  }

  /** Takes bytes from `start` up to `end` at most; returns where it stopped. */
  #feed(bytes: Buffer, start: number, end: number, to?: RowSink): number {
    const screen = this.#screen;
    const next = nextSlice(bytes, start, end);
    const slice = start === 0 && next === bytes.length ? bytes : bytes.subarray(start, next);
    const index = indexControls(slice);
    const { kinds, count } = index;
    let stop = next;
    if (!this.#parser.isGround) this.#interpret(slice);
    else if ((kinds & ~LINES_ONLY) === 0 && screen.isPlain) {
      const isFew = count < WINDOW_ROWS && next === end;
      if (to === undefined || count === 0 || isFew || screen.window.mayShowMoved)
        screen.printLines(this.#decode(slice));
      else stop = this.#feedLines(bytes, start, end, to, next, count);
    } else {
      const flatEnd = isFlat(slice, index) ? this.#feedFlatLines(bytes, start, end, to) : start;
      if (flatEnd > start) stop = flatEnd;
      else stop = this.#feedControls(bytes, start, end, { slice, index }, to);
    }
    screen.limitText();
    return stop;
  }

  /** Takes lines with tabs, or ended by CR LF. Returns where they end, which is `start` if they need another way. */
  #feedFlatLines(bytes: Buffer, start: number, end: number, to?: RowSink): number {
    const screen = this.#screen;
    if (!screen.isPlain) return start;
    if (!screen.isOnNewRow) {
      const line = bytes.indexOf(LF, start) + 1;
      if (line === 0 || line > end) return start;
      this.#interpret(bytes.subarray(start, line));
      return line;
    }
    const flat = flattenLines(bytes, start, end);
    if (flat === undefined) return start;
    if (to !== undefined && flat.count > WINDOW_ROWS && !screen.window.mayShowMoved)
      this.#addLines(flat.bytes, flat.count, to);
    else screen.printLines(this.#decode(flat.bytes));
    return flat.end;
  }

  /** Hands over plain lines together. There are `lines` up to `next`, and maybe more. */
  #feedLines(bytes: Buffer, start: number, end: number, to: RowSink, next: number, lines: number): number {
    const screen = this.#screen;
    let stop = next;
    let count = lines;
    while (stop < end && stop - start < BULK_BYTES) {
      const further = nextSlice(bytes, stop, end);
      const index = indexControls(bytes.subarray(stop, further));
      if ((index.kinds & ~LINES_ONLY) !== 0) break;
      count += index.count;
      stop = further;
    }
    if (count <= WINDOW_ROWS) {
      screen.printLines(this.#decode(bytes.subarray(start, stop)));
      return stop;
    }
    const from = bytes.indexOf(LF, start) + 1;
    const last = bytes.lastIndexOf(LF, stop - 1) + 1;
    screen.printLines(this.#decode(bytes.subarray(start, from)));
    this.#addLines(bytes.subarray(from, last), count - 1, to);
    if (last < stop) screen.printLines(this.#decode(bytes.subarray(last, stop)));
    return stop;
  }

  /** Hands over whole lines, at least as many as there are rows above the cursor's. */
  #addLines(lines: Buffer, count: number, to: RowSink): void {
    const screen = this.#screen;
    const bytes = isUtf8(lines) ? lines : Buffer.from(DECODER.decode(lines));
    screen.leaveRows();
    this.#handOver(to);
    const finalBytes = findLastLines(bytes, WINDOW_ROWS - 1);
    const texts = bytes.toString('utf8', finalBytes).split('\n').slice(0, -1);
    const last = texts.map((text) => ({ text, ansi: undefined }));
    this.#passLines({ bytes, count, finalBytes }, last, to);
  }

  /** Hands over whole lines. The last of them, which are not final, stay on the screen. */
  #passLines(
    lines: Pick<PlainLines, 'bytes' | 'count' | 'finalBytes' | 'coloured'>,
    last: readonly ScreenLine[],
    to: RowSink
  ): void {
    const { window } = this.#screen;
    const { firstId } = window;
    this.#screen.addLines(lines.count - last.length, last);
    to.addLines({ ...lines, firstId, firstRewritableId: window.firstId });
  }

  /** Takes the quick ways first, each for as much of the slice at `start` as it can. Returns where it stopped. */
  #feedControls(bytes: Buffer, start: number, end: number, { slice, index }: IndexedSlice, to?: RowSink): number {
    const screen = this.#screen;
    const { kinds } = index;
    let stop = 0;
    if ((kinds & ~FRAMES_ONLY) === 0 && screen.isWhole) {
      if (screen.mayAddStyled) {
        const lines = takeStyledLines(slice, index, 0);
        if (this.#mayPass(lines, to)) return this.#passStyledLines(lines, bytes, start, end, to);
        stop = this.#addStyledLines(lines, slice);
      }
      if (stop === 0 && this.#mayBeBars(slice)) stop = runBarFrames(slice, index, screen, this.#findMeaning(kinds, to));
      const line = slice.indexOf(LF, stop) + 1;
      if (line > 0 && line < slice.length) {
        this.#interpret(slice.subarray(stop, line));
        stop = line;
        if (this.#parser.isGround && screen.mayAddStyled) {
          const lines = takeStyledLines(slice, index, line);
          if (this.#mayPass(lines, to)) return this.#passStyledLines(lines, bytes, start + line, end, to);
          stop += this.#addStyledLines(lines, slice.subarray(line));
        }
      }
    }
    if (stop < slice.length) this.#interpret(slice.subarray(stop));
    return start + slice.length;
  }

  /** Whether the lines are so many that they are handed over together. */
  #mayPass({ count }: StyledLines, to: RowSink | undefined): to is RowSink {
    return to !== undefined && count > WINDOW_ROWS && !this.#screen.window.mayShowMoved;
  }

  /** Adds the lines that were taken at the start of `bytes`; returns where they end. */
  #addStyledLines(lines: StyledLines, bytes: Buffer): number {
    for (const { text, ansi } of lines.readLines(bytes, 0)) this.#screen.addLine(text, ansi);
    return lines.bytes;
  }

  /** Hands over together the lines that were taken at `start`, and those behind them. Returns where they end. */
  #passStyledLines(lines: StyledLines, bytes: Buffer, start: number, end: number, to: RowSink): number {
    const screen = this.#screen;
    for (let taken = 1; taken > 0 && lines.hasRoom;) {
      const from = start + lines.bytes;
      const slice = bytes.subarray(from, nextSlice(bytes, from, end));
      taken = lines.take(slice, indexControls(slice), 0);
    }
    const { texts, count, ends, textEnds } = lines;
    const coloured = { bytes: bytes.subarray(start, start + lines.bytes), ends, textEnds };
    screen.leaveRows();
    this.#handOver(to);
    const finalCount = count - WINDOW_ROWS + 1;
    const last = lines.readLines(coloured.bytes, finalCount);
    this.#passLines({ bytes: texts, count, finalBytes: startOf(textEnds, finalCount), coloured }, last, to);
    return start + lines.bytes;
  }

  /**
   * Whether bars may be run as frames. On a mixed stream, the last frame on an ended row is not known afterwards, and
   * text printed over a bar counts only if it has a brace.
   */
  #mayBeBars(bytes: Buffer): boolean {
    const screen = this.#screen;
    return screen.canEdit(bytes.length) && !screen.isAtHome && !(this.#isMixed && bytes.includes(BRACE));
  }

  /**
   * Tells whether a text may mean something. Undefined where that does not matter: no frame goes back to a row that has
   * ended.
   */
  #findMeaning(kinds: number, to?: RowSink): ((bytes: Buffer) => boolean) | undefined {
    const { window, row } = this.#screen;
    if ((kinds & (1 << ESC)) === 0 && row >= window.length - 1) return undefined;
    // What a line means may depend on those before it.
    if (to !== undefined) this.#handOver(to);
    return (bytes) => to?.mayMean?.(bytes) ?? false;
  }

  /** Takes the general way. */
  #interpret(bytes: Buffer): void {
    for (let start = 0; start < bytes.length;) {
      const end = findCharacterBoundary(bytes, Math.min(bytes.length, start + GENERAL_BYTES));
      const next = end > start ? end : bytes.length;
      this.#parser.feed(this.#decode(bytes.subarray(start, next)));
      start = next;
    }
  }

  #decode(bytes: Buffer): string {
    return isAscii(bytes) ? bytes.toString('latin1') : DECODER.decode(bytes);
  }
}

/** Whether the bytes begin with a line that has tabs or ends with CR LF, and are not known to hold bars. */
function isFlat(bytes: Buffer, { kinds, count, records }: ControlIndex): boolean {
  if (count === 0 || (kinds & ~FLAT_ONLY) !== 0) return false;
  const first = records[0] ?? 0;
  return bytes[first] !== CR || bytes[first + 1] === LF;
}
