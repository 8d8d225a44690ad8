import { INPUT_AT, OUTPUT_AT, OUTPUT_BYTES } from './layout';

const BLOCK: usize = 16;
const TAB: u8 = 0x09;
const LF: u8 = 0x0a;
const CR: u8 = 0x0d;
const DEL: u8 = 0x7f;
const TAB_COLUMNS: usize = 8;
const SPACES: u64 = 0x2020202020202020;

/** After a call: the end of the lines that were taken, and their number of bytes without CR and tabs. */
export let inputEnd: i32 = 0;
export let outputEnd: i32 = 0;

/**
 * Copies whole lines from the start of the input, which has `bytes` bytes, as a console shows them: CR before LF does
 * nothing, and a tab becomes spaces up to the next multiple of 8 columns. Returns how many lines. Stops when the output
 * is full, at a line with any other control character, and at a tab behind characters whose columns are not known here.
 */
export function flattenLines(bytes: i32): i32 {
  const outputLimit = OUTPUT_AT + OUTPUT_BYTES;
  let at = INPUT_AT;
  let to = OUTPUT_AT;
  let line = to;
  let lines = 0;
  let isAscii = true;
  inputEnd = 0;
  outputEnd = 0;
  // A control character that no line may have ends the input.
  store<u8>(INPUT_AT + bytes, 0);
  while (to < outputLimit) {
    const text = v128.load(at);
    v128.store(to, text);
    const controls = i8x16.bitmask(v128.or(i8x16.lt_u(text, i8x16.splat(0x20)), i8x16.eq(text, i8x16.splat(DEL))));
    const high = i8x16.bitmask(text);
    if (controls == 0) {
      if (high != 0) isAscii = false;
      at += BLOCK;
      to += BLOCK;
      continue;
    }
    const before = ctz(controls);
    if ((high & ((1 << before) - 1)) != 0) isAscii = false;
    at += before;
    to += before;
    const control = load<u8>(at);
    if (control == CR) {
      at = passReturns(at);
      if (load<u8>(at) != LF) break;
    } else if (control == TAB && isAscii) {
      store<u64>(to, SPACES);
      to += TAB_COLUMNS - ((to - line) & (TAB_COLUMNS - 1));
      at += 1;
    } else if (control == LF) {
      store<u8>(to, LF);
      at += 1;
      to += 1;
      lines += 1;
      line = to;
      isAscii = true;
      inputEnd = <i32>(at - INPUT_AT);
      outputEnd = <i32>(to - OUTPUT_AT);
    } else break;
  }
  return lines;
}

function passReturns(at: usize): usize {
  while (load<u8>(at) == CR) at += 1;
  return at;
}
