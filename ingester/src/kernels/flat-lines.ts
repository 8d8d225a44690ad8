import { RENDER_LAYOUT, RENDER_MODULE } from './render-module.js';
import { instantiateModule } from './webassembly.js';

const { INPUT_AT, INPUT_BYTES, OUTPUT_AT } = RENDER_LAYOUT;

/** Lines as a console shows them, with no control character but LF. */
export interface FlatLines {
  /** Whole lines of what came, each ended by LF; valid until others are flattened. */
  readonly bytes: Buffer;
  readonly count: number;
  /** Where in the bytes that came the next line begins. */
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
 * The whole lines from `start` on, of which the first begins in the first column, without CR and tabs. Undefined when
 * that takes a closer look at the first one already: it has other control characters, or a tab behind others than
 * ASCII; and without WebAssembly.
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
