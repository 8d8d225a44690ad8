import type { ConsoleRenderer } from '../render/console-renderer.js';
import { createConsoleRenderer } from '../render/console-renderer.js';

export interface RendererState {
  readonly firstId: number;
}
export interface ResumableRenderer extends ConsoleRenderer {
  takeState(kind: 'whole' | 'change'): RendererState;
}
export function mergeRendererState(_older: RendererState, change: RendererState): RendererState {
  return change;
}
export function createResumableRenderer(): ResumableRenderer {
  const renderer = createConsoleRenderer();
  return Object.assign(renderer, { takeState: () => ({ firstId: renderer.firstRewritableId }) });
}
