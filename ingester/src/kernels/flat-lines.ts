import { RENDER_LAYOUT, RENDER_MODULE } from './render-module.js';
import { instantiateModule } from './webassembly.js';

const { INPUT_AT, INPUT_BYTES, OUTPUT_AT } = RENDER_LAYOUT;

/** Lines as a console shows them, with no control character but LF. */
export interface FlatLines {
  /** Whole lines of the input, each ended by LF; valid until the next call. */
  readonly bytes: Buffer;
  readonly count: number;
  /** The start of the next line in the input. */
  readonly end: number;
}

/** The exports of ingester/assembly/render. */
interface FlattenerExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly flattenLines: (bytes: number) => number;
  readonly inputEnd: { readonly value: number };
  readonly outputEnd: { readonly value: number };
}

type Flatten = (bytes: Buffer, start: number, end: number) => FlatLines | undefined;

let flatten: Flatten | undefined;

/**
 * Flattens the whole lines from `start` on: without CR and tabs. The first must begin in the first column. Undefined if
 * the first line has other control characters, or a tab behind others than ASCII; and without WebAssembly.
 */
export function flattenLines(bytes: Buffer, start: number, end: number): FlatLines | undefined {
  flatten ??= createFlatten();
  return flatten(bytes, start, end);
}

function createFlatten(): Flatten {
  try {
    const exports = instantiateModule(RENDER_MODULE) as FlattenerExports;
    const memory = Buffer.from(exports.memory.buffer);
    return (bytes, start, end) => {
      const count = exports.flattenLines(bytes.copy(memory, INPUT_AT, start, Math.min(end, start + INPUT_BYTES)));
      if (count === 0) return undefined;
      const flat = memory.subarray(OUTPUT_AT, OUTPUT_AT + exports.outputEnd.value);
      return { bytes: flat, count, end: start + exports.inputEnd.value };
    };
  } catch {
    return () => undefined;
  }
}
