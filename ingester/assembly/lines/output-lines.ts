import { COLOURED_AT, HEAD_AT, INPUT_AT, MAX_LINE_BYTES, OUTPUT_AT, OUTPUT_BYTES } from './layout';
import { endLogPoint, putAnsiKey } from './log-point';
import { setConsumed } from './consumed';
import { advanceTime } from './time';

const BLOCK: usize = 16;
const LF: u8 = 0x0a;
const SPACE: u8 = 0x20;
const QUOTE: u8 = 0x22;
const SLASH: u8 = 0x2f;
const BACKSLASH: u8 = 0x5c;
const BRACE: u8 = 0x7b;
const CLOSING_BRACE: u8 = 0x7d;

/** The beginning of a command, as much as fits: /LOGCOMM. */
const COMMAND: u64 = 0x4d4d4f43474f4c2f;

/** The number of points that `writeOutput` wrote: fewer than lines when it dropped further empty lines. */
export let outputPoints: i32 = 0;

/**
 * Takes the lines of the input from `start` up to `end` as output, 1 µs apart, and returns how many. Writes them as log
 * points without trailing spaces. Among consecutive empty lines that end before `finalEnd`, only the first is written.
 * Stops when the output is full, and at a line that the rules must judge: one that is longer than 16 KiB, begins like a
 * command or metadata, equals the one before, or is a further empty one.
 */
export function writeOutput(start: i32, end: i32, finalEnd: i32, headBytes: i32): i32 {
  return writeLines(start, end, finalEnd, headBytes, 0);
}

/**
 * Does the same with lines of which some have colours. Their coloured forms, or else their texts, begin at
 * `colouredStart` of what is loaded at COLOURED_AT. Stops also at a line with colours and trailing spaces.
 */
export function writeColoured(start: i32, end: i32, finalEnd: i32, headBytes: i32, colouredStart: i32): i32 {
  return writeLines(start, end, finalEnd, headBytes, COLOURED_AT + colouredStart);
}

/** `coloured`: where the coloured form of the first line begins; 0 if no line has colours. */
function writeLines(start: i32, end: i32, finalEnd: i32, headBytes: i32, coloured: usize): i32 {
  const inputLimit = INPUT_AT + end;
  const finalLimit = INPUT_AT + finalEnd;
  // Every byte of a line and of its coloured form may need a backslash.
  const outputLimit = OUTPUT_AT + OUTPUT_BYTES - 4 * MAX_LINE_BYTES - headBytes - 64;
  let lines = 0;
  let line = INPUT_AT + start;
  let before: usize = 0;
  let lengthBefore: usize = 0;
  let to = OUTPUT_AT;
  outputPoints = 0;
  while (line < inputLimit && to < outputLimit && mayBeOutput(line)) {
    memory.copy(to, HEAD_AT, headBytes);
    let textEnd = putText(line, to + headBytes);
    if (textEnd == 0) break;
    const lineEnd = lineFeed;
    const spaces = countSpacesBefore(line, lineEnd);
    const length = lineEnd - line - spaces;
    const isRepeat = before != 0 && length == lengthBefore && isSameText(before, line, line + length);
    if (isRepeat && (length > 0 || lineEnd >= finalLimit)) break;
    if (coloured != 0) {
      const colouredEnd = putText(coloured, putAnsiKey(textEnd));
      if (colouredEnd == 0) break;
      if (lineFeed - coloured != lineEnd - line) {
        if (spaces > 0) break;
        textEnd = colouredEnd;
      }
      coloured = lineFeed + 1;
    }
    if (!isRepeat) {
      to = endLogPoint(textEnd - spaces);
      outputPoints += 1;
    }
    advanceTime();
    before = line;
    lengthBefore = length;
    line = lineEnd + 1;
    lines += 1;
  }
  setConsumed(line, before, to);
  return lines;
}

/** Takes the same lines as `writeOutput`, and also repeats and empty lines, but writes nothing. */
export function skipOutput(start: i32, end: i32): i32 {
  const inputLimit = INPUT_AT + end;
  let lines = 0;
  let line = INPUT_AT + start;
  let before: usize = 0;
  while (line < inputLimit && mayBeOutput(line)) {
    // The text is copied to the place of the next point, where nobody reads it.
    if (putText(line, OUTPUT_AT) == 0) break;
    before = line;
    line = lineFeed + 1;
    lines += 1;
  }
  setConsumed(line, before, OUTPUT_AT);
  return lines;
}

/** Counts the lines from `start` up to `end` that equal the first, which has `bytes` bytes with its LF. */
export function countEqual(start: i32, end: i32, bytes: i32): i32 {
  const limit = INPUT_AT + end;
  let at = INPUT_AT + start + bytes;
  for (; at + BLOCK <= limit; at += BLOCK) {
    const equal = i8x16.bitmask(i8x16.eq(v128.load(at), v128.load(at - bytes)));
    if (equal != 0xffff) {
      at += ctz(~equal);
      return <i32>(at - INPUT_AT - start) / bytes;
    }
  }
  while (at < limit && load<u8>(at) == load<u8>(at - bytes)) at += 1;
  return <i32>(at - INPUT_AT - start) / bytes;
}

/** The end of the line that `putText` read last. */
let lineFeed: usize = 0;

/**
 * Copies a line up to its LF as the text of a quoted field, and returns where that ends; 0 when the line is too long.
 */
function putText(line: usize, output: usize): usize {
  const limit = line + MAX_LINE_BYTES;
  let at = line;
  let to = output;
  while (at <= limit) {
    const bytes = v128.load(at);
    v128.store(to, bytes);
    const special = v128.or(
      i8x16.eq(bytes, i8x16.splat(LF)),
      v128.or(i8x16.eq(bytes, i8x16.splat(QUOTE)), i8x16.eq(bytes, i8x16.splat(BACKSLASH)))
    );
    const mask = i8x16.bitmask(special);
    if (mask == 0) {
      at += BLOCK;
      to += BLOCK;
      continue;
    }
    const before = ctz(mask);
    at += before;
    to += before;
    const byte = load<u8>(at);
    if (byte == LF) {
      lineFeed = at;
      return at <= limit ? to : 0;
    }
    store<u16>(to, ((<u16>byte) << 8) | BACKSLASH);
    at += 1;
    to += 2;
  }
  return 0;
}

/** Whether a line is neither a command nor metadata: see ingester/src/rules/commands/line-rules.ts. */
function mayBeOutput(line: usize): bool {
  const first = load<u8>(line);
  if (first == SLASH) return load<u64>(line) != COMMAND;
  if (first != BRACE) return true;
  const second = load<u8>(line + 1);
  return second != QUOTE && second != SPACE && second != CLOSING_BRACE;
}

function countSpacesBefore(line: usize, end: usize): usize {
  let at = end;
  while (at > line && load<u8>(at - 1) == SPACE) at -= 1;
  return end - at;
}

/** Whether the line up to `end` equals the one from `before` on, which is as long. */
function isSameText(before: usize, line: usize, end: usize): bool {
  const distance = line - before;
  for (; line + BLOCK <= end; line += BLOCK) {
    if (!i8x16.all_true(i8x16.eq(v128.load(line), v128.load(line - distance)))) return false;
  }
  for (; line < end; line += 1) {
    if (load<u8>(line) != load<u8>(line - distance)) return false;
  }
  return true;
}
