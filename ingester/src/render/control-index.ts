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

/** Known parameters of splitStyles, its plain text, and the lines. */
const KNOWN_AT = 0x210000;
const KNOWN_LIMIT = 32;
const PLAIN_AT = 0x220000;
const LINES_AT = 0x240000;

/** Lines of ASCII whose coloured form is what came. Valid until the next text is indexed. */
export interface SplitLines {
  readonly count: number;
  /** Where the lines end in the bytes. */
  readonly end: number;
  /** The text of all lines without their sequences and line feeds. */
  readonly plain: Uint8Array;
  /** For each line: the end of its plain text, its own end in the bytes, 1 if it has styles. */
  readonly lines: Int32Array;
}

/** What control-index.wat exports. */
interface ScannerExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly scan: (length: number) => number;
  readonly planFrames: (count: number, row: number, height: number) => number;
  readonly splitStyles: (record: number, count: number, from: number) => number;
  readonly kinds: { readonly value: number };
  readonly isRough: { readonly value: number };
  readonly splitEnd: { readonly value: number };
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
  readonly known: Uint8Array;
  readonly plain: Uint8Array;
  readonly lines: Int32Array;
}

let scanner: Scanner | null | undefined;
const knownStyles = new Set<string>();

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

/**
 * Takes whole lines of the ASCII text that was indexed last, from byte `from` and control `record` on, as long as their changes of
 * style are in the shortest form and known. Undefined without WebAssembly.
 */
export function splitStyles(index: ControlIndex, record: number, from: number): SplitLines | undefined {
  if (scanner === null || scanner === undefined) return undefined;
  const count = scanner.splitStyles(record, index.count, from);
  return { count, end: scanner.splitEnd.value, plain: scanner.plain, lines: scanner.lines };
}

/** Makes parameters of up to 7 characters known to splitStyles: alone they switch a style on in the shortest form. */
export function learnStyle(parameters: string): boolean {
  if (scanner === null || scanner === undefined || parameters.length > 7 || knownStyles.has(parameters)) return false;
  // A zero stays behind the last one.
  if (knownStyles.size === KNOWN_LIMIT - 1) {
    knownStyles.clear();
    scanner.known.fill(0);
  }
  scanner.known.set(Buffer.from(`${parameters}m`), 8 * knownStyles.size);
  knownStyles.add(parameters);
  return true;
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
    const known = new Uint8Array(memory.buffer, KNOWN_AT, 8 * KNOWN_LIMIT);
    const plain = new Uint8Array(memory.buffer, PLAIN_AT, INDEX_BYTES);
    const lines = new Int32Array(memory.buffer, LINES_AT, 3 * INDEX_BYTES);
    return { ...exports, bytes, records, texts, known, plain, lines };
  } catch {
    return null;
  }
}
