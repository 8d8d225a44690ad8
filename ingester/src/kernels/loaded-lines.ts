import { type ColouredLines, findLine, startOf } from './coloured-lines.js';
import type { LineKernel, TakenLines, WrittenPoints } from './line-kernel.js';
import type { LineRange } from './line-range.js';
import { LINES_LAYOUT } from './lines-module.js';
import type { MetadataRun } from './metadata-kernel.js';

const { COLOURED_BYTES } = LINES_LAYOUT;
const LF = 0x0a;

/** Whole lines. The kernel holds a piece of them at a time. All offsets are in `bytes`. */
export class LoadedLines {
  /** UTF-8, each line ended by LF. */
  readonly bytes: Buffer;
  readonly #kernel: LineKernel | undefined;
  readonly #coloured: (ColouredLines & { readonly count: number }) | undefined;
  #start = 0;
  #end = 0;
  /** Where the coloured forms of what is loaded begin. */
  #colouredStart = 0;

  /** Without a kernel, no lines are taken. */
  constructor(bytes: Buffer, kernel: LineKernel | undefined, coloured?: ColouredLines & { readonly count: number }) {
    this.bytes = bytes;
    this.#kernel = kernel;
    this.#coloured = coloured;
  }

  /** Writes the lines of output from `start` to `end` that need no row, if there are any: see LineKernel. */
  writeOutput(
    start: number,
    finalEnd: number,
    head: Uint8Array,
    firstTimeNs: bigint,
    end = Infinity
  ): WrittenPoints | undefined {
    this.#load(start);
    const range = {
      ...this.#range(start, Math.min(end, this.#end)),
      finalEnd: finalEnd - this.#start,
      colouredStart: this.#coloured && this.#findColoured(start) - this.#colouredStart,
    };
    const written = this.#kernel?.writeOutput(range, head, firstTimeNs);
    return written && this.#place(written);
  }

  /**
   * Writes the metadata lines from `start` to `end` that are printed like those of known tables, if any: see
   * LineKernel.
   */
  writeMetadata({ start, end }: LineRange, run: MetadataRun): WrittenPoints | undefined {
    this.#load(start);
    const written = this.#kernel?.writeMetadata(this.#range(start, Math.min(end, this.#end)), run);
    return written && this.#place(written);
  }

  /** Skips the lines of output from `start` to `end` that need no row, if there are any. */
  skipOutput(start: number, end: number): TakenLines | undefined {
    this.#load(start);
    const skipped = this.#kernel?.skipOutput(this.#range(start, Math.min(end, this.#end)));
    if (skipped === undefined) return undefined;
    const { lines, lastStart } = skipped;
    return { lines, lastStart: lastStart + this.#start, end: skipped.end + this.#start };
  }

  /** Counts the lines from `start` up to `end` at most that equal the first, which has `bytes` bytes with its LF. */
  countEqual({ start, end }: LineRange, bytes: number): number {
    this.#load(start);
    return this.#kernel?.countEqual(this.#range(start, Math.min(end, this.#end)), bytes) ?? 0;
  }

  /**
   * The start of the first line from `start` to `end` that holds one of the literals, both in lines that were taken
   * last; of a long literal, its beginning. Without a kernel, it is the first line.
   */
  findLiteral({ start, end }: LineRange, literals: Uint8Array): number | undefined {
    this.#load(start);
    if (this.#kernel === undefined || this.#end < end) return start;
    const found = this.#kernel.findLiteral(this.#range(start, end), literals);
    return found === undefined ? undefined : Math.max(start, this.bytes.lastIndexOf(LF, found + this.#start) + 1);
  }

  /** Loads nothing if the kernel has no room for the line. */
  #load(start: number): void {
    if (start >= this.#start && start < this.#end) return;
    this.#start = start;
    this.#end = this.#kernel?.load(this.bytes, start) ?? start;
    if (this.#coloured !== undefined && this.#end > start) this.#loadColoured(this.#coloured);
  }

  /** Loads fewer lines where there is no room for the coloured forms of all. */
  #loadColoured({ bytes, ends, textEnds, count }: ColouredLines & { readonly count: number }): void {
    this.#colouredStart = this.#findColoured(this.#start);
    const last = findLine(ends, count, this.#colouredStart + COLOURED_BYTES);
    this.#end = Math.min(this.#end, startOf(textEnds, last));
    if (this.#end <= this.#start) return;
    this.#kernel?.loadColoured(bytes, { start: this.#colouredStart, end: this.#findColoured(this.#end) });
  }

  /** Where the coloured form of a line begins, or ends that of the line before. */
  #findColoured(start: number): number {
    if (this.#coloured === undefined) return 0;
    const { ends, textEnds, count } = this.#coloured;
    return startOf(ends, findLine(textEnds, count, start));
  }

  #place({ lines, lastStart, end, points, pointCount }: WrittenPoints): WrittenPoints {
    return { lines, lastStart: lastStart + this.#start, end: end + this.#start, points, pointCount };
  }

  #range(start: number, end: number): LineRange {
    return { start: start - this.#start, end: end - this.#start };
  }
}
