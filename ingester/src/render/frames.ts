import { isAscii, isUtf8 } from 'node:buffer';
import { columnsOfText } from './column-width.js';
import type { ControlIndex } from './control-index.js';
import { INDEX_BYTES } from './control-index.js';
import type { Screen } from './screen.js';
import { WINDOW_ROWS } from './window.js';

const CR = 0x0d;
const LF = 0x0a;
const ESC = 0x1b;

/**
 * Texts between the controls of one slice; shared, since one slice is run at a time. For each text: where it starts and ends,
 * the row on which it lands (from the top of the screen as it was at the start of the slice), the most columns it can take.
 */
const places = new Int32Array(4 * (INDEX_BYTES + 1));
const START = 0;
const END = 1;
const ROW = 2;
const MOST = 3;
const SIZE = 4;
/** 1: the text begins in the first column. */
const isAtStart = new Uint8Array(INDEX_BYTES + 1);
const isDropped = new Uint8Array(INDEX_BYTES + 1);
/** For each row, 1 + the text that covers most of it, of those that come later. */
const covers = new Int32Array(INDEX_BYTES + 1 + WINDOW_ROWS);
/** The columns of that text; UNKNOWN until somebody asks. */
const coveredColumns = new Int32Array(covers.length);
const UNKNOWN = -1;

/**
 * Runs the bars at the start of a slice: text, CR, LF and `ESC [ n A`, nothing else. A frame that a later one of the same
 * row covers is not even decoded. Returns where it stopped. Needs the ground state, a scroll region that is the whole
 * screen, valid UTF-8 and no very long last row.
 */
export function runFrames(bytes: Buffer, index: ControlIndex, screen: Screen): number {
  if (!isUtf8(bytes)) return 0;
  const program = new FrameProgram(bytes, index, screen);
  program.place();
  program.dropCovered();
  program.run();
  return program.stop;
}

class FrameProgram {
  /** Where something else begins. */
  stop: number;
  private stopControl: number;
  private count = 0;
  private lastRow = 0;
  private readonly encoding: 'latin1' | 'utf8';
  private readonly texts = new Map<number, string>();
  private readonly columns = new Map<number, number>();

  constructor(
    private readonly bytes: Buffer,
    private readonly index: ControlIndex,
    private readonly screen: Screen
  ) {
    this.stop = bytes.length;
    this.stopControl = index.count;
    this.encoding = isAscii(bytes) ? 'latin1' : 'utf8';
  }

  /** Finds out where each text lands. */
  place(): void {
    const { bytes } = this;
    const { records, count } = this.index;
    let y = this.screen.row;
    let scrolled = 0;
    let from = 0;
    let mostBefore = 0;
    let atStart = 0;
    for (let k = 0; k <= count; k++) {
      const at = records[2 * k] ?? 0;
      const mostHere = records[2 * k + 1] ?? 0;
      if (at > from) {
        this.addText(from, at, scrolled + y, mostHere - mostBefore, atStart);
        atStart = 0;
      }
      if (k === count) break;
      const byte = bytes[at] ?? 0;
      from = at + 1;
      if (byte === LF) {
        if (y === WINDOW_ROWS - 1) scrolled++;
        else y++;
      } else if (byte === ESC) {
        const up = readMoveUp(bytes, at);
        if (up === 0) {
          this.stop = at;
          this.stopControl = k;
          break;
        }
        y = Math.max(0, y - up);
        from = endOfMoveUp(bytes, at);
      }
      if (byte !== ESC) atStart = 1;
      mostBefore = mostHere + from - at;
    }
    this.lastRow = scrolled + WINDOW_ROWS;
  }

  private addText(start: number, end: number, row: number, columns: number, atStart: number): void {
    const i = this.count++;
    const text = places;
    text[SIZE * i + START] = start;
    text[SIZE * i + END] = end;
    text[SIZE * i + ROW] = row;
    text[SIZE * i + MOST] = columns;
    isAtStart[i] = atStart;
    isDropped[i] = 0;
  }

  /** Backwards: what a frame leaves to see is known only when those after it are. */
  dropCovered(): void {
    const cover = covers.fill(0, 0, this.lastRow + 1);
    const covered = coveredColumns;
    const texts = places;
    const atStart = isAtStart;
    for (let i = this.count - 1; i >= 0; i--) {
      if (atStart[i] === 0) continue;
      const y = texts[SIZE * i + ROW] ?? 0;
      const by = cover[y] ?? 0;
      if (by === 0) {
        cover[y] = i + 1;
        covered[y] = UNKNOWN;
        continue;
      }
      if (covered[y] === UNKNOWN) covered[y] = this.columnsOf(by - 1);
      const columns = covered[y] ?? 0;
      // The column behind the text must not matter: the next text begins in the first one.
      if (
        atStart[i + 1] === 1 &&
        (((texts[SIZE * i + MOST] ?? 0) <= columns && this.startsVisibly(i)) || this.isCovered(i, columns))
      )
        isDropped[i] = 1;
      else if (this.columnsOf(i) > columns) {
        cover[y] = i + 1;
        covered[y] = this.columnsOf(i);
      }
    }
  }

  /** A character that has a column is the first: ASCII, or one of U+2500 to U+28FF. False says nothing. */
  private startsVisibly(i: number): boolean {
    const at = places[SIZE * i + START] ?? 0;
    const byte = this.bytes[at] ?? 0;
    const next = this.bytes[at + 1] ?? 0;
    return byte < 0x80 || (byte === 0xe2 && next >= 0x94 && next <= 0xa3);
  }

  /** Marks alone have no column in which they could be covered. */
  private isCovered(i: number, columns: number): boolean {
    const own = this.columnsOf(i);
    return own > 0 && own <= columns;
  }

  run(): void {
    const { bytes, screen } = this;
    const { records } = this.index;
    let text = 0;
    let from = 0;
    for (let k = 0; k < this.stopControl; k++) {
      const at = records[2 * k] ?? 0;
      if (at > from) this.print(text++);
      const byte = bytes[at] ?? 0;
      from = at + 1;
      if (byte === CR) screen.carriageReturn();
      else if (byte === LF) screen.lineFeed();
      else {
        const up = readMoveUp(bytes, at);
        screen.moveUp(up);
        from = endOfMoveUp(bytes, at);
      }
    }
    if (this.stop > from) this.print(text);
  }

  private print(i: number): void {
    if (isDropped[i] === 0) this.screen.print(this.textOf(i));
  }

  private textOf(i: number): string {
    const known = this.texts.get(i);
    return known ?? this.bytes.toString(this.encoding, places[SIZE * i + START], places[SIZE * i + END]);
  }

  private columnsOf(i: number): number {
    let columns = this.columns.get(i);
    if (columns === undefined) {
      const text = this.textOf(i);
      this.texts.set(i, text);
      this.columns.set(i, (columns = columnsOfText(text)));
    }
    return columns;
  }
}

/** The count of a complete `ESC [ A` or `ESC [ n A` with one digit, 0 for anything else. */
function readMoveUp(bytes: Buffer, at: number): number {
  if (bytes[at + 1] !== 0x5b) return 0;
  const code = bytes[at + 2] ?? 0;
  if (code === 0x41) return 1;
  return code >= 0x31 && code <= 0x39 && bytes[at + 3] === 0x41 ? code - 0x30 : 0;
}

function endOfMoveUp(bytes: Buffer, at: number): number {
  return bytes[at + 2] === 0x41 ? at + 3 : at + 4;
}
