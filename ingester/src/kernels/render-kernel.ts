import { RENDER_LAYOUT, RENDER_MODULE } from './render-module.js';
import { instantiateModule } from './webassembly.js';

interface RenderExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly indexControls: (length: number) => number;
  readonly kinds: { readonly value: number };
  readonly planFrames: (count: number, row: number, column: number, height: number) => number;
}

/** The instance that indexes slices, with views of its memory. */
export interface RenderKernel {
  readonly exports: RenderExports;
  readonly memory: Buffer;
  readonly records: Int32Array;
}

let kernel: RenderKernel | null | undefined;

/** Undefined if WebAssembly is switched off, or there is no memory for it. */
export function openRenderKernel(): RenderKernel | undefined {
  if (kernel === undefined) kernel = createRenderKernel();
  return kernel ?? undefined;
}

function createRenderKernel(): RenderKernel | null {
  try {
    const exports = instantiateModule(RENDER_MODULE) as RenderExports;
    const { buffer } = exports.memory;
    return { exports, memory: Buffer.from(buffer), records: new Int32Array(buffer, RENDER_LAYOUT.RECORDS_AT) };
  } catch {
    return null;
  }
}
