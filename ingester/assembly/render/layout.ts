// Where things stand in the memory. What AssemblyScript itself needs stands before all of them.

/** Text as it came. One byte behind it is written. */
export const INPUT_AT: usize = 0x10000;
export const INPUT_BYTES: i32 = 0x40000;
/** The same without CR and tabs. Up to 64 bytes behind it may be written. */
export const OUTPUT_AT: usize = 0x60000;
export const OUTPUT_BYTES: i32 = 0x80000;
