import { isAscii, isUtf8 } from 'node:buffer';
import type { ControlIndex } from './control-index.js';
import { INDEX_BYTES } from './control-index.js';
import { applySgr, DEFAULT_STYLE, encodeSgrChange } from './sgr.js';
import type { Style } from './sgr.js';
import { addShortStyledLines } from './short-styles.js';
import type { TextScreen } from './text-screen.js';
import { WINDOW_ROWS } from './window.js';

const LF = 0x0a;
const ESC = 0x1b;
const BRACKET = 0x5b;
const SMALL_M = 0x6d;

/** Room for the coloured form of what is taken at once; the line that does not fit is left, with those behind it. */
const ANSI_BYTES = 4 * INDEX_BYTES;
/** No change of style is longer. */
const CHANGE_BYTES = 256;
const plainBytes = Buffer.alloc(INDEX_BYTES + 4);
const plainView = new DataView(plainBytes.buffer, plainBytes.byteOffset, plainBytes.length);
const ansiBytes = Buffer.alloc(ANSI_BYTES);
/** For each line: ends of its plain and its written coloured form in bytes and in UTF-16 units, … */
const PLAIN = 0;
const WRITTEN = 2;
/** … its own end, and, when its coloured form is a part of the slice as it is, where that begins and ends. */
const RAW = 4;
const FROM = 6;
const TO = 7;
const NUMBERS = 8;
const numbers = new Int32Array(NUMBERS * INDEX_BYTES);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The newest ways from a style to the next by parameters of up to MAX_SHORT characters. */
const LATEST_STYLES = 64;
const MAX_SHORT = 7;
/** Longer parameters are left to the general way. */
const MAX_PARAMETERS = 256;
const latestParameters = new Int32Array(LATEST_STYLES);
const latestFrom: (Style | undefined)[] = [];
const latestTo: Style[] = [];

/**
 * Takes whole lines from `start` on, as long as their only control sequences are `ESC [ … m`: text and coloured form of all
 * of them are written as bytes and decoded at once. Returns where it stopped: at the start of a line. Needs `isOnNewRow`.
 */
export function addStyledLines(bytes: Buffer, index: ControlIndex, start: number, screen: TextScreen): number {
  if (!isUtf8(bytes)) return start;
  const short = isAscii(bytes) && screen.style === DEFAULT_STYLE;
  const first = short ? addShortStyledLines(bytes, index, start, screen) : start;
  if (first === bytes.length) return first;
  const lines = new StyledLines(bytes, screen, first);
  const { records, count } = index;
  let from = first;
  for (let k = 0; k < count && from >= 0; k++) {
    const at = records[2 * k] ?? 0;
    if (at < first) continue;
    if (at > from && !lines.addText(from, at)) break;
    if (bytes[at] === LF) lines.endLine((from = at + 1));
    else from = bytes[at] === ESC ? lines.changeStyle(at) : -1;
  }
  lines.hand();
  return lines.end;
}

class StyledLines {
  /** Behind the last whole line. */
  end: number;
  private style: Style;
  /** The style there. */
  private endStyle: Style;
  /** The style of what was last written of the coloured form. */
  private written = DEFAULT_STYLE;
  private isColoured = false;
  private plainEnd = 0;
  private ansiEnd = 0;
  /** By how much the UTF-16 units of this line are fewer than its bytes. */
  private unitsLess = 0;
  /** Bytes of the line that belong to its coloured form as they are, and are not copied yet. */
  private spanStart: number;
  private spanEnd: number;
  private count = 0;
  private readonly isAscii: boolean;
  private readonly view: DataView;

