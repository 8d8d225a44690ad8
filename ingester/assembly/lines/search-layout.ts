/**
 * The windows to search for, four bytes of each text, in eight buckets, as the caller writes them: tables of 16 bytes.
 * For each of the four places, the buckets (one bit each) that have a window with this lower half of a byte there; then,
 * for each place, those with this upper half.
 */
export const SEARCH_AT: usize = 0x300000;
export const SEARCH_WINDOW_BYTES: i32 = 4;
export const SEARCH_BUCKETS: i32 = 8;
export const SEARCH_HALVES: i32 = 16;
/**
 * Then a slot for each three bytes with which windows begin, by a hash: these bytes, and where the list of their texts
 * is. The slot's place is the upper bits of the bytes times the factor. If that is taken, the next free one. 0 is free.
 */
export const SEARCH_SLOTS_AT: usize = 0x300080;
export const SEARCH_SLOT_BYTES: i32 = 8;
export const SEARCH_HASH_FACTOR: i32 = 0x2c1b3c6d;
export const SEARCH_HASH_BITS: i32 = 10;
/** The most keys: more places than this follow the last hash, so that never all are taken. */
export const SEARCH_MAX_KEYS: i32 = 512;
/** Then the lists: of each text the place of the window in it, its length, and its bytes. A place of 255 ends a list. */
export const SEARCH_TEXTS_AT: usize = 0x303080;
export const SEARCH_LIST_END: i32 = 255;
export const SEARCH_END: usize = 0x30b080;
/** Something to search that is not in the input. Reads may pass its end by 64 bytes. */
export const SEARCH_TEXT_AT: usize = 0x310000;
export const SEARCH_TEXT_BYTES: i32 = 0x40000;
