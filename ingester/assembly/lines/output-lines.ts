import { HEAD_AT, INPUT_AT, OUTPUT_AT, OUTPUT_BYTES } from './layout';
import { setTaken } from './taken';
import { advanceTime, putTime } from './time';

/** A longer line may take several points. */
const MAX_LINE_BYTES: i32 = 16384;
const BLOCK: usize = 16;
const LF: u8 = 0x0a;
const SPACE: u8 = 0x20;
const QUOTE: u8 = 0x22;
const SLASH: u8 = 0x2f;
const BACKSLASH: u8 = 0x5c;
const BRACE: u8 = 0x7b;

/** What stands behind the text of a line of output, `",kind="output" `, in two parts. */
const TAIL_1: u64 = 0x3d646e696b2c22; // ",kind=
const TAIL_2: u64 = 0x2274757074756f22; // "output"

/**
 * Writes the lines of the input from `start` up to `end` as log points, 1 µs apart, and returns how many. Stops at a line that the rules
 * must look at: one that is empty, longer than 16 KiB, ends in a space, begins like a command or metadata, or equals the one before; and
 * when the output is full.
 */
export function writeOutput(start: i32, end: i32, headBytes: i32): i32 {
  const inputLimit = INPUT_AT + end;
  // Every byte of a line may need a backslash.
  const outputLimit = OUTPUT_AT + OUTPUT_BYTES - 2 * MAX_LINE_BYTES - headBytes - 64;
  let lines = 0;
  let line = INPUT_AT + start;
  let before: usize = 0;
  let to = OUTPUT_AT;
  while (line < inputLimit && to < outputLimit && mayBeOutput(line)) {
    memory.copy(to, HEAD_AT, headBytes);
    const textEnd = putText(line, to + headBytes);
    if (textEnd == 0 || load<u8>(lineFeed - 1) == SPACE) break;
    if (before != 0 && lineFeed - line == line - before - 1 && isSameText(before, line, lineFeed)) break;
    store<u64>(textEnd, TAIL_1);
    store<u64>(textEnd + 7, TAIL_2);
    store<u8>(textEnd + 15, SPACE);
    to = putTime(textEnd + 16);
    store<u8>(to, LF);
    to += 1;
    advanceTime();
    before = line;
    line = lineFeed + 1;
    lines += 1;
  }
  setTaken(line, before, to);
  return lines;
}

/** Takes lines as `writeOutput` does, and writes nothing. Lines that equal each other are taken, too. */
export function skipOutput(start: i32, end: i32): i32 {
  const inputLimit = INPUT_AT + end;
  let lines = 0;
  let line = INPUT_AT + start;
  let before: usize = 0;
  while (line < inputLimit && mayBeOutput(line)) {
    // What is written in the place of the next point is of no use.
    if (putText(line, OUTPUT_AT) == 0 || load<u8>(lineFeed - 1) == SPACE) break;
    before = line;
    line = lineFeed + 1;
    lines += 1;
  }
  setTaken(line, before, OUTPUT_AT);
  return lines;
}

/** How many lines end in the input. */
export function countLines(end: i32): i32 {
  const limit = INPUT_AT + end;
  // What was there before the present input does not count.
  memory.fill(limit, 0, BLOCK);
  let lines = 0;
  for (let at = INPUT_AT; at < limit; at += BLOCK) {
    lines += popcnt(i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(LF))));
  }
  return lines;
}

/** Where the line that `putText` read last ends. */
let lineFeed: usize = 0;

/** Copies a line up to its LF as the text of a quoted field, and returns where that ends; 0 when the line is too long. */
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

function mayBeOutput(line: usize): bool {
  const first = load<u8>(line);
  return first != LF && first != SLASH && first != BRACE;
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
