import { CONTROL_INDEX_MODULE } from './control-index-module.js';

/** The most bytes that are indexed at once. */
export const INDEX_BYTES = 64 * 1024;
/** Where the module writes its records, and how many there can be: one for each byte and one for the end. */
const RECORDS_AT = 128 * 1024;
const RECORD_LIMIT = INDEX_BYTES + 1;

/** Where the control characters (U+0000 to U+001F, U+007F) of a text stand. Valid until the next text is indexed. */
export interface ControlIndex {
  readonly count: number;
  /** One bit for each kind that occurs: its code modulo 32, so that DEL stands for U+001F too. */
  readonly kinds: number;
  /** Two numbers for each control and for the end: its offset in bytes, and the most columns that all before it can take. */
  readonly records: Int32Array;
}

/** What control-index.wat exports. */
interface ScannerExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly scan: (length: number) => number;
  readonly kinds: { readonly value: number };
}

/** The part of the standard interface that is used here: the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
};

interface Scanner {
  readonly bytes: Uint8Array;
  readonly records: Int32Array;
  readonly scan: (length: number) => number;
  readonly kinds: { readonly value: number };
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

/** The same without WebAssembly, where that is switched off or has no memory left. The columns hold for valid UTF-8. */
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
    const { memory, scan, kinds } = new WebAssembly.Instance(module).exports as ScannerExports;
    const bytes = new Uint8Array(memory.buffer, 0, INDEX_BYTES);
    return { bytes, records: new Int32Array(memory.buffer, RECORDS_AT, 2 * RECORD_LIMIT), scan, kinds };
  } catch {
    return null;
  }
}
