import type { TextLines } from '@joblens/core';
import type { LineWriter } from './line-writer.js';
import type { LogMode } from './log-config.js';

/** Whole lines of plain text that came and left the cursor's reach at once: nothing can change them any more. */
export interface FinalLines {
  /** Each line is ended by LF; trailing spaces are as printed. */
  readonly text: string;
  /** Id of the first line; the others follow it. */
  readonly firstId: number;
  readonly isAscii: boolean;
}

/** The last line that was written, as much as what follows needs of it. */
export interface LastLine {
  readonly id: number;
  readonly text: string;
  readonly timeNs: bigint;
  readonly isMetadata: boolean;
  readonly isLogged: boolean;
}

/** A longer line may take several points. */
const MAX_CHARS = 16_384;
const SPACE = 0x20;
const SLASH = 0x2f;
const BRACE = 0x7b;

/**
 * The fast way of lines that need no row of their own: runs of ordinary output and of metadata. What the rules must look at more closely
 * (commands, repeats, empty and very long lines, trailing spaces) it leaves to the caller.
 */
export class FinalLineLog {
  readonly #writer: LineWriter;
  readonly #lines: FinalLines;
  readonly #mode: () => LogMode;
  #codes: TextLines['codes'] | undefined;
  /** The line before as the log shows it: what a repeat would equal. */
  #shown: string | undefined;
  #last: LastLine | undefined;
  /** Where the next line begins, and its id. */
  at = 0;
  id: number;

  constructor(writer: LineWriter, lines: FinalLines, mode: () => LogMode) {
    this.#writer = writer;
    this.#lines = lines;
    this.#mode = mode;
    this.id = lines.firstId;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#lines.text.length;
  }

  /** Takes the next line out for the caller, who says afterwards, with `resume`, what the log shows of it. */
  takeLine(): string {
    const { text } = this.#lines;
    const end = text.indexOf('\n', this.at);
    const line = text.slice(this.at, end);
    this.at = end + 1;
    this.id += 1;
    return line;
  }

  resume(shown: string | undefined): void {
    this.#shown = shown;
  }

  /** The last line that was written since the last call, if any. */
  takeLast(): LastLine | undefined {
    const last = this.#last;
    this.#last = undefined;
    return last;
  }

  /** Writes lines from here on; stops at one that must go the way of a row. */
  write(): void {
    while (!this.isAtEnd && (this.#writeOutput() || this.#writeMetadata() || this.#writeOne()));
  }

  /** The ordinary lines from here on, up to a line that is not; false when there is none. */
  #writeOutput(): boolean {
    const { text } = this.#lines;
    const isLogged = this.#mode() === 'enabled';
    let [start, lines, lastStart] = [this.at, 0, -1];
    for (let end = text.indexOf('\n', start); end >= 0; end = text.indexOf('\n', start)) {
      if (!isOrdinary(text, start, end) || (isLogged && this.#isRepeat(lastStart, start, end))) break;
      lastStart = start;
      lines += 1;
      start = end + 1;
    }
    if (lines === 0) return false;
    const timeNs = isLogged ? this.#writer.writeOutput(text.slice(this.at, start), lines, this.#lines.isAscii) : 0n;
    this.#advance({ end: start, lines, lastNs: timeNs }, false);
    return true;
  }

  #isRepeat(lastStart: number, start: number, end: number): boolean {
    const { text } = this.#lines;
    if (lastStart >= 0) return end - start === start - 1 - lastStart && isSameText(text, lastStart, start, end);
    return this.#shown?.length === end - start && text.startsWith(this.#shown, start);
  }

  #writeMetadata(): boolean {
    const { text } = this.#lines;
    const mode = this.#mode();
    if (mode === 'disabled' || text.charCodeAt(this.at) !== BRACE) return false;
    this.#codes ??= readCharCodes(this.#lines);
    const written = this.#writer.writeMetadata({ text, codes: this.#codes }, this.at, mode === 'enabled');
    if (written !== undefined) this.#advance(written, true);
    return written !== undefined;
  }

  /** One line that begins like metadata. */
  #writeOne(): boolean {
    const { text } = this.#lines;
    const start = this.at;
    const end = text.indexOf('\n', start);
    const mode = this.#mode();
    if (text.charCodeAt(start) !== BRACE || end - start > MAX_CHARS || text.charCodeAt(end - 1) === SPACE) return false;
    if (mode === 'disabled') return false;
    const line = text.slice(start, end);
    // A line that equals the one before may be a repeat, and metadata never is one.
    if (mode === 'enabled' && line === this.#shown) return false;
    const { timeNs, isMetadata } = this.#writer.writeOne(line, mode === 'enabled');
    this.#advance({ end: end + 1, lines: 1, lastNs: timeNs }, isMetadata);
    return true;
  }

  #advance(
    written: { readonly end: number; readonly lines: number; readonly lastNs: bigint },
    isMetadata: boolean
  ): void {
    const { text } = this.#lines;
    const isLogged = this.#mode() === 'enabled';
    const line = text.slice(text.lastIndexOf('\n', written.end - 2) + 1, written.end - 1);
    this.at = written.end;
    this.id += written.lines;
    this.#shown = isLogged ? line : undefined;
    this.#last = { id: this.id - 1, text: line, timeNs: written.lastNs, isMetadata, isLogged };
  }
}

function readCharCodes({ text, isAscii }: FinalLines): TextLines['codes'] {
  if (isAscii) return Buffer.from(text, 'latin1');
  const bytes = Buffer.from(text, 'utf16le');
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}

/** A line of output that the rules need not look at. */
function isOrdinary(text: string, start: number, end: number): boolean {
  if (end === start || end - start > MAX_CHARS) return false;
  const first = text.charCodeAt(start);
  return first !== SLASH && first !== BRACE && text.charCodeAt(end - 1) !== SPACE;
}

/** From the back: what counts up stands there more often. */
function isSameText(text: string, otherStart: number, start: number, end: number): boolean {
  const distance = start - otherStart;
  for (let i = end - 1; i >= start; i -= 1) {
    if (text.charCodeAt(i) !== text.charCodeAt(i - distance)) return false;
  }
  return true;
}
