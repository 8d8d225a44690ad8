// The memory of flattenLines, shared with ingester/src/kernels: build.mjs writes these constants into render-module.ts.
// AssemblyScript's own data comes first.

/** Text as it came. One byte behind it is written. */
export const INPUT_AT: usize = 0x10000;
export const INPUT_BYTES: i32 = 0x40000;
/** The same without CR and tabs. Writes may pass its end by 64 bytes. */
export const OUTPUT_AT: usize = 0x60000;
export const OUTPUT_BYTES: i32 = 0x80000;
