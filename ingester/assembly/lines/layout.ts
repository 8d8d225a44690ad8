// Where things stand in the memory. What AssemblyScript itself needs stands before all of them.

/** What a log line's point begins with, up to the quote before the line. */
export const HEAD_AT: usize = 0x10000;
export const HEAD_BYTES: i32 = 0x10000;
/** The time of the next line: nanoseconds as 19 digits. */
export const TIME_AT: usize = 0x20000;
export const TIME_DIGITS: i32 = 19;
/** A piece of the output: whole lines of UTF-8, each ended by LF. Up to 64 bytes behind it may be read. */
export const INPUT_AT: usize = 0x30000;
export const INPUT_BYTES: i32 = 0x40000;
/** Points of line protocol. Up to 64 bytes behind it may be written. */
export const OUTPUT_AT: usize = 0x80000;
export const OUTPUT_BYTES: i32 = 0x100000;
