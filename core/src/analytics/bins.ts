import type { TimeWindow } from './transition.js';

/**
 * Reports at a resolution have an edge at each multiple of the step since the epoch, so that edges stay where they are
 * when a range moves on. An instant counts at the first edge that is not before it.
 */
export function findEdgeMs(timeMs: number, stepMs: number): number {
  return Math.ceil(timeMs / stepMs) * stepMs;
}

/** The bins of a window, in order: from one edge to the next, the first and the last one cut by the window. */
export function listBins({ fromMs, toMs }: TimeWindow, stepMs: number): TimeWindow[] {
  const bins: TimeWindow[] = [];
  for (let beginMs = fromMs; beginMs < toMs;) {
    const endMs = Math.min(findEdgeMs(beginMs + 1, stepMs), toMs);
    bins.push({ fromMs: beginMs, toMs: endMs });
    beginMs = endMs;
  }
  return bins;
}
