/**
 * The windows to search for, four bytes each, in eight buckets, as the caller writes them: tables of 16 bytes. For each
 * of the four places, the buckets (one bit each) that have a window with this lower half of a byte there; then, for each
 * place, those with this upper half.
 */
export const SEARCH_AT: usize = 0x300000;
export const SEARCH_WINDOW_BYTES: i32 = 4;
export const SEARCH_BUCKETS: i32 = 8;
export const SEARCH_HALVES: i32 = 16;
/**
 * Then all windows once more, by a hash: its place is the upper bits of the window times the factor. If that is taken,
 * the next free one. 0 is free. The table is never full, and some free places follow it.
 */
export const SEARCH_WINDOWS_AT: usize = 0x300080;
export const SEARCH_HASH_FACTOR: i32 = 0x2c1b3c6d;
export const SEARCH_HASH_BITS: i32 = 12;
export const SEARCH_END: usize = 0x308080;
/** A text to search that is not in the input. Reads may pass its end by 64 bytes. */
export const SEARCH_TEXT_AT: usize = 0x310000;
export const SEARCH_TEXT_BYTES: i32 = 0x40000;
