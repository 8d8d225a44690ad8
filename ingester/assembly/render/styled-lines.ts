import { BYTES_AT, KNOWN_AT, LF, LINES_AT, PLAIN_AT, RECORDS_AT } from './slice-layout';

/** Where the last splitStyles stopped: the start of a line. */
export let splitEnd: i32 = 0;

/** `ESC [` and `ESC [ 0 m` as numbers. */
const OPENING: u32 = 0x5b1b;
const RESET: u32 = 0x6d305b1b;
const SMALL_M: u32 = 0x6d;

/** A line: the end of its plain text, its own end in the bytes, and 1 if it has styles. */
@unmanaged
class Line {
  plainEnd: i32;
  end: i32;
  isStyled: i32;
}

/**
 * Takes whole lines of ASCII from byte `from` and control `record` on, as long as each change of style is said in the shortest way:
 * `ESC [ parameters m` to a known style, text, `ESC [ 0 m`, text, and so on. Returns the number of lines.
 */
export function splitStyles(record: i32, count: i32, start: i32): i32 {
  const last = RECORDS_AT + ((<usize>count) << 3);
  let from = BYTES_AT + start;
  let plain = PLAIN_AT;
  let line = LINES_AT;
  let isOn = false;
  let isStyled = false;
  /** A style may follow text, or the start of a line, but no other change: that is not the shortest way. */
  let mayOpen = true;
  splitEnd = start;
  for (let next = RECORDS_AT + ((<usize>record) << 3); next < last; next += 8) {
    const at = BYTES_AT + load<i32>(next);
    if (at > from) {
      copyBlocks(plain, from, at);
      plain += at - from;
      mayOpen = true;
    } else if (isOn) break;
    if (load<u8>(at) == LF) {
      if (isOn) break;
      from = at + 1;
      splitEnd = <i32>(from - BYTES_AT);
      writeLine(changetype<Line>(line), <i32>(plain - PLAIN_AT), isStyled);
      line += offsetof<Line>();
      isStyled = false;
      mayOpen = true;
    } else if (isOn) {
      if (load<u32>(at) != RESET) break;
      isOn = mayOpen = false;
      from = at + 4;
    } else {
      if (!mayOpen || load<u16>(at) != OPENING) break;
      from = findEndOfKnown(at + 2);
      if (from == 0) break;
      isOn = isStyled = true;
    }
  }
  return <i32>((line - LINES_AT) / offsetof<Line>());
}

function writeLine(line: Line, plainEnd: i32, isStyled: bool): void {
  line.plainEnd = plainEnd;
  line.end = splitEnd;
  line.isStyled = isStyled;
}

/** By sixteen bytes: what is copied too much is overwritten by what comes next. */
function copyBlocks(to: usize, from: usize, end: usize): void {
  for (; from < end; from += 16, to += 16) v128.store(to, v128.load(from));
}

/** Behind the `m` of known parameters, 0 for others. */
function findEndOfKnown(at: usize): usize {
  let parameters = load<u64>(at);
  let bits: u64 = 0;
  let byte: u32 = 0;
  do {
    byte = (<u32>(parameters >> bits)) & 0xff;
    bits += 8;
  } while (byte != SMALL_M && bits < 64);
  if (byte != SMALL_M) return 0;
  parameters &= (<u64>-1) >> (64 - bits);
  for (let known = KNOWN_AT; load<u64>(known) != 0; known += 8) {
    if (load<u64>(known) == parameters) return at + <usize>(bits >> 3);
  }
  return 0;
}
