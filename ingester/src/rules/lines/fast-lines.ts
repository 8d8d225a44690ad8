import { isColoured, readColoured, startOf } from '../../kernels/coloured-lines.js';
import { LINES_LAYOUT } from '../../kernels/lines-module.js';
import type { LoadedLines } from '../../kernels/loaded-lines.js';
import type { PlainLines, RenderedRow } from '../../render/rendered-row.js';
import { formatWholeLine } from '../../render/slot.js';
import type { CandidateLines } from './candidate-lines.js';
import { mayBeMetadata, trimSpaces } from '../commands/line-rules.js';
import type { LineWriter, WrittenLines } from './line-writer.js';
import type { LineRule, LineRules } from '../options/log-modes.js';
import type { LogRow } from './log-row.js';
import { isShown } from './row-rules.js';

/** Lines that are done and need no row each. Their ids are `firstId`, `firstId + 1`, … */
export type LineRun =
  /** Lines written as the rules say, 1 µs apart. */
  | {
      readonly kind: 'lines';
      readonly firstId: number;
      readonly count: number;
      /** Text and time of the last line. */
      readonly text: string;
      readonly ansi: string | undefined;
      readonly timeNs: bigint;
      readonly isLogged: boolean;
      readonly isMetadata: boolean;
      /** Whether the line with this id has colours; absent if none has. */
      readonly hasColours?: ((id: number) => boolean) | undefined;
    }
  /** Final lines that equal the row before, which is a repeat or empty. Nothing is written. */
  | { readonly kind: 'repeats'; readonly firstId: number; readonly count: number };

export interface FastLinesOptions {
  readonly writer: LineWriter;
  readonly plain: PlainLines;
  /** The bytes of `plain`. */
  readonly lines: LoadedLines;
  readonly rules: LineRules;
  /** Whether only final lines may be written. */
  readonly isFinalOnly: boolean;
}

const LF = 0x0a;
const SPACE = 0x20;

/** Writes complete lines of plain text: each call takes as many as possible at once, or one as a row. */
export class FastLines {
  readonly #writer: LineWriter;
  readonly #lines: LoadedLines;
  #rules: LineRules;
  readonly #candidates: CandidateLines;
  readonly #finalBytes: number;
  readonly #isFinalOnly: boolean;
  readonly #plain: PlainLines;
  /** The start of the next line. */
  #at = 0;
  #id: number;
  /** No line before this one has colours, from the next line on. So each is looked at once. */
  #colouredLine = 0;

  constructor({ writer, lines, plain, rules, isFinalOnly }: FastLinesOptions) {
    this.#writer = writer;
    this.#lines = lines;
    this.#rules = rules;
    this.#candidates = writer.findCandidates(lines);
    this.#plain = plain;
    this.#finalBytes = plain.finalBytes;
    this.#isFinalOnly = isFinalOnly;
    this.#id = plain.firstId;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#lines.bytes.length;
  }

  /** The start of the next line. */
  get at(): number {
    return this.#at;
  }

