import { isAscii, isUtf8 } from 'node:buffer';
import { isColoured, type LineEnds, startOf } from '../kernels/coloured-lines.js';
import { type ControlIndex, INDEX_BYTES } from '../kernels/control-index.js';
import type { ScreenLine } from './row-window.js';
import { applySgr, DEFAULT_STYLE, formatSgrChange, type Style } from './sgr.js';

const LF = 0x0a;
const ESC = 0x1b;
const BRACKET = 0x5b;
const SMALL_M = 0x6d;
const ZERO = 0x30;

/** Longer parameters do not fit into a key of 28 bits. */
const MAX_PARAMETERS = 7;
const MAX_KNOWN_CHANGES = 4096;

/** The size of a buffer for several slices; what is taken at once fits. */
const MAX_BYTES = 512 * 1024;
const MAX_LINES = 32 * 1024;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** For each style and key of parameters, the next style; null where the sequence is not the shortest one to it. */
const knownChanges = new Map<Style, Map<number, Style | null>>();
let knownChangeCount = 0;

let shared: StyledLines | undefined;

/** Takes lines from `start` on, as `StyledLines.take` does. They are valid until the next call, whoever calls. */
export function takeStyledLines(bytes: Buffer, index: ControlIndex, start: number): StyledLines {
  shared ??= new StyledLines();
  shared.clear();
  shared.take(bytes, index, start);
  return shared;
}

/**
 * Collects whole lines whose bytes are already their shortest coloured form, as most programs print it: there is text
 * between any two changes of style, and no style is on at the end of a line.
 */
export class StyledLines implements LineEnds {
  readonly ends = new Uint32Array(MAX_LINES);
  readonly textEnds = new Uint32Array(MAX_LINES);
  count = 0;
  /** Copies of four bytes may pass the end of a text. */
  readonly #texts = Buffer.alloc(MAX_BYTES + 4);
  readonly #view = new DataView(this.#texts.buffer, this.#texts.byteOffset, this.#texts.length);
  #textBytes = 0;

  /** The bytes of all lines, with their sequences. */
  get bytes(): number {
    return startOf(this.ends, this.count);
  }

  /** Whether the lines of another slice fit. */
  get hasRoom(): boolean {
    return this.bytes + INDEX_BYTES <= MAX_BYTES && this.count < MAX_LINES;
  }

  /** The texts of all lines, each ended by LF. Valid until `clear`. */
  get texts(): Buffer {
    return this.#texts.subarray(0, this.#textBytes);
  }

  /** Forgets all lines. */
  clear(): void {
    this.count = 0;
    this.#textBytes = 0;
  }

  /**
   * Takes such lines from `start` on, and returns where it stopped, at the start of a line. They must go on where the
   * lines before end. Needs `bytes` as indexed last, and no style that is on.
   */
  take(bytes: Buffer, index: ControlIndex, start: number): number {
    if (!isUtf8(bytes)) return start;
    const { records, count } = index;
    const source = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const offset = this.bytes - start;
    let style = DEFAULT_STYLE;
    let mayChange = true;
    let from = start;
    let to = this.#textBytes;
    let end = start;
    for (let k = findRecord(index, start); k < count; k++) {
      const at = records[2 * k] ?? 0;
      if (at > from) {
        this.#copyText(source, from, at, to);
        to += at - from;
        mayChange = true;
      }
      if (bytes[at] === LF) {
        if (style !== DEFAULT_STYLE || this.count === MAX_LINES) break;
        this.#texts[to++] = LF;
        mayChange = true;
        from = end = at + 1;
        this.ends[this.count] = end + offset;
        this.textEnds[this.count++] = this.#textBytes = to;
        continue;
      }
      from = mayChange ? findSequenceEnd(bytes, at) : 0;
      const next = from === 0 ? null : findNextStyle(style, bytes, at + 2, from - 1);
      if (next === null) break;
      style = next;
      mayChange = false;
    }
    return end;
  }

  /** The lines from the number `first` on as strings. `bytes`: what was taken. */
  readLines(bytes: Buffer, first: number): ScreenLine[] {
    const texts = split(this.texts.subarray(startOf(this.textEnds, first)));
    const coloured = split(bytes.subarray(startOf(this.ends, first), this.bytes));
    return texts.map((text, i) => ({ text, ansi: isColoured(this, first + i) ? coloured[i] : undefined }));
  }

  /** Copies four bytes at a time. The next copy overwrites the excess. */
  #copyText(source: DataView, start: number, end: number, target: number): void {
    const whole = Math.min(end, source.byteLength - 3);
    const view = this.#view;
    let to = target;
    let i = start;
    for (; i < whole; i += 4, to += 4) view.setInt32(to, source.getInt32(i));
    for (; i < end; i++) view.setInt8(to++, source.getInt8(i));
  }
}

/** The first control at or behind a byte. */
function findRecord({ records, count }: ControlIndex, byte: number): number {
  let low = 0;
  for (let high = count; low < high;) {
    const middle = (low + high) >> 1;
    if ((records[2 * middle] ?? 0) < byte) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The end of a complete `ESC [ parameters m` at `at`; 0 for another sequence or longer parameters. */
function findSequenceEnd(bytes: Buffer, at: number): number {
  if (bytes[at] !== ESC || bytes[at + 1] !== BRACKET) return 0;
  let end = at + 2;
  for (let code = bytes[end] ?? 0; code >= 0x30 && code <= 0x3b; code = bytes[++end] ?? 0);
  return bytes[end] === SMALL_M && end - at - 2 <= MAX_PARAMETERS ? end + 1 : 0;
}

/** The style after the parameters; null where another sequence would be shorter. */
function findNextStyle(style: Style, bytes: Buffer, start: number, end: number): Style | null {
  if (end - start === 1 && bytes[start] === ZERO) return style === DEFAULT_STYLE ? null : DEFAULT_STYLE;
  let key = 0;
  for (let i = start; i < end; i++) key = key * 16 + (bytes[i] ?? 0) - 0x2f;
  let changes = knownChanges.get(style);
  const known = changes?.get(key);
  if (known !== undefined) return known;
  const parameters = bytes.toString('latin1', start, end);
  const next = applySgr(style, parameters);
  const result = formatSgrChange(style, next) === `\x1b[${parameters}m` ? next : null;
  if (++knownChangeCount > MAX_KNOWN_CHANGES) {
    knownChanges.clear();
    knownChangeCount = 0;
    changes = undefined;
  }
  if (changes === undefined) knownChanges.set(style, (changes = new Map<number, Style | null>()));
  changes.set(key, result);
  return result;
}

/** The lines of a text, each ended by LF. */
function split(bytes: Buffer): string[] {
  const text = isAscii(bytes) ? bytes.toString('latin1') : decoder.decode(bytes);
  const lines = text.split('\n');
  lines.pop();
  return lines;
}
