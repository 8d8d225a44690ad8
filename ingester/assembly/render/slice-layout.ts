// The memory of indexControls and planFrames, which run in an instance of their own: flattenLines uses the same
// addresses.

/** The indexed slice. Writes may pass its end by 32 bytes: blanks. */
export const BYTES_AT: usize = 0x10000;
/** The most bytes of a slice: a chunk of 64 KiB, and what was left of the one before. */
export const INDEX_BYTES: i32 = 0x10040;
/** Two numbers for each control character and two more for the end: see ControlIndex. */
export const RECORDS_AT: usize = 0x30000;

/** The rows of the screen, the parts of frames that stay visible, and the rows between which the cursor moved. */
export const ROWS_AT: usize = 0xc0000;
export const PARTS_AT: usize = 0x1d0000;
export const MOVES_AT: usize = 0x260000;
/** The result of planFrames: a Plan, the bytes of the texts, and a Text for each. */
export const PLAN_AT: usize = 0x2b0000;
export const TEXT_BYTES_AT: usize = 0x2c0000;
export const TEXTS_AT: usize = 0x2e0000;

/** See FramePlan in ingester/src/kernels/frame-plan.ts. */
@unmanaged
export class Plan {
  end: i32;
  first: i32;
  count: i32;
  scrolled: i32;
  reach: i32;
  row: i32;
  column: i32;
}

export const PLAN_END: usize = offsetof<Plan>('end');
export const PLAN_FIRST: usize = offsetof<Plan>('first');
export const PLAN_COUNT: usize = offsetof<Plan>('count');
export const PLAN_SCROLLED: usize = offsetof<Plan>('scrolled');
export const PLAN_REACH: usize = offsetof<Plan>('reach');
export const PLAN_ROW: usize = offsetof<Plan>('row');
export const PLAN_COLUMN: usize = offsetof<Plan>('column');

/** A row's text: its place in the bytes of the texts, its columns, and how many of them belong to the last frame. */
@unmanaged
export class Text {
  row: i32;
  start: i32;
  end: i32;
  columns: i32;
  lastColumns: i32;
}

export const TEXT_ROW: usize = offsetof<Text>('row');
export const TEXT_START: usize = offsetof<Text>('start');
export const TEXT_END: usize = offsetof<Text>('end');
export const TEXT_COLUMNS: usize = offsetof<Text>('columns');
export const TEXT_LAST_COLUMNS: usize = offsetof<Text>('lastColumns');
export const TEXT_SIZE: usize = offsetof<Text>();
