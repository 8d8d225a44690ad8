// Where the things of metadata stand in the memory, behind those of layout.ts.

/** What the lines of one table share. */
export const TEMPLATE_AT: usize = 0x190000;
export const TEMPLATE_BYTES: i32 = 0x40000;
/** The values of the present line, and the statistics of the table's columns. */
export const VALUES_AT: usize = 0x1d0000;
export const COLUMNS_AT: usize = 0x1d8000;
export const COLUMN_BYTES: i32 = 48;
export const MAX_VALUES: i32 = 1024;
/** The powers of five from this one to -1, 16 bytes each: 128 bits with the first one set, rounded up; the upper half first. */
export const POWERS_AT: usize = 0x1e8000;
export const SMALLEST_POWER: i32 = -64;
