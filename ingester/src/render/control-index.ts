import { instantiateModule } from '../kernels/webassembly.js';
import { RENDER_MODULE } from './render-module.js';

/** The most bytes that are indexed at once: a chunk of 64 KiB, and what was left of the one before. */
export const INDEX_BYTES = 64 * 1024 + 64;

/** Where the control characters (U+0000 to U+001F, U+007F) of a text stand. Valid until the next text is indexed. */
export interface ControlIndex {
  readonly count: number;
  /** One bit for each kind that occurs: its code modulo 32, so that DEL stands for U+001F too. */
  readonly kinds: number;
  /** Two numbers for each control and for the end: its offset in bytes, and the most columns that all before it can take. */
  readonly records: Int32Array;
}

/** What bars leave to see. Rows are counted from the top of the screen as it was before. Valid until the next text is indexed. */
export interface FramePlan {
  /** Where the bars end in the bytes. */
  readonly end: number;
  /** Bytes at the start that are to be printed first, where the cursor stands. */
  readonly first: number;
  /** What is then to be printed over the start of rows, from top to bottom: TEXT_NUMBERS for each. */
  readonly count: number;
  readonly texts: Int32Array;
  /** The bytes of all texts: characters of one or two columns and one UTF-16 unit each, no marks. */
  readonly textBytes: Buffer;
  /** How many rows have left the screen in the end, and the lowest row to which line feeds went; -1: none came. */
  readonly scrolled: number;
  readonly reach: number;
  /** Where the cursor is in the end; column -1: where `first` leaves it. */
  readonly row: number;
  readonly column: number;
}

/** The row of a text, where its bytes begin and end, its columns, and how many of them the frame has that was printed last. */
export const TEXT_ROW = 0;
export const TEXT_START = 1;
export const TEXT_END = 2;
export const TEXT_COLUMNS = 3;
export const TEXT_LAST_COLUMNS = 4;
export const TEXT_NUMBERS = 5;

interface Global {
  readonly value: number;
}

/** What ingester/assembly/render exports. */
interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly BYTES_AT: Global;
  readonly BYTE_LIMIT: Global;
  readonly RECORDS_AT: Global;
  readonly PLAN_AT: Global;
  readonly TEXT_AT: Global;
  readonly TEXTS_AT: Global;
  readonly indexControls: (length: number) => number;
  readonly kinds: Global;
  readonly planFrames: (count: number, row: number, column: number, height: number) => number;
}

/** The kernel with views of its memory. */
interface Kernel {
  readonly exports: KernelExports;
  readonly bytes: Uint8Array;
  readonly records: Int32Array;
  readonly plan: Int32Array;
  readonly texts: Int32Array;
  readonly textBytes: Buffer;
}

let kernel: Kernel | null | undefined;

/** Indexes at most INDEX_BYTES bytes. */
export function indexControls(bytes: Uint8Array): ControlIndex {
  kernel ??= createKernel();
  if (kernel === null) return indexPlainly(bytes);
  kernel.bytes.set(bytes);
  const count = kernel.exports.indexControls(bytes.length);
  return { count, kinds: kernel.exports.kinds.value, records: kernel.records };
}

/**
 * Runs the text, CR, LF and `ESC [ n A` that was indexed last, as far as there is nothing else, from a place on a screen on.
 * Undefined when characters whose columns are not known there stay to be seen, and without WebAssembly.
 */
export function planFrames(index: ControlIndex, row: number, column: number, height: number): FramePlan | undefined {
  if (kernel === null || kernel === undefined) return undefined;
  if (kernel.exports.planFrames(index.count, row, column, height) === 0) return undefined;
  const { plan, texts, textBytes } = kernel;
  return {
    texts,
    textBytes,
    end: plan[0] ?? 0,
    first: plan[1] ?? 0,
    count: plan[2] ?? 0,
    scrolled: plan[3] ?? 0,
    reach: plan[4] ?? 0,
    row: plan[5] ?? 0,
    column: plan[6] ?? 0,
  };
}

/** The same as indexControls without WebAssembly, where that is switched off or has no memory left. */
export function indexPlainly(bytes: Uint8Array): ControlIndex {
  const records = new Int32Array(2 * (bytes.length + 1));
  let count = 0;
  let kinds = 0;
  let columns = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x20 || byte === 0x7f) {
      kinds |= 1 << (byte & 31);
      records[2 * count] = i;
      records[2 * count + 1] = columns;
      count++;
    }
    // A character has at most as many columns as bytes, boxes, blocks and braille have one for three.
    columns += isNarrowAt(bytes, i) ? -1 : 1;
  }
  records[2 * count] = bytes.length;
  records[2 * count + 1] = columns;
  return { count, kinds, records };
}

/** U+2500 to U+25BF or U+2800 to U+28FF begins here. */
function isNarrowAt(bytes: Uint8Array, at: number): boolean {
  const second = bytes[at + 1] ?? 0;
  if (bytes[at] !== 0xe2 || ((bytes[at + 2] ?? 0) & 0xc0) !== 0x80) return false;
  return (second >= 0x94 && second <= 0x96) || (second >= 0xa0 && second <= 0xa3);
}

function createKernel(): Kernel | null {
  try {
    const exports = instantiateModule(RENDER_MODULE) as KernelExports;
    const { buffer } = exports.memory;
    return {
      exports,
      bytes: new Uint8Array(buffer, exports.BYTES_AT.value, exports.BYTE_LIMIT.value),
      records: new Int32Array(buffer, exports.RECORDS_AT.value),
      plan: new Int32Array(buffer, exports.PLAN_AT.value, 7),
      texts: new Int32Array(buffer, exports.TEXTS_AT.value),
      textBytes: Buffer.from(buffer, exports.TEXT_AT.value, INDEX_BYTES),
    };
  } catch {
    return null;
  }
}
