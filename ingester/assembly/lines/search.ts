import {
  SEARCH_AT,
  SEARCH_HASH_BITS,
  SEARCH_HASH_FACTOR,
  SEARCH_LIST_END,
  SEARCH_SLOTS_AT,
  SEARCH_SLOT_BYTES,
} from './search-layout';

const STEP: usize = 32;
/** Masks the three bytes of a window. */
const KEY: u32 = 0xffffff;

/**
 * The first text in bytes `start` to `end` of what is at `base`: the input, or SEARCH_TEXT_AT. -1 for none.
 *
 * Looks up both halves of 16 bytes at once, as Hyperscan's Teddy does: a bucket is left where each of four bytes in a
 * row has halves that one of its windows has at this place. Only there are the texts compared. Windows are looked for at
 * every second place alone, which takes little more than half of the time: each text has a window at an even place in it
 * and one at an odd place, and is there in either case.
 */
export function search(base: usize, start: i32, end: i32): i32 {
  const lower0 = v128.load(SEARCH_AT, 0);
  const lower1 = v128.load(SEARCH_AT, 16);
  const lower2 = v128.load(SEARCH_AT, 32);
  const lower3 = v128.load(SEARCH_AT, 48);
  const upper0 = v128.load(SEARCH_AT, 64);
  const upper1 = v128.load(SEARCH_AT, 80);
  const upper2 = v128.load(SEARCH_AT, 96);
  const upper3 = v128.load(SEARCH_AT, 112);
  const half = i8x16.splat(0x0f);
  const byte = i16x8.splat(0xff);
  const from = base + start;
  const limit = base + end;
  let before = i8x16.splat(0);
  for (let at = from; at < limit; at += STEP) {
    const bytes = v128.load(at);
    const next = v128.load(at, 16);
    const even = i8x16.narrow_i16x8_u(v128.and(bytes, byte), v128.and(next, byte));
    const odd = i8x16.narrow_i16x8_u(i16x8.shr_u(bytes, 8), i16x8.shr_u(next, 8));
    const evenLower = v128.and(even, half);
    const evenUpper = v128.and(i16x8.shr_u(even, 4), half);
    const oddLower = v128.and(odd, half);
    const oddUpper = v128.and(i16x8.shr_u(odd, 4), half);
    const at01 = v128.and(
      v128.and(i8x16.swizzle(lower0, evenLower), i8x16.swizzle(upper0, evenUpper)),
      v128.and(i8x16.swizzle(lower1, oddLower), i8x16.swizzle(upper1, oddUpper))
    );
    const at23 = v128.and(
      v128.and(i8x16.swizzle(lower2, evenLower), i8x16.swizzle(upper2, evenUpper)),
      v128.and(i8x16.swizzle(lower3, oddLower), i8x16.swizzle(upper3, oddUpper))
    );
    // Each lane tells of the window whose last two bytes are there.
    const found = v128.and(
      i8x16.shuffle(before, at01, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30),
      at23
    );
    before = at01;
    if (!v128.any_true(found)) continue;
    const places = ~i8x16.bitmask(i8x16.eq(found, i8x16.splat(0))) & 0xffff;
    const place = findText(at - 2, places, from, limit);
    if (place != 0) return <i32>(place - base);
  }
  return -1;
}

/** The start of the first text, from `from` to `limit`, with a window at a place: one bit each, two bytes apart. */
function findText(at: usize, places: i32, from: usize, limit: usize): usize {
  while (places != 0) {
    const text = findTextOf(at + (ctz(places) << 1), from, limit);
    if (text != 0) return text;
    places &= places - 1;
  }
  return 0;
}

/** The start of a text whose window is there; 0 if there is none. */
function findTextOf(window: usize, from: usize, limit: usize): usize {
  const bytes = load<u32>(window) & KEY;
  let slot =
    SEARCH_SLOTS_AT + <usize>(((bytes * <u32>SEARCH_HASH_FACTOR) >> (32 - SEARCH_HASH_BITS)) * SEARCH_SLOT_BYTES);
  while (load<u32>(slot) != bytes) {
    if (load<u32>(slot) == 0) return 0;
    slot += SEARCH_SLOT_BYTES;
  }
  if (bytes == 0) return 0;
  let text: usize = load<u32>(slot, 4);
  while (load<u8>(text) != SEARCH_LIST_END) {
    const start = window - load<u8>(text);
    const length = <usize>load<u8>(text, 1);
    if (start >= from && start + length <= limit && isSame(text + 2, start, length)) return start;
    text += length + 2;
  }
  return 0;
}

function isSame(text: usize, start: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i += 1) {
    if (load<u8>(text + i) != load<u8>(start + i)) return false;
  }
  return true;
}
