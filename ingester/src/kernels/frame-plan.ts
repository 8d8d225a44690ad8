import type { ControlIndex } from './control-index.js';
import { openRenderKernel } from './render-kernel.js';
import { RENDER_LAYOUT } from './render-module.js';

const { PLAN_AT, PLAN_END, PLAN_FIRST, PLAN_COUNT, PLAN_SCROLLED, PLAN_REACH, PLAN_ROW, PLAN_COLUMN } = RENDER_LAYOUT;
const { TEXT_BYTES_AT, TEXTS_AT, TEXT_SIZE, TEXT_ROW, TEXT_START, TEXT_END, TEXT_COLUMNS } = RENDER_LAYOUT;

/** The visible rest of bars. Rows count from the top of the screen before the bars. */
export interface FramePlan {
  /** The end of the bars in the bytes. */
  readonly end: number;
  /** The number of bytes at the start that are printed first, at the cursor. */
  readonly first: number;
  /** The texts printed after that over the start of rows, from top to bottom. */
  readonly texts: readonly FrameText[];
  /** How many rows have left the screen in the end, and the lowest row that a line feed reached; -1 without one. */
  readonly scrolled: number;
  readonly reach: number;
  /** The cursor in the end. Column -1: the frames did not change it. */
  readonly row: number;
  readonly column: number;
}

export interface FrameText {
  readonly row: number;
  /** Characters of one or two columns and one UTF-16 unit each, no marks. */
  readonly text: string;
  readonly columns: number;
  /** The number of columns that belong to the last printed frame. */
  readonly lastColumns: number;
}

/**
 * Plans the text, CR, LF and `ESC [ n A` at the start of the slice that was indexed last, for a cursor at a place on a
 * screen of `height` rows. Undefined if characters of unknown width stay visible, and without WebAssembly.
 */
export function planFrames(index: ControlIndex, row: number, column: number, height: number): FramePlan | undefined {
  const kernel = openRenderKernel();
  if (kernel === undefined || kernel.exports.planFrames(index.count, row, column, height) === 0) return undefined;
  const { memory } = kernel;
  const read = (offset: number): number => memory.readInt32LE(PLAN_AT + offset);
  return {
    end: read(PLAN_END),
    first: read(PLAN_FIRST),
    texts: Array.from({ length: read(PLAN_COUNT) }, (_, i) => readText(memory, TEXTS_AT + i * TEXT_SIZE)),
    scrolled: read(PLAN_SCROLLED),
    reach: read(PLAN_REACH),
    row: read(PLAN_ROW),
    column: read(PLAN_COLUMN),
  };
}

function readText(memory: Buffer, at: number): FrameText {
  const read = (offset: number): number => memory.readInt32LE(at + offset);
  return {
    row: read(TEXT_ROW),
    text: memory.toString('utf8', TEXT_BYTES_AT + read(TEXT_START), TEXT_BYTES_AT + read(TEXT_END)),
    columns: read(TEXT_COLUMNS),
    lastColumns: read(RENDER_LAYOUT.TEXT_LAST_COLUMNS),
  };
}