  /** Takes the next line as a row, for RowLog. */
  takeRow(): RenderedRow {
    const { bytes } = this.#lines;
    const end = bytes.indexOf(LF, this.#at);
    const row = formatWholeLine(this.#id, bytes.toString('utf8', this.#at, end), this.#readColoured(this.#id));
    this.#at = end + 1;
    this.#id += 1;
    return row;
  }

  /**
   * Writes as many of the next lines as are alike; undefined when the first one needs a row. `previous` is the row
   * before.
   */
  takeRun(previous: LogRow | undefined): LineRun | undefined {
    const { output, metadata } = this.#rules;
    const shown = isShown(previous) ? previous : undefined;
    const next = metadata.isMined ? this.#candidates.findNext(this.#at) : Infinity;
    if (next === this.#at || mayBeMetadata(this.#lines.bytes, this.#at)) {
      if (!metadata.isMined || this.#at >= this.#endFor(metadata)) return undefined;
      return this.#takeMetadata() ?? this.#takeOne(shown);
    }
    if (this.#at >= this.#endFor(output)) return undefined;
    if (!output.isLogged) return this.#skipOutput(next);
    return shown !== undefined && this.#isRepeat(shown) ? this.#takeRepeats(shown) : this.#takeOutput(next);
  }

  /** The end of the lines that need no row: a line that is not logged needs one if it may come again. */
  #endFor({ isLogged }: LineRule): number {
    return isLogged && !this.#isFinalOnly ? this.#lines.bytes.length : this.#finalBytes;
  }

  #takeOutput(end: number): LineRun | undefined {
    const range = { start: this.#at, end: Math.min(end, this.#endFor(this.#rules.output)), finalEnd: this.#finalBytes };
    const written = this.#writer.writeOutput(this.#lines, range);
    return written && this.#pass(written, true, false);
  }

  #skipOutput(end: number): LineRun | undefined {
    const skipped = this.#lines.skipOutput(this.#at, Math.min(end, this.#finalBytes));
    return skipped && this.#pass({ ...skipped, lastNs: 0n }, false, false);
  }

  /** Counts further repeats and drops further empty lines. The first repeat has to become a notice. */
  #takeRepeats({ run, text }: LogRow): LineRun | undefined {
    if (run === undefined && text !== '') return undefined;
    const start = this.#at;
    const lineBytes = this.#lines.bytes.indexOf(LF, start) + 1 - start;
    const count = this.#lines.countEqual({ start, end: this.#finalBytes }, lineBytes);
    if (count === 0) return undefined;
    const firstId = this.#id;
    this.#at += count * lineBytes;
    this.#id += count;
    return { kind: 'repeats', firstId, count };
  }

  #takeMetadata(): LineRun | undefined {
    const { isLogged } = this.#rules.metadata;
    const range = { start: this.#at, end: Math.min(this.#endFor(this.#rules.metadata), this.#findColoured()) };
    if (range.end <= range.start) return undefined;
    const written = this.#writer.writeMetadata(this.#lines, range, isLogged);
    return written && this.#pass(written, isLogged, true);
  }

  /**
   * Writes one line that begins like metadata. Only the reader knows whether it is, so both kinds must be logged alike.
   */
  #takeOne(shown: LogRow | undefined): LineRun | undefined {
    const { bytes } = this.#lines;
    const { isLogged } = this.#rules.metadata;
    const start = this.#at;
    const end = bytes.indexOf(LF, start);
    if (isLogged !== this.#rules.output.isLogged) return undefined;
    if (end - start > LINES_LAYOUT.MAX_LINE_BYTES || bytes[end - 1] === SPACE) return undefined;
    // An equal line may be a repeat, but metadata is never one.
    if (isLogged && shown !== undefined && this.#isRepeat(shown)) return undefined;
    const line = { text: bytes.toString('utf8', start, end), ansi: this.#readColoured(this.#id) };
    const { timeNs, isMetadata } = this.#writer.writeOne(line, isLogged);
    return this.#pass({ lastStart: start, end: end + 1, lines: 1, lastNs: timeNs }, isLogged, isMetadata);
  }

  /** From the next line on these rules hold. */
  set rules(rules: LineRules) {
    this.#rules = rules;
  }

  /** Whether the next line, without its trailing spaces, has the text of the row before. */
  #isRepeat({ text }: LogRow): boolean {
    const { bytes } = this.#lines;
    const start = this.#at;
    const first = text.charCodeAt(0);
    if (first < 0x80 && bytes[start] !== first) return false;
    return trimSpaces(bytes.toString('utf8', start, bytes.indexOf(LF, start))) === text;
  }

  #pass({ lastStart, end, lines, lastNs }: WrittenLines, isLogged: boolean, isMetadata: boolean): LineRun {
    const text = isLogged ? trimSpaces(this.#lines.bytes.toString('utf8', lastStart, end - 1)) : '';
    const firstId = this.#id;
    this.#at = end;
    this.#id += lines;
    const ansi = isLogged ? this.#readColoured(this.#id - 1) : undefined;
    const { firstId: offset, coloured } = this.#plain;
    const hasColours = coloured && ((id: number): boolean => isColoured(coloured, id - offset));
    return { kind: 'lines', firstId, count: lines, text, ansi, timeNs: lastNs, isLogged, isMetadata, hasColours };
  }

  #readColoured(id: number): string | undefined {
    const { coloured, firstId } = this.#plain;
    return coloured && readColoured(coloured, id - firstId);
  }

  /** The start of the next line with colours: what writes metadata lines writes none of them. */
  #findColoured(): number {
    const { coloured, firstId, count } = this.#plain;
    if (coloured === undefined || !this.#rules.metadata.isLogged) return Infinity;
    let line = Math.max(this.#colouredLine, this.#id - firstId);
    while (line < count && !isColoured(coloured, line)) line += 1;
    this.#colouredLine = line;
    return startOf(coloured.textEnds, line);
  }
}
