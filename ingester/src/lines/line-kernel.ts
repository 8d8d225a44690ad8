import { LINES_MODULE } from './lines-module.js';
import type { MetadataExports, MetadataRun } from './metadata-kernel.js';
import { MetadataKernel } from './metadata-kernel.js';

/** What ingester/assembly/lines exports. */
interface KernelExports extends MetadataExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly HEAD_AT: Global;
  readonly HEAD_BYTES: Global;
  readonly INPUT_AT: Global;
  readonly INPUT_BYTES: Global;
  readonly OUTPUT_AT: Global;
  readonly OUTPUT_BYTES: Global;
  readonly TIME_AT: Global;
  readonly TIME_DIGITS: Global;
  readonly writeOutput: (start: number, end: number, headBytes: number) => number;
  readonly skipOutput: (start: number, end: number) => number;
  readonly countLines: (end: number) => number;
  readonly inputEnd: Global;
  readonly lastStart: Global;
  readonly outputEnd: Global;
}

interface Global {
  readonly value: number;
}

/** The part of the standard interface that is used here: the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
};

const LF = 0x0a;

/** Lines that were taken from the input. Offsets are those in the input. */
export interface TakenLines {
  readonly lines: number;
  /** Where the last of them begins, and where they end. */
  readonly lastStart: number;
  readonly end: number;
}

export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export interface WrittenOutput extends TakenLines {
  /** Valid until the next call. */
  readonly points: Uint8Array;
}

export interface WrittenMetadata extends WrittenOutput {
  readonly pointCount: number;
}

/**
 * Whole lines from bytes to bytes, in WebAssembly (ingester/assembly/lines): a piece of the output is loaded once, and its lines are written
 * as points of line protocol. There is one for the process: what is loaded is valid until somebody else loads.
 */
export class LineKernel {
  readonly inputBytes: number;
  readonly #exports: KernelExports;
  readonly #bytes: Buffer;
  readonly #metadata: MetadataKernel;
  // To ask WebAssembly for them each time would take longer than to write a line.
  readonly #inputAt: number;
  readonly #outputAt: number;
  #head: Uint8Array | undefined;
  /** The time that stands in the memory. */
  #timeNs: bigint | undefined;

  constructor(exports: KernelExports) {
    this.#exports = exports;
    this.#metadata = new MetadataKernel(exports);
    this.#bytes = Buffer.from(exports.memory.buffer);
    this.inputBytes = exports.INPUT_BYTES.value;
    this.#inputAt = exports.INPUT_AT.value;
    this.#outputAt = exports.OUTPUT_AT.value;
  }

  /** Loads whole lines, each ended by LF, from `start` on, and returns where they end: as many as there is room for, maybe none. */
  load(bytes: Buffer, start: number): number {
    const last = start + this.inputBytes;
    const end = last >= bytes.length ? bytes.length : bytes.lastIndexOf(LF, last - 1) + 1;
    if (end <= start) return start;
    bytes.copy(this.#bytes, this.#inputAt, start, end);
    return end;
  }

  /**
   * Writes the lines of output from `start` to `end` of the input, at times 1 µs apart from the first, up to one that the rules must look at;
   * undefined when that is the first. `head` is what each point begins with, up to the quote before the line.
   */
  writeOutput(range: LineRange, head: Uint8Array, firstTimeNs: bigint): WrittenOutput | undefined {
    if (!this.#setHead(head) || !this.#setTime(firstTimeNs)) return undefined;
    const lines = this.#exports.writeOutput(range.start, range.end, head.length);
    if (lines === 0) return undefined;
    this.#timeNs = undefined;
    const { lastStart, inputEnd } = this.#exports;
    return { lines, lastStart: lastStart.value, end: inputEnd.value, points: this.#readPoints() };
  }

  /**
   * Writes the metadata lines from `start` to `end` of the input that are printed like those of a table, at times 1 µs apart, and folds their
   * values; undefined when already the first is not, or holds a value that is not read here.
   */
  writeMetadata(range: LineRange, run: MetadataRun): WrittenMetadata | undefined {
    if (!this.#setHead(run.head) || !this.#setTime(run.firstTimeNs)) return undefined;
    const lines = this.#metadata.write(range, run);
    if (lines === 0) return undefined;
    this.#timeNs = undefined;
    const { lastStart, inputEnd, metadataPoints } = this.#exports;
    const [points, pointCount] = [this.#readPoints(), metadataPoints.value];
    return { lines, lastStart: lastStart.value, end: inputEnd.value, points, pointCount };
  }

  /** The lines that `writeOutput` would write, and repeats. */
  skipOutput(range: LineRange): TakenLines | undefined {
    const { skipOutput, lastStart, inputEnd } = this.#exports;
    const lines = skipOutput(range.start, range.end);
    return lines === 0 ? undefined : { lines, lastStart: lastStart.value, end: inputEnd.value };
  }

  #readPoints(): Uint8Array {
    return this.#bytes.subarray(this.#outputAt, this.#outputAt + this.#exports.outputEnd.value);
  }

  #setHead(head: Uint8Array): boolean {
    if (this.#head === head) return true;
    if (head.length > this.#exports.HEAD_BYTES.value) return false;
    this.#bytes.set(head, this.#exports.HEAD_AT.value);
    this.#head = head;
    return true;
  }

  /** False before 2001 and after 2286: times of other lengths are not for here. */
  #setTime(timeNs: bigint): boolean {
    if (timeNs === this.#timeNs) return true;
    const { TIME_AT, TIME_DIGITS } = this.#exports;
    const text = String(timeNs);
    if (text.length !== TIME_DIGITS.value) return false;
    this.#bytes.write(text, TIME_AT.value, 'latin1');
    this.#timeNs = timeNs;
    return true;
  }
}

let kernel: LineKernel | null | undefined;

/** Undefined where WebAssembly is switched off, or there is no memory for it. */
export function openLineKernel(): LineKernel | undefined {
  kernel ??= createLineKernel();
  return kernel ?? undefined;
}

function createLineKernel(): LineKernel | null {
  try {
    const module = new WebAssembly.Module(Buffer.from(LINES_MODULE, 'base64'));
    return new LineKernel(new WebAssembly.Instance(module).exports as KernelExports);
  } catch {
    return null;
  }
}
