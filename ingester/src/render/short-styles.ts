import type { ControlIndex, SplitLines } from './control-index.js';
import { learnStyle, splitStyles } from './control-index.js';
import { applySgr, DEFAULT_STYLE } from './sgr.js';
import type { TextScreen } from './text-screen.js';
import { WINDOW_ROWS } from './window.js';

const LF = 0x0a;
/** Behind `ESC [`: parameters of up to seven characters. */
const SHORT_STYLE = /^([0-9;]{1,7})m/;
/** Output with ever new styles is left to the way that knows them all. */
const MOST_LESSONS = 4;

/**
 * Takes whole lines of ASCII from `start` on whose bytes are their coloured form, as programs mostly print it: each style is
 * switched on where none is and off again by `ESC [ 0 m`. Returns where it stopped: at the start of a line. Needs `isOnNewRow`,
 * no style, and that the slice was indexed last.
 */
export function addShortStyledLines(bytes: Buffer, index: ControlIndex, start: number, screen: TextScreen): number {
  let from = start;
  for (let lesson = 0; lesson < MOST_LESSONS && from < bytes.length; lesson++) {
    const split = splitStyles(index, findRecord(index, from), from);
    if (split === undefined) return from;
    // Lines that stay on the screen share no string with the others, which would keep it in memory.
    const first = Math.max(0, split.count - WINDOW_ROWS);
    if (first > 0) {
      screen.leaveRows();
      handLines(bytes, split, from, 0, first, (text, ansi) => screen.window.passLine(text, ansi));
    }
    handLines(bytes, split, from, first, split.count, (text, ansi) => screen.addLine(text, ansi));
    from = split.end;
    if (!learnStyles(bytes, from)) return from;
  }
  return from;
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

function handLines(
  bytes: Buffer,
  { plain, lines }: SplitLines,
  start: number,
  first: number,
  last: number,
  hand: (text: string, ansi: string | undefined) => void
): void {
  if (first === last) return;
  const plainStart = first === 0 ? 0 : (lines[3 * first - 3] ?? 0);
  const rawStart = first === 0 ? start : (lines[3 * first - 2] ?? 0);
  const plainEnd = lines[3 * last - 3] ?? 0;
  const text = plain.toString('latin1', plainStart, plainEnd);
  const raw = bytes.toString('latin1', rawStart, lines[3 * last - 2]);
  let from = 0;
  let rawFrom = 0;
  for (let i = first; i < last; i++) {
    const to = (lines[3 * i] ?? 0) - plainStart;
    const rawTo = (lines[3 * i + 1] ?? 0) - rawStart;
    const ansi = lines[3 * i + 2] === 1 ? raw.slice(rawFrom, rawTo - 1) : undefined;
    hand(text.slice(from, to), ansi);
    from = to;
    rawFrom = rawTo;
  }
}

/** Makes the styles of the line at `start` known. False: nothing of it is new. */
function learnStyles(bytes: Buffer, start: number): boolean {
  const end = bytes.indexOf(LF, start);
  if (end < 0) return false;
  let isNew = false;
  for (const part of bytes.toString('latin1', start, end).split('\x1b[')) {
    const parameters = SHORT_STYLE.exec(part)?.[1];
    if (parameters === undefined || applySgr(DEFAULT_STYLE, parameters).codes !== parameters) continue;
    if (learnStyle(parameters)) isNew = true;
  }
  return isNew;
}
