import { openRenderKernel } from './render-kernel.js';
import { RENDER_LAYOUT } from './render-module.js';

/** The most bytes indexed at once: a chunk of 64 KiB, and the rest of the one before. */
export const { INDEX_BYTES } = RENDER_LAYOUT;

/** The control characters (U+0000 to U+001F, U+007F) of a text. Valid until the next text is indexed. */
export interface ControlIndex {
  readonly count: number;
  /** One bit for each kind that occurs: its code modulo 32, so DEL and U+001F share one. */
  readonly kinds: number;
  /**
   * Two numbers for each control, and for the end: its offset in bytes, and the most columns that the text before it
   * can take.
   */
  readonly records: Int32Array;
}

/** Indexes at most INDEX_BYTES bytes. */
export function indexControls(bytes: Uint8Array): ControlIndex {
  const kernel = openRenderKernel();
  if (kernel === undefined) return indexPlainly(bytes);
  const { exports, memory, records } = kernel;
  memory.set(bytes, RENDER_LAYOUT.BYTES_AT);
  const count = exports.indexControls(bytes.length);
  return { count, kinds: exports.kinds.value, records };
}

/** Does the same as indexControls without WebAssembly, which may be switched off or have no memory left. */
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
    // A character takes at most as many columns as bytes; boxes, blocks and braille take one for three.
    columns += isNarrowAt(bytes, i) ? -1 : 1;
  }
  records[2 * count] = bytes.length;
  records[2 * count + 1] = columns;
  return { count, kinds, records };
}

/** Whether U+2500 to U+25BF or U+2800 to U+28FF begins here. */
function isNarrowAt(bytes: Uint8Array, at: number): boolean {
  const second = bytes[at + 1] ?? 0;
  if (bytes[at] !== 0xe2 || ((bytes[at + 2] ?? 0) & 0xc0) !== 0x80) return false;
  return (second >= 0x94 && second <= 0x96) || (second >= 0xa0 && second <= 0xa3);
}
