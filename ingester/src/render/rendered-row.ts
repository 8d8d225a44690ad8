import type { ColouredLines } from '../kernels/coloured-lines.js';

/**
 * One row as a console would show it. While a program still moves the cursor up to a row, the same `id` may come again
 * with other text; the newest version replaces older ones.
 */
export interface RenderedRow {
  /** The row's place in its stream: 0, 1, 2, … First versions come in this order, without a gap. */
  readonly id: number;
  /** Plain text without control characters; trailing spaces are cut. */
  readonly text: string;
  /** The row with its colours as minimal SGR sequences (closed by `ESC [0m`); absent when it has no colour. */
  readonly ansi?: string;
  /** The cursor has passed on to a later row (usually by LF). False only for the last row: a running bar, a prompt. */
  readonly isComplete: boolean;
  /** The line was too long for one row: the row with the next id continues it. */
  readonly continues: boolean;
  /** The program printed spaces after the text, which `text` does not show (such a line is not metadata). */
  readonly hasTrailingSpace: boolean;
  /**
   * The text last printed on a complete row of a mixed stream that was drawn anew after a carriage return or another
   * movement of the cursor. The row may show more before it, and behind it (the rest of a longer bar).
   */
  readonly redrawn?: string;
}

/** A version of a row, and when to judge what it means; absent: when the row first comes complete. */
export interface PrintedRow {
  readonly row: RenderedRow;
  /**
   * `again`: other text was printed on a complete row, and the cursor has left it. `none`: the text stood on another
   * row, from where it has moved.
   */
  readonly judging?: 'again' | 'none';
}

/** Whole lines of plain text that came at once, maybe with colours. */
export interface PlainLines {
  /** UTF-8, each line ended by LF; trailing spaces are not cut. Valid until the next write. */
  readonly bytes: Buffer;
  /** The lines are the rows `firstId`, `firstId + 1`, … */
  readonly firstId: number;
  readonly count: number;
  /** The coloured forms of the lines, unless none has colours. A line with colours may end with spaces, too. */
  readonly coloured?: ColouredLines | undefined;
  /** The number of bytes in lines that are final. The lines after them may come again as rows. */
  readonly finalBytes: number;
  /** Rows with a smaller id are final. */
  readonly firstRewritableId: number;
}

/** Takes what a renderer hands over, in the order of the rows. */
export interface RowSink {
  /**
   * Takes new versions of rows. Rows with an id below `firstRewritableId` are final. `printed`: the same versions in
   * the order of printing, with those that have to be judged and come later; absent if all are judged as usual.
   */
  update(rows: readonly RenderedRow[], firstRewritableId: number, printed?: readonly PrintedRow[]): void;
  /** Takes first versions of many rows. All rows before them are final. */
  addLines(lines: PlainLines): void;
  /** Whether a line with these bytes may mean something: frames of bars that mean nothing need not come one by one. */
  mayMean?(bytes: Buffer): boolean;
}