  constructor(
    private readonly bytes: Buffer,
    private readonly screen: TextScreen,
    private readonly start: number
  ) {
    this.end = start;
    this.style = this.endStyle = screen.style;
    this.spanStart = this.spanEnd = start;
    this.isAscii = isAscii(bytes);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** False: there is no room for it. */
  addText(start: number, end: number): boolean {
    if (this.ansiEnd + end - this.spanStart + 2 * CHANGE_BYTES > ANSI_BYTES) return false;
    this.addChange(this.style, start);
    this.spanEnd = end;
    if (this.style !== DEFAULT_STYLE) this.isColoured = true;
    if (this.isAscii) this.copyAscii(start, end);
    else this.copyText(start, end);
    return true;
  }

  /** By four bytes at once: what is copied too much is overwritten by what comes next. */
  private copyAscii(start: number, end: number): void {
    const { view } = this;
    const target = plainView;
    const whole = Math.min(end, view.byteLength - 3);
    let plain = this.plainEnd;
    let i = start;
    for (; i < whole; i += 4, plain += 4) target.setInt32(plain, view.getInt32(i));
    for (; i < end; i++) target.setInt8(plain++, view.getInt8(i));
    this.plainEnd += end - start;
  }

  private copyText(start: number, end: number): void {
    const { bytes } = this;
    const target = plainBytes;
    let plain = this.plainEnd;
    let less = this.unitsLess;
    for (let i = start; i < end; i++) {
      const byte = bytes[i] ?? 0;
      target[plain++] = byte;
      if (byte < 0x80) continue;
      if (byte < 0xc0) less++;
      else if (byte >= 0xf0) less--;
    }
    this.plainEnd = plain;
    this.unitsLess = less;
  }

  /** `next`: where the next line begins. */
  endLine(next: number): void {
    if (this.isColoured) this.addChange(DEFAULT_STYLE, next - 1);
    const isWritten = this.isColoured && this.ansiEnd > this.lastEnd(WRITTEN);
    if (isWritten) this.copySpan();
    else this.ansiEnd = this.lastEnd(WRITTEN);
    const less = this.unitsLess;
    const from = this.lastEnd(RAW + 1) + this.spanStart - this.end;
    const to = from + this.spanEnd - this.spanStart - less;
    const plainUnits = this.lastEnd(PLAIN + 1) + this.plainEnd - this.lastEnd(PLAIN) - less;
    const ansiUnits = this.lastEnd(WRITTEN + 1) + this.ansiEnd - this.lastEnd(WRITTEN) - (isWritten ? less : 0);
    const rawUnits = this.lastEnd(RAW + 1) + next - this.end - less;
    const isRaw = this.isColoured && !isWritten;
    const line = NUMBERS * this.count++;
    numbers[line + PLAIN] = this.plainEnd;
    numbers[line + PLAIN + 1] = plainUnits;
    numbers[line + WRITTEN] = this.ansiEnd;
    numbers[line + WRITTEN + 1] = ansiUnits;
    numbers[line + RAW] = next;
    numbers[line + RAW + 1] = rawUnits;
    numbers[line + FROM] = isRaw ? from : 0;
    numbers[line + TO] = isRaw ? to : 0;
    this.startLine(next);
  }

  private startLine(at: number): void {
    this.end = this.spanStart = this.spanEnd = at;
    this.endStyle = this.style;
    this.written = DEFAULT_STYLE;
    this.isColoured = false;
    this.unitsLess = 0;
  }

  /** The coloured form goes on at `start` in this style: with the bytes as they are when they say it in the shortest way. */
  private addChange(style: Style, start: number): void {
    const change = encodeSgrChange(this.written, style);
    this.written = style;
    const from = start - change.length;
    if (from === this.spanEnd && hasAt(this.bytes, change, from)) {
      this.spanEnd = start;
      return;
    }
    this.copySpan();
    ansiBytes.set(change, this.ansiEnd);
    this.ansiEnd += change.length;
    this.spanStart = this.spanEnd = start;
  }

  private copySpan(): void {
    if (this.spanEnd > this.spanStart)
      this.ansiEnd += this.bytes.copy(ansiBytes, this.ansiEnd, this.spanStart, this.spanEnd);
    this.spanStart = this.spanEnd;
  }

  /** The sequence at `at`. Returns where it ends, -1 if it is no change of style. */
  changeStyle(at: number): number {
    const { bytes } = this;
    if (bytes[at + 1] !== BRACKET) return -1;
    let end = at + 2;
    let key = 0;
    for (let code = bytes[end] ?? 0; code >= 0x30 && code <= 0x3b; code = bytes[++end] ?? 0) {
      key = key * 16 + (code - 0x2f);
      if (end - at > MAX_PARAMETERS) return -1;
    }
    if (bytes[end] !== SMALL_M) return -1;
    const length = end - at - 2;
    if (length === 0 || key === 1) this.style = DEFAULT_STYLE;
    else if (length <= MAX_SHORT) this.style = nextStyle(this.style, key, bytes, at + 2, end);
    else this.style = applySgr(this.style, bytes.toString('latin1', at + 2, end));
    return end + 1;
  }

  /** Gives the lines to the screen. Those that stay on it share no string with the others, which would keep it in memory. */
  hand(): void {
    const first = Math.max(0, this.count - WINDOW_ROWS);
    if (first > 0) this.handLines(0, first);
    if (this.count > 0) this.handLines(first, this.count);
    this.screen.style = this.endStyle;
  }

  private handLines(first: number, last: number): void {
    const plain = this.decode(plainBytes, this.endOf(first - 1, PLAIN), this.endOf(last - 1, PLAIN));
    const written = this.decode(ansiBytes, this.endOf(first - 1, WRITTEN), this.endOf(last - 1, WRITTEN));
    const raw = this.decode(this.bytes, this.endOf(first - 1, RAW), this.endOf(last - 1, RAW));
    const plainBase = this.endOf(first - 1, PLAIN + 1);
    const writtenBase = this.endOf(first - 1, WRITTEN + 1);
    const rawBase = this.endOf(first - 1, RAW + 1);
    let plainFrom = 0;
    let writtenFrom = 0;
    for (let i = first; i < last; i++) {
      const plainTo = this.endOf(i, PLAIN + 1) - plainBase;
      const writtenTo = this.endOf(i, WRITTEN + 1) - writtenBase;
      const rawTo = this.endOf(i, TO);
      let ansi: string | undefined;
      if (rawTo > 0) ansi = raw.slice(this.endOf(i, FROM) - rawBase, rawTo - rawBase);
      else if (writtenTo > writtenFrom) ansi = written.slice(writtenFrom, writtenTo);
      this.screen.addLine(plain.slice(plainFrom, plainTo), ansi);
      plainFrom = plainTo;
      writtenFrom = writtenTo;
    }
  }

  private decode(from: Buffer, start: number, end: number): string {
    if (start === end) return '';
    return this.isAscii ? from.toString('latin1', start, end) : decoder.decode(from.subarray(start, end));
  }

  /** Of the last line that ended. */
  private lastEnd(number: number): number {
    return this.endOf(this.count - 1, number);
  }

  private endOf(line: number, number: number): number {
    if (line < 0) return number === RAW || number === RAW + 1 ? this.start : 0;
    return numbers[line * NUMBERS + number] ?? 0;
  }
}

/** The style after parameters that `key` stands for. */
function nextStyle(style: Style, key: number, bytes: Buffer, start: number, end: number): Style {
  const place = (key ^ (key >> 6) ^ (key >> 12)) & (LATEST_STYLES - 1);
  if (latestParameters[place] === key && latestFrom[place] === style) return latestTo[place] ?? style;
  const next = applySgr(style, bytes.toString('latin1', start, end));
  latestParameters[place] = key;
  latestFrom[place] = style;
  latestTo[place] = next;
  return next;
}

function hasAt(bytes: Buffer, part: Uint8Array, at: number): boolean {
  for (let i = 0; i < part.length; i++) if (bytes[at + i] !== part[i]) return false;
  return true;
}
