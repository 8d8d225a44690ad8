import { isAscii, isUtf8 } from 'node:buffer';
import { findCharacterBoundary, findLastLines, findSequenceBoundary, nextSlice } from './boundaries.js';
import type { ControlIndex } from '../kernels/control-index.js';
import { indexControls } from '../kernels/control-index.js';
import { EscapeParser } from './escape-parser.js';
import { flattenLines } from '../kernels/flat-lines.js';
import { runBarFrames } from './bar-frames.js';
import { joinBytes } from './join-bytes.js';
import { maskWindow } from './mask-window.js';
import type { RenderedRow, RowSink } from './rendered-row.js';
import type { RendererState } from './renderer-state.js';
import { Screen } from './screen.js';
import { addStyledLines } from './styled-lines.js';
import { WINDOW_ROWS } from './row-window.js';

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
 * - Commands, metadata and repeats are decided once, when the row first comes with `isComplete`. On a later version
 *   write only the log line again: the effects of the first version stay. A later version may be empty (an erased bar).
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
    to.update(this.#screen.window.takeComplete(), this.firstRewritableId);
  }

  /**
   * Returns every row that changed since it was last returned. The last, incomplete row is included up to 16 Ki UTF-16
   * units.
   */
  takeChangedRows(): RenderedRow[] {
    return this.#screen.window.takeChanged(false);
  }

  /** The text of the last, incomplete row. */
  get openText(): string {
    return this.#screen.window.textOfLast;
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
    to.update(this.#screen.window.takeComplete(), this.firstRewritableId);
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
    const complete = this.#screen.window.takeComplete();
    return [...complete, ...this.#screen.window.takeChanged(true)];
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
      if (to === undefined || count === 0 || (count < WINDOW_ROWS && next === end))
        screen.printLines(this.#decode(slice));
      else stop = this.#feedLines(bytes, start, end, to, next, count);
    } else {
      const flatEnd = isFlat(slice, index) ? this.#feedFlatLines(bytes, start, end, to) : start;
      if (flatEnd > start) stop = flatEnd;
      else this.#feedControls(slice, index);
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
    if (to !== undefined && flat.count > WINDOW_ROWS) this.#addLines(flat.bytes, flat.count, to);
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
    const { window } = screen;
    const bytes = isUtf8(lines) ? lines : Buffer.from(DECODER.decode(lines));
    screen.leaveRows();
    const { firstId } = window;
    to.update(window.takeComplete(), firstId);
    const finalBytes = findLastLines(bytes, WINDOW_ROWS - 1);
    const last = bytes.toString('utf8', finalBytes).split('\n').slice(0, -1);
    screen.addLines(count - last.length, last);
    to.addLines({ bytes, firstId, count, finalBytes, firstRewritableId: window.firstId });
  }

  /** Takes the quick ways first, each for as much of the start as it can. */
  #feedControls(bytes: Buffer, index: ControlIndex): void {
    const screen = this.#screen;
    const { kinds } = index;
    let stop = 0;
    if ((kinds & ~FRAMES_ONLY) === 0 && screen.isWhole) {
      if (screen.isOnNewRow) stop = addStyledLines(bytes, index, 0, screen);
      if (stop === 0 && this.#mayBeBars(bytes)) stop = runBarFrames(bytes, index, screen);
      const line = bytes.indexOf(LF, stop) + 1;
      if (line > 0 && line < bytes.length) {
        this.#interpret(bytes.subarray(stop, line));
        stop = this.#parser.isGround && screen.isOnNewRow ? addStyledLines(bytes, index, line, screen) : line;
      }
    }
    if (stop < bytes.length) this.#interpret(bytes.subarray(stop));
  }

  /**
   * Whether bars may be run as frames. On a mixed stream, the last frame on an ended row is not known afterwards, and
   * text printed over a bar counts only if it has a brace.
   */
  #mayBeBars(bytes: Buffer): boolean {
    const screen = this.#screen;
    return screen.canEdit(bytes.length) && !screen.isAtHome && !(this.#isMixed && bytes.includes(BRACE));
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
