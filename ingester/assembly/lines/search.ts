import { INPUT_AT } from './layout';
import { SEARCH_AT, SEARCH_HASH_BITS, SEARCH_HASH_FACTOR, SEARCH_TEXT_AT, SEARCH_WINDOWS_AT } from './search-layout';

const BLOCK: usize = 16;
/** The bytes of a window before its last one. */
const LEAD: usize = 3;

/** The first window in bytes `start` to `end` of the input, or -1. */
export function searchInput(start: i32, end: i32): i32 {
  return search(INPUT_AT, start, end);
}

/** The same in the text at SEARCH_TEXT_AT. */
export function searchText(start: i32, end: i32): i32 {
  return search(SEARCH_TEXT_AT, start, end);
}

/**
 * Looks up both halves of 16 bytes at once, as Hyperscan's Teddy does: a bucket is left where each of four bytes in a
 * row has halves that one of its windows has at this place. Only there are the windows compared.
 */
function search(base: usize, start: i32, end: i32): i32 {
  const lower0 = v128.load(SEARCH_AT, 0);
  const lower1 = v128.load(SEARCH_AT, 16);
  const lower2 = v128.load(SEARCH_AT, 32);
  const lower3 = v128.load(SEARCH_AT, 48);
  const upper0 = v128.load(SEARCH_AT, 64);
  const upper1 = v128.load(SEARCH_AT, 80);
  const upper2 = v128.load(SEARCH_AT, 96);
  const upper3 = v128.load(SEARCH_AT, 112);
  const half = i8x16.splat(0x0f);
  const limit = base + end;
  let before0 = i8x16.splat(0);
  let before1 = before0;
  let before2 = before0;
  for (let at = base + start; at < limit; at += BLOCK) {
    const bytes = v128.load(at);
    const lower = v128.and(bytes, half);
    const upper = v128.and(i16x8.shr_u(bytes, 4), half);
    const at0 = v128.and(i8x16.swizzle(lower0, lower), i8x16.swizzle(upper0, upper));
    const at1 = v128.and(i8x16.swizzle(lower1, lower), i8x16.swizzle(upper1, upper));
    const at2 = v128.and(i8x16.swizzle(lower2, lower), i8x16.swizzle(upper2, upper));
    const at3 = v128.and(i8x16.swizzle(lower3, lower), i8x16.swizzle(upper3, upper));
    // Each lane tells of the window that ends there.
    const found = v128.and(
      v128.and(
        i8x16.shuffle(before0, at0, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28),
        i8x16.shuffle(before1, at1, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29)
      ),
      v128.and(i8x16.shuffle(before2, at2, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30), at3)
    );
    before0 = at0;
    before1 = at1;
    before2 = at2;
    if (!v128.any_true(found)) continue;
    let places = ~i8x16.bitmask(i8x16.eq(found, i8x16.splat(0))) & 0xffff;
    while (places != 0) {
      const window = at + ctz(places) - LEAD;
      if (window + LEAD >= limit) return -1;
      if (isWindow(load<u32>(window))) return <i32>(window - base);
      places &= places - 1;
    }
  }
  return -1;
}

function isWindow(bytes: u32): bool {
  let at = SEARCH_WINDOWS_AT + ((<usize>((bytes * <u32>SEARCH_HASH_FACTOR) >> (32 - SEARCH_HASH_BITS))) << 2);
  let window = load<u32>(at);
  while (window != 0 && window != bytes) {
    at += 4;
    window = load<u32>(at);
  }
  return window != 0;
}
