import { binarySearch } from './binary-search.js';
import { findFirstAt } from './lane-pieces.js';
import type { Lane } from './lanes.js';
import type { GanttRow } from './rows.js';
import { toPx, toTimeMs, type Viewport } from './viewport.js';

/** Where a row is drawn, in pixels from the top of all rows. */
export interface RowBox {
  readonly row: GanttRow;
  readonly topPx: number;
  readonly heightPx: number;
  /** Where the first lane begins. */
  readonly lanesTopPx: number;
  readonly laneHeightPx: number;
}

const LANE_PX = 18;
/** Many lanes share the height of so many, down to a height that can still be seen. */
const FULL_LANES = 16;
const LEAST_LANE_PX = 3;
const PADDING_PX = 3;
export const TITLE_PX = 16;

/** Rows below each other. In a narrow panel, titles are above the rows. */
export function stackRows(rows: readonly GanttRow[], hasTitlesAbove: boolean): readonly RowBox[] {
  const boxes: RowBox[] = [];
  let topPx = 0;
  for (const row of rows) {
    const count = Math.max(1, row.lanes.length);
    const laneHeightPx = Math.max(LEAST_LANE_PX, Math.min(LANE_PX, Math.floor((FULL_LANES * LANE_PX) / count)));
    const lanesTopPx = topPx + PADDING_PX + (hasTitlesAbove ? TITLE_PX : 0);
    const heightPx = lanesTopPx - topPx + count * laneHeightPx + PADDING_PX;
    boxes.push({ row, topPx, heightPx, lanesTopPx, laneHeightPx });
    topPx += heightPx;
  }
  return boxes;
}

export function measureRows(boxes: readonly RowBox[]): number {
  const last = boxes[boxes.length - 1];
  return last === undefined ? 0 : last.topPx + last.heightPx;
}

/** The place of the row at a height; that of the last one for a greater height. */
export function findBoxAt(boxes: readonly RowBox[], yPx: number): number {
  const at = binarySearch(boxes.length, (index) => (boxes[index]?.topPx ?? 0) > yPx) - 1;
  return Math.max(0, Math.min(boxes.length - 1, at));
}

/** One or more spans of a lane that are under the mouse, or that the keyboard is at. */
export interface Hit {
  readonly boxAt: number;
  readonly laneAt: number;
  readonly first: number;
  readonly count: number;
}

const REACH_PX = 3;
/** Narrower ones are told together, where there are several in a pixel. */
const OWN_PX = 2;

function measureWidth({ starts, ends }: Lane, at: number, viewport: Viewport): number {
  return toPx(ends[at] ?? 0, viewport) - toPx(starts[at] ?? 0, viewport);
}

/** The span at an instant, or the nearest within reach. */
function findNearest(lane: Lane, xPx: number, viewport: Viewport): number | undefined {
  const timeMs = toTimeMs(xPx, viewport);
  const next = findFirstAt(lane, timeMs);
  if ((lane.starts[next] ?? Infinity) <= timeMs) return next;
  const measure = (at: number): number => {
    if (at < 0 || at >= lane.starts.length) return Infinity;
    return Math.max(toPx(lane.starts[at] ?? 0, viewport) - xPx, xPx - toPx(lane.ends[at] ?? 0, viewport));
  };
  const best = measure(next - 1) <= measure(next) ? next - 1 : next;
  return measure(best) <= REACH_PX ? best : undefined;
}

/** What is at a place: all spans of its pixel where they are too narrow to be told apart. */
export function findHit(boxes: readonly RowBox[], viewport: Viewport, xPx: number, yPx: number): Hit | undefined {
  const boxAt = findBoxAt(boxes, yPx);
  const box = boxes[boxAt];
  if (box === undefined) return undefined;
  const laneAt = Math.floor((yPx - box.lanesTopPx) / box.laneHeightPx);
  const lane = box.row.lanes[laneAt];
  if (lane === undefined || xPx < 0 || xPx > viewport.widthPx) return undefined;
  const first = findNearest(lane, xPx, viewport);
  if (first === undefined) return undefined;
  if (measureWidth(lane, first, viewport) >= OWN_PX) return { boxAt, laneAt, first, count: 1 };
  const pixel = Math.floor(toPx(lane.starts[first] ?? 0, viewport));
  const from = findFirstAt(lane, toTimeMs(pixel, viewport));
  const endMs = toTimeMs(pixel + 1, viewport);
  const to = binarySearch(lane.starts.length, (at) => (lane.starts[at] ?? 0) >= endMs, from);
  return to - from > 1 ? { boxAt, laneAt, first: from, count: to - from } : { boxAt, laneAt, first, count: 1 };
}
