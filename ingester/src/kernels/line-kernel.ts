import { instantiateModule } from './webassembly.js';
import type { LineRange } from './line-range.js';
import { LINES_LAYOUT, LINES_MODULE } from './lines-module.js';
import { type MetadataExports, MetadataKernel, type MetadataRun } from './metadata-kernel.js';

/** The exports of ingester/assembly/lines. */
interface KernelExports extends MetadataExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly writeOutput: (start: number, end: number, finalEnd: number, headBytes: number) => number;
  readonly writeColoured: (
    start: number,
    end: number,
    finalEnd: number,
    headBytes: number,
    colouredStart: number
  ) => number;
  readonly outputPoints: Global;
  readonly skipOutput: (start: number, end: number) => number;
  readonly countEqual: (start: number, end: number, bytes: number) => number;
  readonly search: (base: number, start: number, end: number) => number;
  readonly inputEnd: Global;
  readonly lastStart: Global;
  readonly outputEnd: Global;
}

interface Global {
  readonly value: number;
}

const { COLOURED_AT, HEAD_AT, HEAD_BYTES, INPUT_AT, INPUT_BYTES, OUTPUT_AT, TIME_AT, TIME_DIGITS } = LINES_LAYOUT;
const { SEARCH_AT, SEARCH_TEXT_AT, SEARCH_TEXT_BYTES } = LINES_LAYOUT;
const LF = 0x0a;

/** Lines that were taken from the input. All offsets are in the input. */
export interface TakenLines {
  readonly lines: number;
  /** The start of the last line, and the end of all. */
  readonly lastStart: number;
  readonly end: number;
}

export interface WrittenPoints extends TakenLines {
  /** Valid until the next call. */
  readonly points: Uint8Array;
  readonly pointCount: number;
}

/** Lines of output; all offsets are among what is loaded. */
export interface OutputRange extends LineRange {
  readonly finalEnd: number;
  readonly colouredStart?: number | undefined;
}

/**
 * Writes whole lines as points of line protocol, in WebAssembly (ingester/assembly/lines). A piece of the output is
 * loaded once. The process has one kernel, so loaded lines are valid until anybody loads others.
 */
export class LineKernel {
  readonly #exports: KernelExports;
  readonly #bytes: Buffer;
  readonly #metadata: MetadataKernel;
  #head: Uint8Array | undefined;
  #literals: Uint8Array | undefined;
  /** The time in the kernel's memory. */
  #timeNs: bigint | undefined;

  constructor(exports: KernelExports) {
    this.#exports = exports;
    this.#metadata = new MetadataKernel(exports);
    this.#bytes = Buffer.from(exports.memory.buffer);
  }

