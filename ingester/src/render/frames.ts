import { isAscii, isUtf8 } from 'node:buffer';
import { columnsOfText } from './column-width.js';
import type { ControlIndex } from './control-index.js';
import { INDEX_BYTES } from './control-index.js';
import type { Screen } from './screen.js';
import { WINDOW_ROWS } from './window.js';

const CR = 0x0d;
const LF = 0x0a;
const ESC = 0x1b;

/** Texts between the controls of one slice; shared, since one slice is run at a time. */
const starts = new Int32Array(INDEX_BYTES + 1);
const ends = new Int32Array(INDEX_BYTES + 1);
/** The row on which a text lands, counted from the top of the screen as it was at the start of the slice. */
const rows = new Int32Array(INDEX_BYTES + 1);
/** The most columns that a text can take. */
const most = new Int32Array(INDEX_BYTES + 1);
/** 1: the text begins in the first column. */
const isAtStart = new Uint8Array(INDEX_BYTES + 1);
const isDropped = new Uint8Array(INDEX_BYTES + 1);
/** For each row, 1 + the text that covers most of it, of those that come later. */
const covers = new Int32Array(INDEX_BYTES + 1 + WINDOW_ROWS);

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
    starts[i] = start;
    ends[i] = end;
    rows[i] = row;
    most[i] = columns;
    isAtStart[i] = atStart;
    isDropped[i] = 0;
  }

  /** Backwards: what a frame leaves to see is known only when those after it are. */
  dropCovered(): void {
    covers.fill(0, 0, this.lastRow + 1);
    for (let i = this.count - 1; i >= 0; i--) {
      if (isAtStart[i] === 0) continue;
      const row = rows[i] ?? 0;
      const cover = (covers[row] ?? 0) - 1;
      // The column behind the text must not matter: the next text begins in the first one.
      const isPassed = cover >= 0 && isAtStart[i + 1] === 1;
      if (isPassed && this.isCovered(i, this.columnsOf(cover))) isDropped[i] = 1;
      else if (cover < 0 || this.columnsOf(i) > this.columnsOf(cover)) covers[row] = i + 1;
    }
  }

  private isCovered(i: number, columns: number): boolean {
    // Marks alone have no column in which they could be covered.
    if (!startsVisibly(this.bytes, starts[i] ?? 0) && this.columnsOf(i) === 0) return false;
    return (most[i] ?? 0) <= columns || this.columnsOf(i) <= columns;
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
    return known ?? this.bytes.toString(this.encoding, starts[i], ends[i]);
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

/** A character that has a column begins at `at`: ASCII, or U+2500 to U+28FF. False says nothing. */
function startsVisibly(bytes: Buffer, at: number): boolean {
  const byte = bytes[at] ?? 0;
  const next = bytes[at + 1] ?? 0;
  return byte < 0x80 || (byte === 0xe2 && next >= 0x94 && next <= 0xa3);
}
