// The memory for metadata, behind that of layout.ts.

/**
 * The shared parts of one table's lines: a header, then a part for each value and one for the end, then the bytes to
 * which they point. A piece of bytes is an address and a length, 4 bytes each.
 */
export const TEMPLATE_AT: usize = 0x190000;
export const TEMPLATE_BYTES: i32 = 0x40000;
/**
 * Header: the number of values, the bytes of a line's points beside the line itself, and two series keys (numbers,
 * texts).
 */
export const TEMPLATE_COUNT: usize = 0;
export const TEMPLATE_FIXED_BYTES: usize = 4;
export const TEMPLATE_NUMBERS_KEY: usize = 8;
export const TEMPLATE_TEXTS_KEY: usize = 16;
export const TEMPLATE_PARTS: usize = 24;
/** Part: the bytes before the value, the same escaped, and the head of its field. */
export const PART_LITERAL: usize = 0;
export const PART_ESCAPED: usize = 8;
export const PART_FIELD: usize = 16;
export const PART_BYTES: usize = 24;

/** The values of the present line. */
export const VALUES_AT: usize = 0x1d0000;
export const MAX_VALUES: i32 = 1024;

/** The statistics of the table's columns. */
export const COLUMNS_AT: usize = 0x1d8000;
/** Doubles. */
export const COLUMN_MIN: usize = 0;
export const COLUMN_MAX: usize = 8;
export const COLUMN_LAST: usize = 16;
/** Integers; the first two and COLUMN_JSON count the rows of this run alone. */
export const COLUMN_NUMERIC: usize = 24;
export const COLUMN_INTEGER: usize = 28;
export const COLUMN_FALLS: usize = 32;
export const COLUMN_DISTINCT: usize = 36;
/** The newest value, if it is a text, as offsets in the input; the end is 0 if it is a number. */
export const COLUMN_LAST_START: usize = 40;
export const COLUMN_LAST_END: usize = 44;
export const COLUMN_JSON: usize = 48;
export const COLUMN_BYTES: usize = 56;

/** The powers of five from the smallest to -1: the first 128 bits of each, rounded up, the upper half first. */
export const POWERS_AT: usize = 0x1e8000;
export const SMALLEST_POWER: i32 = -64;

/**
 * The buckets of the finest level into which this call's rows are folded, one behind the other: a header, then the
 * values of each column. The full ones take at most half the room of the input, in which a value takes at least six bytes, 32
 * times a bucket.
 */
export const BUCKETS_AT: usize = 0x1f0000;
/** Rows of a bucket: BUCKET_FACTOR in core. */
export const BUCKET_ROWS: i32 = 32;
/** Header: the line of the bucket's first row, counted from the first line of this call. */
export const BUCKET_LINE: usize = 0;
/** Doubles for each column: BUCKET_STATS in core. NaN where the column has no number. */
export const BUCKET_VALUES: usize = 8;
export const BUCKET_MIN: usize = 0;
export const BUCKET_MAX: usize = 8;
export const BUCKET_FIRST: usize = 16;
export const BUCKET_LAST: usize = 24;
export const BUCKET_STATS: usize = 4;
/** The printed text of each of these numbers, a piece in the input. Those from before this call have none. */
export const BUCKET_TEXTS: usize = 32;
export const BUCKET_VALUE_BYTES: usize = 64;

/** What the points of the buckets begin with, a piece for each of BUCKET_STATS; then the field of their rows. */
export const BUCKET_HEADS_AT: usize = 0x260000;
