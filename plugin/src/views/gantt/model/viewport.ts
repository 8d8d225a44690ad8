import { DAY_MS } from '@joblens/core/numbers/time-units';
import type { Extent } from '../../graph/model/scales/scale.js';

/** A part of time and the pixels that it is drawn over. */
export interface Viewport extends Extent {
  readonly widthPx: number;
}

interface SpanTimes {
  readonly startMs: number;
  /** Infinity: it has not ended. */
  readonly endMs: number;
}

/** Doubles tell no two instants of today apart that are closer than a part of this. */
const LEAST_SPAN_MS = 1e-2;
const MOST_SPAN_MS = 20 * 366 * DAY_MS;

/** Spans that take less of the range than this are a sliver in it. */
const LEAST_SHARE = 0.1;
const MARGIN_SHARE = 0.02;

/** The part of a range that has all the spans, with a margin; undefined where they take enough of the range. */
export function fitSpans(spans: readonly SpanTimes[], { min, max }: Extent): Extent | undefined {
  let [from, to] = [max, min];
  for (const { startMs, endMs } of spans) {
    from = Math.min(from, startMs);
    to = Math.max(to, endMs);
  }
  [from, to] = [Math.max(min, from), Math.min(max, to)];
  if (to <= from || to - from >= (max - min) * LEAST_SHARE) return undefined;
  const marginMs = (to - from) * MARGIN_SHARE;
  return { min: from - marginMs, max: to + marginMs };
}

export function toPx(timeMs: number, { min, max, widthPx }: Viewport): number {
  return ((timeMs - min) / (max - min)) * widthPx;
}

export function toTimeMs(px: number, { min, max, widthPx }: Viewport): number {
  return min + (px / Math.max(1, widthPx)) * (max - min);
}

/** Makes the part `factor` times as long; the instant at `aroundMs` stays where it is. */
export function zoomBy({ min, max }: Extent, factor: number, aroundMs: number): Extent {
  const before = max - min;
  const after = Math.min(MOST_SPAN_MS, Math.max(LEAST_SPAN_MS, before * factor));
  const from = aroundMs - ((aroundMs - min) / before) * after;
  return { min: Math.max(0, from), max: Math.max(0, from) + after };
}

export function panBy({ min, max }: Extent, byMs: number): Extent {
  const from = Math.max(0, min + byMs);
  return { min: from, max: from + (max - min) };
}

/** The part moved as little as shows an instant, with some room around it. */
export function revealTime(extent: Extent, timeMs: number): Extent {
  const room = (extent.max - extent.min) / 10;
  if (timeMs < extent.min) return panBy(extent, timeMs - room - extent.min);
  return timeMs > extent.max ? panBy(extent, timeMs + room - extent.max) : extent;
}
