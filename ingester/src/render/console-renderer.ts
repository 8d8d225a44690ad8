import { isAscii, isUtf8 } from 'node:buffer';
import { collapseFrames } from './collapse-frames.js';
import { EscapeParser } from './escape-parser.js';
import { Screen } from './screen.js';

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

/** Whole lines of plain text, each ended by LF, that came and left the cursor's reach at once: they never come again. */
export interface FinalLines {
  /** Trailing spaces are not cut. */
  readonly text: string;
  /** The lines are the rows `firstId`, `firstId + 1`, … */
  readonly firstId: number;
  readonly count: number;
  /** All of `text` is ASCII. */
  readonly isAscii: boolean;
}

/** Takes what a renderer has to hand over, in the order of the rows. */
export interface RowSink {
  /** New versions of rows; those with a smaller id than `firstRewritableId` are final. */
  update(rows: readonly RenderedRow[], firstRewritableId: number): void;
  addFinalLines(lines: FinalLines): void;
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
  /** The same, and hands over at once the many lines of plain text that are final already. */
  write(chunk: Uint8Array, to: RowSink): void;
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
  return new ScreenRenderer();
}

/** Bytes that are decoded at once: bounds what one call keeps beside the window. */
const SLICE_BYTES = 64 * 1024;
const CONTROL_BYTES: readonly number[] = [0x7f, ...Array.from({ length: 0x20 }, (_, code) => code)];

class ScreenRenderer implements ConsoleRenderer {
  private readonly screen = new Screen();
  private readonly parser = new EscapeParser(this.screen);
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Start of a character whose other bytes have not come yet. */
  private tail = Buffer.alloc(0);

  get hasChangedRows(): boolean {
    return this.screen.window.hasChanges();
  }

  get firstRewritableId(): number {
    return this.screen.window.firstId;
  }

  write(chunk: Uint8Array): RenderedRow[];
  write(chunk: Uint8Array, to: RowSink): void;
  write(chunk: Uint8Array, to?: RowSink): RenderedRow[] | undefined {
    let bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.tail.length > 0) bytes = Buffer.concat([this.tail, bytes]);
    const end = findCharacterBoundary(bytes, bytes.length);
    let start = 0;
    while (start < end) {
      const next = end - start > SLICE_BYTES ? findCharacterBoundary(bytes, start + SLICE_BYTES) : end;
      this.feed(bytes.subarray(start, next), to);
      start = next;
    }
    this.tail = Buffer.from(bytes.subarray(end));
    const rows = this.screen.window.takeComplete();
    if (to === undefined) return rows;
    to.update(rows, this.firstRewritableId);
    return undefined;
  }

  takeChangedRows(): RenderedRow[] {
    return this.screen.window.takeChanged(false);
  }

  end(): RenderedRow[] {
    if (this.tail.length > 0) this.feed(this.tail);
    this.parser.end();
    const complete = this.screen.window.takeComplete();
    return [...complete, ...this.screen.window.takeChanged(true)];
  }

  private feed(bytes: Buffer, to?: RowSink): void {
    const controls = CONTROL_BYTES.filter((code) => bytes.includes(code)).map((code) => String.fromCharCode(code));
    const isFrames = controls.includes('\r') && controls.every((char) => char === '\r' || char === '\n');
    const shown = isFrames && this.parser.isGround && isUtf8(bytes) ? collapseFrames(bytes) : bytes;
    const isAsciiText = isAscii(shown);
    const text = isAsciiText ? shown.toString('latin1') : this.decoder.decode(shown);
    const isPlain = controls.length === 0 || (controls.length === 1 && controls[0] === '\n');
    if (isPlain && this.parser.isGround && this.screen.isPlain) this.screen.printLines(text, isAsciiText, to);
    else this.parser.feed(text, controls);
    this.screen.limitText();
  }
}

/** The last place at or before `end` where no UTF-8 character is cut in two. */
function findCharacterBoundary(bytes: Uint8Array, end: number): number {
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back] ?? 0;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? end - back : end;
    }
  }
  return end;
}
