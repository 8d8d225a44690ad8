// Where things stand in the memory of those that look at a slice; flattenLines has a memory of its own. What AssemblyScript itself needs stands before all of them.

/** The slice that was indexed last: INDEX_BYTES in control-index.ts at most. Behind it are blanks. */
export const BYTES_AT: usize = 0x10000;
export const BYTE_LIMIT: i32 = 0x10040;
/** Two numbers for each control character and two more for the end: see ControlIndex. */
export const RECORDS_AT: usize = 0x30000;

/** For planFrames: what is kept of each row of the screen, the parts of frames that stay to be seen, and the rows between which the cursor moved. */
export const ROWS_AT: usize = 0xc0000;
export const PARTS_AT: usize = 0x1d0000;
export const MOVES_AT: usize = 0x260000;
/** Its result: numbers, the texts, and the numbers of each. */
export const PLAN_AT: usize = 0x2b0000;
export const TEXT_AT: usize = 0x2c0000;
export const TEXTS_AT: usize = 0x2e0000;

export const CR: u32 = 0x0d;
export const LF: u32 = 0x0a;
export const ESC: u32 = 0x1b;
