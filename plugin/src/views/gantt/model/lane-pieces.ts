import { binarySearch } from './binary-search.js';
import type { Lane } from './lanes.js';
import { toTimeMs, type Viewport } from './viewport.js';

/**
 * A piece of a lane that is drawn: one span, or all that begin within a pixel and are no wider.
 * `strength`: the share of it in which something ran, from 0 to 1.
 */
export type VisitPiece = (leftPx: number, rightPx: number, first: number, count: number, strength: number) => void;

/** The first span that has not ended before an instant. Those of a lane end in the order of their starts. */
export function findFirstAt({ ends }: Lane, timeMs: number): number {
  return binarySearch(ends.length, (at) => (ends[at] ?? 0) >= timeMs);
}

/** The first from a place on that begins at an instant or later; it is mostly near. */
function findStartFrom({ starts }: Lane, timeMs: number, from: number): number {
  let step = 1;
  while (from + step < starts.length && (starts[from + step] ?? 0) < timeMs) step *= 2;
  const high = Math.min(starts.length, from + step);
  return binarySearch(high, (at) => (starts[at] ?? 0) >= timeMs, from);
}

/**
 * Visits what is seen of a lane, from left to right. There are no more pieces than two a pixel, however many spans.
 * An open span ends at `presentMs`.
 */
export function visitPieces(lane: Lane, viewport: Viewport, presentMs: number, visit: VisitPiece): void {
  const { starts, ends, ranMs, spans } = lane;
  const { min, max, widthPx } = viewport;
  const pxPerMs = widthPx / (max - min);
  const place = (timeMs: number): number => Math.min(widthPx, Math.max(0, (timeMs - min) * pxPerMs));
  const findEnd = (at: number): number => place(Math.min(ends[at] ?? 0, Math.max(presentMs, starts[at] ?? 0)));
  let at = findFirstAt(lane, min);
  while (at < starts.length && (starts[at] ?? Infinity) <= max) {
    const leftPx = place(starts[at] ?? 0);
    const rightPx = findEnd(at);
    if (rightPx - leftPx >= 1) {
      visit(leftPx, rightPx, at, 1, spans[at]?.fold?.busy ?? 1);
      at += 1;
      continue;
    }
    const pixel = Math.min(Math.floor(leftPx), widthPx - 1);
    let next = Math.max(at + 1, findStartFrom(lane, toTimeMs(pixel + 1, viewport), at));
    const last = next - 1;
    if (last > at && findEnd(last) - place(starts[last] ?? 0) >= 1) next = last;
    const ran = (ranMs[next] ?? 0) - (ranMs[at] ?? 0);
    visit(Math.max(0, pixel), Math.max(0, pixel) + 1, at, next - at, Math.min(1, ran * pxPerMs));
    at = next;
  }
}
