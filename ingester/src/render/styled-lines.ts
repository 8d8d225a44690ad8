import { isAscii, isUtf8 } from 'node:buffer';
import { findLastLines } from './boundaries.js';
import type { ControlIndex } from '../kernels/control-index.js';
import { INDEX_BYTES } from '../kernels/control-index.js';
import { applySgr, DEFAULT_STYLE, formatSgrChange } from './sgr.js';
import type { Style } from './sgr.js';
import type { TextScreen } from './text-screen.js';
import { WINDOW_ROWS } from './row-window.js';

const LF = 0x0a;
const ESC = 0x1b;
const BRACKET = 0x5b;
const SMALL_M = 0x6d;
const ZERO = 0x30;

/** Longer parameters do not fit into a key of 28 bits. */
const MAX_PARAMETERS = 7;
const MAX_KNOWN_CHANGES = 4096;

/** The text of a slice without its sequences. Copies of four bytes may pass its end. */
const plainBytes = Buffer.alloc(INDEX_BYTES + 4);
const plainView = new DataView(plainBytes.buffer, plainBytes.byteOffset, plainBytes.length);
/** For each line, 1 if it has styles. */
const styledFlags = new Uint8Array(INDEX_BYTES);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** For each style and key of parameters, the next style; null where the sequence is not the shortest one to it. */
const knownChanges = new Map<Style, Map<number, Style | null>>();
let knownChangeCount = 0;

type HandLine = (text: string, ansi: string | undefined) => void;

/**
 * Takes whole lines from `start` on whose bytes are already their shortest coloured form, as most programs print it.
 * There is text between any two changes of style, and no style is on at the end of a line. Returns where it stopped, at
 * the start of a line. Needs `isOnNewRow`, and `bytes` as indexed last.
 */
export function addStyledLines(bytes: Buffer, index: ControlIndex, start: number, screen: TextScreen): number {
  if (screen.style !== DEFAULT_STYLE || !isUtf8(bytes)) return start;
  const { records, count } = index;
  const source = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let style = DEFAULT_STYLE;
  let isStyled = false;
  let mayChange = true;
  let from = start;
  let plain = 0;
  let lines = 0;
  let end = start;
  let plainEnd = 0;
  for (let k = findRecord(index, start); k < count; k++) {
    const at = records[2 * k] ?? 0;
    if (at > from) {
      copyText(source, from, at, plain);
      plain += at - from;
      mayChange = true;
    }
    if (bytes[at] === LF) {
      if (style !== DEFAULT_STYLE) break;
      plainBytes[plain++] = LF;
      styledFlags[lines++] = isStyled ? 1 : 0;
      isStyled = false;
      mayChange = true;
      from = end = at + 1;
      plainEnd = plain;
      continue;
    }
    from = mayChange ? findSequenceEnd(bytes, at) : 0;
    const next = from === 0 ? null : findNextStyle(style, bytes, at + 2, from - 1);
    if (next === null) break;
    style = next;
    isStyled = true;
    mayChange = false;
  }
  handLines(bytes.subarray(start, end), plainBytes.subarray(0, plainEnd), lines, screen);
  return end;
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

/** Copies four bytes at a time. The next copy overwrites the excess. */
function copyText(source: DataView, start: number, end: number, target: number): void {
  const whole = Math.min(end, source.byteLength - 3);
  let to = target;
  let i = start;
  for (; i < whole; i += 4, to += 4) plainView.setInt32(to, source.getInt32(i));
  for (; i < end; i++) plainView.setInt8(to++, source.getInt8(i));
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

/**
 * Gives the lines to the screen. Lines that stay on it share no string with the others, which would keep it in memory.
 */
function handLines(raw: Buffer, plain: Buffer, count: number, screen: TextScreen): void {
  const first = Math.max(0, count - WINDOW_ROWS);
  const rawStay = first === 0 ? 0 : findLastLines(raw, WINDOW_ROWS);
  const plainStay = first === 0 ? 0 : findLastLines(plain, WINDOW_ROWS);
  if (first > 0) {
    screen.leaveRows();
    splitLines(raw.subarray(0, rawStay), plain.subarray(0, plainStay), 0, (text, ansi) =>
      screen.window.passLine(text, ansi)
    );
  }
  splitLines(raw.subarray(rawStay), plain.subarray(plainStay), first, (text, ansi) => screen.addLine(text, ansi));
}

/** `first`: the number of the first line in `styledFlags`. */
function splitLines(rawBytes: Buffer, textBytes: Buffer, first: number, hand: HandLine): void {
  const raw = decode(rawBytes);
  const text = decode(textBytes);
  let rawFrom = 0;
  let from = 0;
  for (let line = first; from < text.length; line++) {
    const rawTo = raw.indexOf('\n', rawFrom);
    const to = text.indexOf('\n', from);
    hand(text.slice(from, to), styledFlags[line] === 1 ? raw.slice(rawFrom, rawTo) : undefined);
    rawFrom = rawTo + 1;
    from = to + 1;
  }
}

function decode(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : decoder.decode(bytes);
}
