import { CONTROL_INDEX_MODULE } from './control-index-module.js';

/** The most bytes that are indexed at once. */
export const INDEX_BYTES = 64 * 1024;
/** Where the module writes its records, and how many there can be: one for each byte and one for the end. */
const RECORDS_AT = 128 * 1024;
const RECORD_LIMIT = INDEX_BYTES + 1;
/** Where it writes the texts of a plan: behind each a control, and one for the end. */
const TEXTS_AT = 1024 * 1024;
const TEXT_LIMIT = INDEX_BYTES / 2 + 2;

/** Where the control characters (U+0000 to U+001F, U+007F) of a text stand. Valid until the next text is indexed. */
export interface ControlIndex {
  readonly count: number;
  /** One bit for each kind that occurs: its code modulo 32, so that DEL stands for U+001F too. */
  readonly kinds: number;
  /** Two numbers for each control and for the end: its offset in bytes, and the most columns that all before it can take. */
  readonly records: Int32Array;
}

/** What bars leave to see. Valid until the next text is indexed. */
export interface FramePlan {
  /** FRAME_NUMBERS for each text that counts, in their order, from `first` on; the last text is empty and stands for the end. */
  readonly texts: Int32Array;
  readonly first: number;
  /** Some texts may be covered by later ones: not all characters have columns that are known here. */
  readonly isRough: boolean;
}

/** Where a text starts and ends in the bytes. */
export const START = 0;
export const END = 1;
/** The row on which it lands, from the top of the screen as it was before. */
export const ROW = 2;
/** How many rows have left the screen by then, and the lowest row to which line feeds went by then; -1: none came. */
export const SCROLLED = 3;
export const REACH = 4;
/** 1: it begins in the first column. */
export const IS_AT_START = 6;
export const FRAME_NUMBERS = 8;

/** What control-index.wat exports. */
interface ScannerExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly scan: (length: number) => number;
  readonly planFrames: (count: number, row: number, height: number) => number;
  readonly kinds: { readonly value: number };
  readonly isRough: { readonly value: number };
}

/** The part of the standard interface that is used here: the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
};

interface Scanner extends Omit<ScannerExports, 'memory'> {
  readonly bytes: Uint8Array;
  readonly records: Int32Array;
  readonly texts: Int32Array;
}

let scanner: Scanner | null | undefined;

/** Indexes at most INDEX_BYTES bytes. */
export function indexControls(bytes: Uint8Array): ControlIndex {
  scanner ??= createScanner();
  if (scanner === null) return indexPlainly(bytes);
  scanner.bytes.set(bytes);
  const count = scanner.scan(bytes.length);
  return { count, kinds: scanner.kinds.value, records: scanner.records };
}

/**
 * Runs the text, CR, LF and `ESC [ n A` that was indexed last, as far as there is nothing else, from a row of a screen on. It
 * must be valid UTF-8. Undefined without WebAssembly.
 */
export function planFrames(index: ControlIndex, row: number, height: number): FramePlan | undefined {
  if (scanner === null || scanner === undefined) return undefined;
  const first = (scanner.planFrames(index.count, row, height) - TEXTS_AT) / 4;
  return { texts: scanner.texts, first, isRough: scanner.isRough.value === 1 };
}

/** The same as indexControls without WebAssembly, where that is switched off or has no memory left. The columns hold for valid UTF-8. */
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
    columns += byte === 0xe2 && isNarrowSecondByte(bytes[i + 1] ?? 0) ? -1 : 1;
  }
  records[2 * count] = bytes.length;
  records[2 * count + 1] = columns;
  return { count, kinds, records };
}

/** Second byte of U+2500 to U+25BF and U+2800 to U+28FF. */
function isNarrowSecondByte(byte: number): boolean {
  return (byte >= 0x94 && byte <= 0x96) || (byte >= 0xa0 && byte <= 0xa3);
}

function createScanner(): Scanner | null {
  try {
    const module = new WebAssembly.Module(Buffer.from(CONTROL_INDEX_MODULE, 'base64'));
    const { memory, ...exports } = new WebAssembly.Instance(module).exports as ScannerExports;
    const bytes = new Uint8Array(memory.buffer, 0, INDEX_BYTES);
    const records = new Int32Array(memory.buffer, RECORDS_AT, 2 * RECORD_LIMIT);
    const texts = new Int32Array(memory.buffer, TEXTS_AT, FRAME_NUMBERS * TEXT_LIMIT);
    return { ...exports, bytes, records, texts };
  } catch {
    return null;
  }
}
