// The memory for metadata, behind that of layout.ts.

/** The values of the present line. */
export const VALUES_AT: usize = 0x190000;
export const MAX_VALUES: i32 = 1024;

/** A longer number has to be rewritten in the digits of a double, which is not done here. */
export const NUMBER_BYTES: usize = 32;

/**
 * The powers of five from the smallest, for numbers that are read, to the largest, for those that are written: the
 * first 128 bits of each, the upper half first.
 */
export const POWERS_AT: usize = 0x198000;
export const SMALLEST_POWER: i32 = -64;
export const LARGEST_POWER: i32 = 98;

/**
 * How the lines of one job's tables are printed, as a tree: a step for the text before each value, and one for the end.
 * Lines that begin alike share their first steps. Then the tables, and the bytes to which both point. A piece of bytes
 * is an address and a length, 4 bytes each.
 */
export const TREE_AT: usize = 0x400000;
export const TREE_BYTES: i32 = 0x100000;
/** Header: the first step, and the most bytes that the points of a line may take beside those of the line itself. */
export const TREE_FIRST: usize = 0;
export const TREE_LINE_ROOM: usize = 4;
export const TREE_HEADER_BYTES: usize = 8;
/** Step: the bytes before the value, the same escaped, and the head of the value's field. */
export const STEP_LITERAL: usize = 0;
export const STEP_ESCAPED: usize = 8;
export const STEP_FIELD: usize = 16;
/** The next step to try if this text differs, the first step after this one, and the table of a line that ends here. */
export const STEP_OTHER: usize = 24;
export const STEP_NEXT: usize = 28;
export const STEP_TABLE: usize = 32;
export const STEP_BYTES: usize = 36;
/** Table: two series keys (numbers, texts), what takes its rows, 0 before the first, and the column of each value. */
export const TABLE_NUMBERS_KEY: usize = 0;
export const TABLE_TEXTS_KEY: usize = 8;
export const TABLE_FOLD: usize = 16;
export const TABLE_COLUMNS: usize = 20;

/**
 * What takes the rows of each table of this call, one behind the other: a header, the statistics of the columns, the
 * open bucket, and what the points of its buckets begin with.
 */
export const FOLDS_AT: usize = 0x1a0000;
export const FOLDS_BYTES: i32 = 0x160000;
/** How many rows have come in this call, since X was looked at. */
export const FOLD_ROWS: usize = 0;
/** How many columns. */
export const FOLD_COUNT: usize = 4;
/** How many rows the open bucket has; -1 for no buckets. */
export const FOLD_BUCKET_ROWS: usize = 8;
/** How many more buckets will be full before the first one that is written as points. */
export const FOLD_SKIPPED: usize = 12;
/** The line of the open bucket's first row, counted from the first line of this call; and the time of that line. */
export const FOLD_BUCKET_LINE: usize = 16;
export const FOLD_BUCKET_TIME: usize = 24;
/** The addresses of the open bucket's values, and of a piece for each of BUCKET_STATS and one for the field of rows. */
export const FOLD_BUCKET: usize = 48;
export const FOLD_HEADS: usize = 52;
/** The column of the followed X, -1 for none; and with how many rows X is looked at, 0 for never. */
export const FOLD_X: usize = 56;
export const FOLD_LOOK_ROWS: usize = 60;
export const FOLD_COLUMNS: usize = 64;

/** A column's statistics: doubles. */
export const COLUMN_MIN: usize = 0;
export const COLUMN_MAX: usize = 8;
export const COLUMN_LAST: usize = 16;
/** Integers; the first two, COLUMN_JSON, COLUMN_NULLS and COLUMN_INEXACT count the rows of this run alone. */
export const COLUMN_NUMERIC: usize = 24;
export const COLUMN_INTEGER: usize = 28;
export const COLUMN_FALLS: usize = 32;
export const COLUMN_DISTINCT: usize = 36;
/** The newest value, if it is a text, as offsets in the input; the end is 0 if it is a number. */
export const COLUMN_LAST_START: usize = 40;
export const COLUMN_LAST_END: usize = 44;
export const COLUMN_JSON: usize = 48;
export const COLUMN_NULLS: usize = 52;
export const COLUMN_RISES: usize = 56;
export const COLUMN_INEXACT: usize = 60;
/** NaN where it is not known. */
export const COLUMN_SUM: usize = 64;
/** The numbers of X where the smallest and the largest number came, NaN where there is none, and how many rows then were. */
export const COLUMN_MIN_X: usize = 72;
export const COLUMN_MAX_X: usize = 80;
/** Counted from 1, among the rows of this run alone; 0 for a number from before. */
export const COLUMN_MIN_ROW: usize = 88;
export const COLUMN_MAX_ROW: usize = 92;
/** The next of the columns with a new smallest or largest number in this row, 0 behind the last. */
export const COLUMN_NEXT: usize = 96;
export const COLUMN_BYTES: usize = 104;

/** Rows of a bucket: BUCKET_FACTOR in core. */
export const BUCKET_ROWS: i32 = 32;
/** The open bucket, doubles for each column: OPEN_BUCKET_PARTS in core. NaN where the column has no number. */
export const BUCKET_MIN: usize = 0;
export const BUCKET_MAX: usize = 8;
export const BUCKET_SUM: usize = 16;
export const BUCKET_LAST: usize = 24;
/** How many numbers, a double, too. */
export const BUCKET_COUNT: usize = 48;
/** BUCKET_STATS in core: so many kinds of points. That of means has the place of the sum. */
export const BUCKET_STATS: usize = 4;
/** So far behind each of these numbers, but the sum: its printed text, a piece in the input, empty if from before this call. */
export const BUCKET_TEXTS: usize = 32;
export const BUCKET_VALUE_BYTES: usize = 64;

/**
 * The buckets that were filled in this call, one behind the other: a header, then five doubles of each column. A value
 * takes at least six bytes of the input, so those of 32 rows each fit; so do those that were begun before, one for each
 * of FOLDS_AT.
 */
export const FULL_AT: usize = 0x350000;
/** Header: the address of its fold, the line of its first row, and whether its points are written. */
export const FULL_FOLD: usize = 0;
export const FULL_LINE: usize = 4;
export const FULL_IS_WRITTEN: usize = 8;
export const FULL_VALUES: usize = 16;
export const FULL_VALUE_BYTES: usize = 40;
export const FULL_COUNT: usize = 32;
