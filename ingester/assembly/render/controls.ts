import { BYTES_AT, RECORDS_AT } from './slice-layout';

/** One bit for each kind of control character that occurs (its code modulo 32). */
export let kinds: i32 = 0;

const PAIR: usize = 8;

/**
 * Finds the control characters in bytes 0 to `length`, and the most columns that the text before each can take. Returns
 * their number. Does the same as indexPlainly in control-index.ts, 16 bytes at once.
 */
export function indexControls(length: i32): i32 {
  const end = BYTES_AT + length;
  v128.store(end, i8x16.splat(0x20));
  v128.store(end, i8x16.splat(0x20), 16);
  let record = RECORDS_AT;
  /** The number of columns less than bytes. */
  let spare: i32 = 0;
  let bits: i32 = 0;
  for (let at = BYTES_AT; at < end; at += 16) {
    const bytes = v128.load(at);
    const high = i8x16.bitmask(bytes);
    let controls =
      i8x16.bitmask(v128.or(i8x16.lt_s(bytes, i8x16.splat(0x20)), i8x16.eq(bytes, i8x16.splat(0x7f)))) & ~high;
    const narrow = high != 0 ? narrowOf(bytes, at) : 0;
    while (controls != 0) {
      const control = at + ctz(controls);
      bits |= 1 << load<u8>(control);
      store<i32>(record, <i32>(control - BYTES_AT));
      store<i32>(record, <i32>(control - BYTES_AT) - spare - (popcnt(narrow & (controls - 1) & ~controls) << 1), 4);
      record += PAIR;
      controls &= controls - 1;
    }
    spare += popcnt(narrow) << 1;
  }
  store<i32>(record, length);
  store<i32>(record, length - spare, 4);
  kinds = bits;
  return <i32>((record - RECORDS_AT) / PAIR);
}

/**
 * One bit for each first byte of a character of three bytes and one column: U+2500 to U+25BF and U+2800 to U+28FF,
 * which are E2, 94 to 96 or A0 to A3, and any third byte.
 */
function narrowOf(bytes: v128, at: usize): i32 {
  const second = i8x16.sub(v128.load(at, 1), i8x16.splat(<i8>0x94));
  // prettier-ignore
  const isNarrow = i8x16.swizzle(i8x16(-1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1), second);
  const isContinued = i8x16.lt_s(v128.load(at, 2), i8x16.splat(<i8>0xc0));
  return i8x16.bitmask(v128.and(v128.and(i8x16.eq(bytes, i8x16.splat(<i8>0xe2)), isNarrow), isContinued));
}
