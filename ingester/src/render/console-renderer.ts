/**
 * One row as a console would show it. The same `id` may be handed out again with other text while a program still moves
 * the cursor up to the row; the newest version replaces the older ones.
 */
export interface RenderedRow {
  /** Place of the row in its stream: 0, 1, 2, … First versions come in this order, without a gap. */
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
}

/**
 * Renders the raw output of one stream. All methods return rows to write, oldest first; a row is returned only when it
 * differs from what was returned for its `id` before. Nothing ever throws on any input, and memory is bounded.
 *
 * What the caller does with a row:
 * - Give each new `id` a time when it first comes, and keep it while `id >= firstRewritableId`; a row that comes again is
 *   written at the time of its first version, so that it replaces it. A dropped row (a repeat) keeps its time too: when
 *   it comes again with other text it is written there.
 * - Commands, metadata and repeats are decided once, when the row first comes with `isComplete`. On a later version
 *   write only the log line again; what the first version caused stays. A later version may be empty (an erased bar).
 * - Call `takeChangedRows` from a timer or after a quiet time, never per chunk: it is what limits how often a moving bar
 *   is written.
 */
export interface ConsoleRenderer {
  /** Feeds bytes, cut anywhere. Returns the rows that are complete for the first time, and changed rows that just became final. */
  write(chunk: Uint8Array): RenderedRow[];
  /** Returns every row that changed since it was last returned, also the last, incomplete one. */
  takeChangedRows(): RenderedRow[];
  /** True when `takeChangedRows` may return something: the caller needs no timer while it is false. */
  readonly hasChangedRows: boolean;
  /** Rows with a smaller id are final: they never come again. Rises. */
  readonly firstRewritableId: number;
  /** Ends the stream: returns what is left. All rows are final and complete then, and `write` must not be called again. */
  end(): RenderedRow[];
}

/** A renderer for one stream of a pipe or file: lines of any length, no wrapping, the cursor reaches up 200 rows. */
export function createConsoleRenderer(): ConsoleRenderer {
  return new PlainRenderer();
}

class PlainRenderer implements ConsoleRenderer {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private line = '';
  private emitted = '';
  private nextId = 0;

  get hasChangedRows(): boolean {
    return this.line !== this.emitted;
  }

  get firstRewritableId(): number {
    return this.nextId;
  }

  write(chunk: Uint8Array): RenderedRow[] {
    const lines = (this.line + this.decoder.decode(chunk, { stream: true })).split('\n');
    this.line = lines.pop() ?? '';
    return lines.map((line) => {
      this.emitted = '';
      return createRow(this.nextId++, line, true);
    });
  }

  takeChangedRows(): RenderedRow[] {
    if (!this.hasChangedRows) return [];
    this.emitted = this.line;
    return [createRow(this.nextId, this.line, false)];
  }

  end(): RenderedRow[] {
    const line = this.line + this.decoder.decode();
    return line === '' && this.emitted === '' ? [] : [createRow(this.nextId++, line, true)];
  }
}

function createRow(id: number, line: string, isComplete: boolean): RenderedRow {
  const shown = line.slice(line.lastIndexOf('\r', line.length - 2) + 1).replace('\r', '');
  const text = shown.trimEnd();
  return { id, text, isComplete, continues: false, hasTrailingSpace: text !== shown };
}
