// The memory, shared with ingester/src/kernels: build.mjs writes these constants into lines-module.ts.
// AssemblyScript's own data comes first.

/** The beginning of a log line's point, up to the quote before the line. */
export const HEAD_AT: usize = 0x10000;
export const HEAD_BYTES: i32 = 0x10000;
/** The time of the next line: nanoseconds as 19 digits. */
export const TIME_AT: usize = 0x20000;
export const TIME_DIGITS: i32 = 19;
/** A piece of the output: whole lines of UTF-8, each ended by LF. Reads may pass its end by 64 bytes. */
export const INPUT_AT: usize = 0x30000;
export const INPUT_BYTES: i32 = 0x40000;
/** The coloured forms of the lines of the input. Reads may pass its end by 64 bytes. */
export const COLOURED_AT: usize = 0x80000;
export const COLOURED_BYTES: i32 = 0x40000;
/**
 * Points of line protocol: those of a whole input, unless its lines are short. Writes may pass its end by 64 bytes.
 */
export const OUTPUT_AT: usize = 0x500000;
export const OUTPUT_BYTES: i32 = 0x180000;
/** A longer line may take several points: the slow way writes it. */
export const MAX_LINE_BYTES: i32 = 16384;
