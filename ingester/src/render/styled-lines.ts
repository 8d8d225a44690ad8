import { isAscii, isUtf8 } from 'node:buffer';
import type { ControlIndex } from './control-index.js';
import { INDEX_BYTES } from './control-index.js';
import { applySgr, DEFAULT_STYLE, formatSgrChange } from './sgr.js';
import type { Style } from './sgr.js';
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
const plainBytes = Buffer.alloc(INDEX_BYTES);
const ansiBytes = Buffer.alloc(ANSI_BYTES);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A longer ASCII text is copied by a call. */
const LONG_TEXT = 64;

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
  const lines = new StyledLines(bytes, screen, start);
  const { records, count } = index;
  let from = start;
  for (let k = 0; k < count && from >= 0; k++) {
    const at = records[2 * k] ?? 0;
    if (at < start) continue;
    if (at > from && !lines.addText(from, at)) break;
    if (bytes[at] === LF) lines.endLine((from = at + 1));
    else from = bytes[at] === ESC ? lines.changeStyle(at) : -1;
  }
  lines.hand();
  return lines.end;
}

class StyledLines {
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
  /** Of each line and form, the ends in bytes and in UTF-16 units. */
  private readonly ends: number[] = [];
  private readonly areColoured: boolean[] = [];
  private readonly isAscii: boolean;

  /** `end`: behind the last whole line. */
  constructor(
    private readonly bytes: Buffer,
    private readonly screen: TextScreen,
    public end: number
  ) {
    this.style = this.endStyle = screen.style;
    this.spanStart = this.spanEnd = end;
    this.isAscii = isAscii(bytes);
  }

  /** False: there is no room for it. */
  addText(start: number, end: number): boolean {
    if (this.ansiEnd + end - this.spanStart + 2 * CHANGE_BYTES > ANSI_BYTES) return false;
    this.addChange(this.style, start);
    this.spanEnd = end;
    if (this.style.codes !== '') this.isColoured = true;
    if (this.isAscii && end - start > LONG_TEXT)
      this.plainEnd += this.bytes.copy(plainBytes, this.plainEnd, start, end);
    else this.copyText(start, end);
    return true;
  }

  private copyText(start: number, end: number): void {
    const { bytes } = this;
    let plain = this.plainEnd;
    let less = this.unitsLess;
    for (let i = start; i < end; i++) {
      const byte = bytes[i] ?? 0;
      plainBytes[plain++] = byte;
      if (byte < 0x80) continue;
      if (byte < 0xc0) less++;
      else if (byte >= 0xf0) less--;
    }
    this.plainEnd = plain;
    this.unitsLess = less;
  }

  /** `next`: where the next line begins. */
  endLine(next: number): void {
    const { ends } = this;
    const before = this.areColoured.length - 1;
    const ansiBefore = this.endOf(before, 2);
    if (this.isColoured) {
      this.addChange(DEFAULT_STYLE, next - 1);
      this.copySpan();
    } else this.ansiEnd = ansiBefore;
    const { plainEnd, ansiEnd, unitsLess } = this;
    const ansiLess = this.isColoured ? unitsLess : 0;
    ends.push(plainEnd, this.endOf(before, 1) + plainEnd - this.endOf(before, 0) - unitsLess);
    ends.push(ansiEnd, this.endOf(before, 3) + ansiEnd - ansiBefore - ansiLess);
    this.areColoured.push(this.isColoured);
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
    const change = formatSgrChange(this.written, style);
    this.written = style;
    const from = start - change.length;
    if (from === this.spanEnd && startsWith(this.bytes, change, from)) {
      this.spanEnd = start;
      return;
    }
    this.copySpan();
    for (let i = 0; i < change.length; i++) ansiBytes[this.ansiEnd++] = change.charCodeAt(i);
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
    const count = this.areColoured.length;
    const first = Math.max(0, count - WINDOW_ROWS);
    if (first > 0) this.handLines(0, first);
    if (count > 0) this.handLines(first, count);
    this.screen.style = this.endStyle;
  }

  private handLines(first: number, last: number): void {
    const plain = this.decode(plainBytes, first, last, 0);
    const ansi = this.decode(ansiBytes, first, last, 2);
    const plainBase = this.endOf(first - 1, 1);
    const ansiBase = this.endOf(first - 1, 3);
    let plainFrom = 0;
    let ansiFrom = 0;
    for (let i = first; i < last; i++) {
      const plainTo = this.endOf(i, 1) - plainBase;
      const ansiTo = this.endOf(i, 3) - ansiBase;
      const colours = this.areColoured[i] === true ? ansi.slice(ansiFrom, ansiTo) : undefined;
      this.screen.addLine(plain.slice(plainFrom, plainTo), colours);
      plainFrom = plainTo;
      ansiFrom = ansiTo;
    }
  }

  private decode(from: Buffer, first: number, last: number, form: number): string {
    const start = this.endOf(first - 1, form);
    const end = this.endOf(last - 1, form);
    return this.isAscii ? from.toString('latin1', start, end) : decoder.decode(from.subarray(start, end));
  }

  private endOf(line: number, form: number): number {
    return line < 0 ? 0 : (this.ends[4 * line + form] ?? 0);
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

function startsWith(bytes: Buffer, text: string, at: number): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
