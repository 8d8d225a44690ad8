import type { LoadedLines } from '../kernels/loaded-lines.js';
import type { PlainLines } from '../render/rendered-row.js';
import type { LineWriter, WrittenLines } from './line-writer.js';
import type { LogMode } from './log-config.js';

/** The last line that was written, as much as what follows needs of it. */
export interface LastLine {
  readonly id: number;
  readonly text: string;
  readonly timeNs: bigint;
  readonly isMetadata: boolean;
  readonly isLogged: boolean;
}

/** Lines that are stored as they are, 1 µs apart, the last of them at this time. */
export interface LoggedRun {
  readonly firstId: number;
  readonly count: number;
  readonly lastNs: bigint;
}

export interface PlainLineLogOptions {
  readonly writer: LineWriter;
  readonly plain: PlainLines;
  /** The bytes of `plain`. */
  readonly lines: LoadedLines;
  readonly mode: () => LogMode;
  readonly onLogged: (run: LoggedRun) => void;
  /** So many more final lines equal the newest row, which is a repeat or empty; the last of them has that id. */
  readonly onRepeated: (lastId: number, lines: number) => void;
}

/** A longer line may take several points. */
const MAX_BYTES = 16_384;
const LF = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * The fast way of lines that need no row of their own: runs of ordinary output and of metadata. What the rules must look at more closely
 * (commands, first repeats, very long lines) it leaves to the caller.
 */
export class PlainLineLog {
  readonly #writer: LineWriter;
  readonly #lines: LoadedLines;
  readonly #finalBytes: number;
  readonly #mode: () => LogMode;
  readonly #onLogged: PlainLineLogOptions['onLogged'];
  readonly #onRepeated: PlainLineLogOptions['onRepeated'];
  /** The line before as the log shows it: what a repeat would equal. */
  #shown: Buffer | undefined;
  #isRun = false;
  #last: (Omit<LastLine, 'text'> & { readonly line: Buffer }) | undefined;
  /** Where the next line begins, and its id. */
  at = 0;
  id: number;

  constructor({ writer, lines, plain, mode, onLogged, onRepeated }: PlainLineLogOptions) {
    this.#writer = writer;
    this.#lines = lines;
    this.#finalBytes = plain.finalBytes;
    this.#mode = mode;
    this.#onLogged = onLogged;
    this.#onRepeated = onRepeated;
    this.id = plain.firstId;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#lines.bytes.length;
  }

  /** Takes the next line out for the caller, who says afterwards, with `resume`, what the log shows of it. */
  takeLine(): string {
    const { bytes } = this.#lines;
    const end = bytes.indexOf(LF, this.at);
    const line = bytes.toString('utf8', this.at, end);
    this.at = end + 1;
    this.id += 1;
    return line;
  }

  /** `isRun`: further lines that equal it are counted, or leave nothing when it is empty. */
  resume(shown: string | undefined, isRun: boolean): void {
    this.#shown = shown === undefined ? undefined : Buffer.from(shown);
    this.#isRun = isRun;
  }

  /** The last line that was written since the last call, if any. */
  takeLast(): LastLine | undefined {
    if (this.#last === undefined) return undefined;
    const { line, ...last } = this.#last;
    this.#last = undefined;
    return { ...last, text: line.toString() };
  }

  /** Writes lines from here on; stops at one that must go the way of a row. */
  write(): void {
    while (this.at < this.#end() && this.#writeSome());
  }

  #writeSome(): boolean {
    if (this.#mayBeMetadata()) return this.#writeMetadata() || this.#writeOne();
    return this.#mode() !== 'enabled' || !this.#isRepeat() ? this.#writeOutput() : this.#skipRepeats();
  }

  /** JSON goes on with a quote or a space behind the brace, or ends there. */
  #mayBeMetadata(): boolean {
    const { bytes } = this.#lines;
    if (bytes[this.at] !== BRACE) return false;
    const second = bytes[this.at + 1];
    return second === QUOTE || second === SPACE || second === CLOSING_BRACE;
  }

  /** A line that is not logged and may come again needs a row that says so. */
  #end(): number {
    return this.#mode() === 'enabled' ? this.#lines.bytes.length : this.#finalBytes;
  }

  /** The ordinary lines from here on, up to a line that is not; false when there is none. */
  #writeOutput(): boolean {
    const isLogged = this.#mode() === 'enabled';
    const written = isLogged ? this.#writer.writeOutput(this.#lines, this.at, this.#finalBytes) : this.#skipOutput();
    if (written === undefined) return false;
    this.#advance(written, false);
    return true;
  }

  #skipOutput(): WrittenLines | undefined {
    const skipped = this.#lines.skipOutput(this.at, this.#finalBytes);
    return skipped && { ...skipped, lastNs: 0n };
  }

  /** Further repeats of a line that is repeated already: they are counted, or dropped when it is empty. */
  #skipRepeats(): boolean {
    if (!this.#isRun) return false;
    const start = this.at;
    const lineBytes = this.#lines.bytes.indexOf(LF, start) + 1 - start;
    const lines = this.#lines.countEqual({ start, end: this.#finalBytes }, lineBytes);
    if (lines === 0) return false;
    this.at += lines * lineBytes;
    this.id += lines;
    this.#onRepeated(this.id - 1, lines);
    return true;
  }

  /** The next line, without its trailing spaces, equals the one before. */
  #isRepeat(): boolean {
    const { bytes } = this.#lines;
    if (this.#shown === undefined) return false;
    let end = this.at + this.#shown.length;
    if (bytes[end] !== LF && bytes[end] !== SPACE) return false;
    if (!this.#shown.equals(bytes.subarray(this.at, end))) return false;
    while (bytes[end] === SPACE) end += 1;
    return bytes[end] === LF;
  }

  #writeMetadata(): boolean {
    const mode = this.#mode();
    if (mode === 'disabled') return false;
    const written = this.#writer.writeMetadata(this.#lines, { start: this.at, end: this.#end() }, mode === 'enabled');
    if (written !== undefined) this.#advance(written, true);
    return written !== undefined;
  }

  /** One line that begins like metadata. */
  #writeOne(): boolean {
    const { bytes } = this.#lines;
    const start = this.at;
    const end = bytes.indexOf(LF, start);
    const mode = this.#mode();
    if (end - start > MAX_BYTES || bytes[end - 1] === SPACE) return false;
    // A line that equals the one before may be a repeat, and metadata never is one.
    if (mode === 'disabled' || (mode === 'enabled' && this.#isRepeat())) return false;
    const line = bytes.toString('utf8', start, end);
    const { timeNs, isMetadata } = this.#writer.writeOne(line, mode === 'enabled');
    this.#advance({ lastStart: start, end: end + 1, lines: 1, lastNs: timeNs }, isMetadata);
    return true;
  }

  #advance({ lastStart, end, lines, lastNs }: WrittenLines, isMetadata: boolean): void {
    const isLogged = this.#mode() === 'enabled';
    const line = trimSpaces(this.#lines.bytes.subarray(lastStart, end - 1));
    if (isLogged) this.#onLogged({ firstId: this.id, count: lines, lastNs });
    this.at = end;
    this.id += lines;
    this.#shown = isLogged ? line : undefined;
    this.#isRun = false;
    this.#last = { id: this.id - 1, line, timeNs: lastNs, isMetadata, isLogged };
  }
}

function trimSpaces(line: Buffer): Buffer {
  let end = line.length;
  while (end > 0 && line[end - 1] === SPACE) end -= 1;
  return end === line.length ? line : line.subarray(0, end);
}