  /**
   * Loads as many whole lines from `start` on as there is room for, maybe none, and returns where they end. Each must
   * end with LF.
   */
  load(bytes: Buffer, start: number): number {
    const last = start + INPUT_BYTES;
    const end = last >= bytes.length ? bytes.length : bytes.lastIndexOf(LF, last - 1) + 1;
    if (end <= start) return start;
    bytes.copy(this.#bytes, INPUT_AT, start, end);
    return end;
  }

  /** Loads the coloured forms of the lines that were loaded: at most COLOURED_BYTES. */
  loadColoured(bytes: Buffer, { start, end }: LineRange): void {
    bytes.copy(this.#bytes, COLOURED_AT, start, end);
  }

  /**
   * Writes the lines of output from `start` to `end` of the input as points, 1 µs apart from the first time on, up to
   * one that the rules must judge; undefined when that is the first. Further empty lines before `finalEnd` leave no
   * point. `head` begins each point, up to the quote before the line. `colouredStart`: where the coloured forms of the
   * lines begin among those that were loaded, if lines have colours.
   */
  writeOutput(
    { start, end, finalEnd, colouredStart }: OutputRange,
    head: Uint8Array,
    firstTimeNs: bigint
  ): WrittenPoints | undefined {
    if (!this.#setHead(head) || !this.#setTime(firstTimeNs)) return undefined;
    const { writeOutput, writeColoured } = this.#exports;
    const lines =
      colouredStart === undefined
        ? writeOutput(start, end, finalEnd, head.length)
        : writeColoured(start, end, finalEnd, head.length, colouredStart);
    return lines === 0 ? undefined : this.#readWritten(lines, this.#exports.outputPoints.value);
  }

  /**
   * Writes the metadata lines from `start` to `end` of the input that are printed like those of known tables, 1 µs
   * apart, and folds their values. Undefined when the first line differs, or holds a value that is not read here. The
   * points read back like those of MetadataReader, except that a number keeps its printed form, without the zeros at
   * the end of its fraction.
   */
  writeMetadata(range: LineRange, run: MetadataRun): WrittenPoints | undefined {
    if (!this.#setHead(run.head) || !this.#setTime(run.firstTimeNs)) return undefined;
    const lines = this.#metadata.write(range, run);
    return lines === 0 ? undefined : this.#readWritten(lines, this.#exports.metadataPoints.value);
  }

  /** The module asks for what takes the rows of a table: see MetadataKernel. */
  openFold(table: number): number {
    return this.#metadata.openFold(table);
  }

  /** The module says that X of a fold is to be looked at. */
  lookAtX(fold: number): void {
    this.#metadata.lookAtX(fold);
  }

  /** Takes the same lines as `writeOutput`, and also repeats, but writes nothing. */
  skipOutput(range: LineRange): TakenLines | undefined {
    const { skipOutput, lastStart, inputEnd } = this.#exports;
    const lines = skipOutput(range.start, range.end);
    return lines === 0 ? undefined : { lines, lastStart: lastStart.value, end: inputEnd.value };
  }

  /** Counts the lines from `start` on that equal the first, which has `bytes` bytes with its LF. */
  countEqual({ start, end }: LineRange, bytes: number): number {
    return start + bytes > end ? 0 : this.#exports.countEqual(start, end, bytes);
  }

  /** Where one of the literals is, from `start` to `end` of the input: of a long one, its beginning. */
  findLiteral({ start, end }: LineRange, literals: Uint8Array): number | undefined {
    this.#setLiterals(literals);
    const found = this.#exports.search(INPUT_AT, start, end);
    return found < 0 ? undefined : found;
  }

  /**
   * Lists such places in a text, each from the place on that `next` gives for the one before. Undefined if there is no
   * room for the text. A character beyond Latin-1 counts as some other one.
   */
  findLiterals(text: string, literals: Uint8Array, next: (place: number) => number): number[] | undefined {
    if (text.length > SEARCH_TEXT_BYTES) return undefined;
    this.#setLiterals(literals);
    // No ASCII is lost.
    this.#bytes.write(text, SEARCH_TEXT_AT, 'latin1');
    const search = (start: number): number => this.#exports.search(SEARCH_TEXT_AT, start, text.length);
    const places: number[] = [];
    for (let at = search(0); at >= 0; at = search(next(at))) places.push(at);
    return places;
  }

  #setLiterals(literals: Uint8Array): void {
    if (this.#literals === literals) return;
    this.#bytes.set(literals, SEARCH_AT);
    this.#literals = literals;
  }

  #readWritten(lines: number, pointCount: number): WrittenPoints {
    const { lastStart, inputEnd, outputEnd } = this.#exports;
    // The kernel has advanced the time.
    this.#timeNs = undefined;
    const points = this.#bytes.subarray(OUTPUT_AT, OUTPUT_AT + outputEnd.value);
    return { lines, lastStart: lastStart.value, end: inputEnd.value, points, pointCount };
  }

  #setHead(head: Uint8Array): boolean {
    if (this.#head === head) return true;
    if (head.length > HEAD_BYTES) return false;
    this.#bytes.set(head, HEAD_AT);
    this.#head = head;
    return true;
  }

  /** False before 2001 and after 2286: the kernel writes only times of 19 digits. */
  #setTime(timeNs: bigint): boolean {
    if (timeNs === this.#timeNs) return true;
    const text = String(timeNs);
    if (text.length !== TIME_DIGITS) return false;
    this.#bytes.write(text, TIME_AT, 'latin1');
    this.#timeNs = timeNs;
    return true;
  }
}

let kernel: LineKernel | null | undefined;

/** Undefined if WebAssembly is switched off, or there is no memory for it. */
export function openLineKernel(): LineKernel | undefined {
  kernel ??= createLineKernel();
  return kernel ?? undefined;
}

function createLineKernel(): LineKernel | null {
  try {
    const host = {
      openFold: (table: number): number => created.openFold(table),
      lookAtX: (fold: number): void => {
        created.lookAtX(fold);
      },
    };
    const created: LineKernel = new LineKernel(instantiateModule(LINES_MODULE, { host }) as KernelExports);
    return created;
  } catch {
    return null;
  }
}
