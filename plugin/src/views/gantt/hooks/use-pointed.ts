import { useMemo } from 'react';
import { findHit, type Hit, type RowBox } from '../model/boxes.js';
import { describeInstant, describeMany, describeSpan, type HoverContent } from '../model/hover-content.js';
import type { Lane } from '../model/lanes.js';
import { HEAD_PX } from '../model/paint-chart.js';
import { findRunning } from '../model/saturation.js';
import { toPx, toTimeMs, type Viewport } from '../model/viewport.js';
import type { Bars } from './use-bars.js';
import type { ChartPoint } from './gestures.js';

/** A part of the chart, in pixels from its left and upper edges. */
export interface ChartBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** What is under the mouse, or that the keyboard is at. */
export interface Pointed {
  readonly timeMs: number;
  readonly content: HoverContent;
  /** The place of the name, for its colour. */
  readonly nameAt: number | undefined;
  readonly outline: ChartBox | undefined;
}

export interface PointedInput {
  readonly bars: Bars;
  readonly viewport: Viewport;
  readonly scrollPx: number;
  readonly gutterPx: number;
  readonly timeZone: string;
  readonly presentMs: number;
}

/** A bar narrower than this is clicked as a whole: nobody hits an instant in it. */
const NARROW_BAR_PX = 8;

function findLane(boxes: readonly RowBox[], { boxAt, laneAt }: Hit): Lane | undefined {
  return boxes[boxAt]?.row.lanes[laneAt];
}

function placeHit(boxes: readonly RowBox[], lane: Lane, hit: Hit, input: PointedInput): ChartBox | undefined {
  const box = boxes[hit.boxAt];
  const { viewport, gutterPx, scrollPx, presentMs } = input;
  if (box === undefined) return undefined;
  const endMs = Math.min(lane.ends[hit.first + hit.count - 1] ?? 0, Math.max(presentMs, lane.starts[hit.first] ?? 0));
  const [left = 0, right = 0] = [lane.starts[hit.first] ?? 0, endMs].map((timeMs) =>
    Math.min(viewport.widthPx, Math.max(0, toPx(timeMs, viewport)))
  );
  const top = HEAD_PX + box.lanesTopPx + hit.laneAt * box.laneHeightPx - scrollPx;
  if (top < HEAD_PX - box.laneHeightPx) return undefined;
  return { left: gutterPx + left, top, width: Math.max(2, right - left), height: box.laneHeightPx };
}

/** Describes a hit. `timeMs`: the instant that is pointed at; by default its start. */
export function describeHit(
  boxes: readonly RowBox[],
  hit: Hit,
  input: PointedInput,
  timeMs?: number
): Pointed | undefined {
  const lane = findLane(boxes, hit);
  const span = lane?.spans[hit.first];
  if (lane === undefined || span === undefined) return undefined;
  const content = hit.count > 1 ? describeMany(lane, hit.first, hit.count, input) : describeSpan(span, input);
  const outline = placeHit(boxes, lane, hit, input);
  const isNarrow = (outline?.width ?? 0) < NARROW_BAR_PX;
  const nameAt = hit.count > 1 ? undefined : span.nameAt;
  return { timeMs: timeMs === undefined || isNarrow ? span.startMs : timeMs, content, nameAt, outline };
}

/** What is at a place of the chart, undefined beside the part where time is. What a search finds goes first. */
export function findPointed({ xPx, yPx }: Pick<ChartPoint, 'xPx' | 'yPx'>, input: PointedInput): Pointed | undefined {
  const { bars, viewport, scrollPx, timeZone } = input;
  if (xPx < 0 || xPx > viewport.widthPx) return undefined;
  const msPerPx = (viewport.max - viewport.min) / viewport.widthPx;
  // Nobody points at parts of a millisecond where a pixel is many of them.
  const timeMs = msPerPx >= 1 ? Math.round(toTimeMs(xPx, viewport)) : toTimeMs(xPx, viewport);
  for (const boxes of bars.found === undefined ? [bars.boxes] : [bars.found, bars.boxes]) {
    const hit = yPx < HEAD_PX ? undefined : findHit(boxes, viewport, xPx, yPx - HEAD_PX + scrollPx);
    const pointed = hit === undefined ? undefined : describeHit(boxes, hit, input, timeMs);
    if (pointed !== undefined) return pointed;
  }
  const content = describeInstant(timeMs, findRunning(bars.saturation, timeMs), timeZone);
  return { timeMs, content, nameAt: undefined, outline: undefined };
}

export function usePointed(point: ChartPoint | undefined, input: PointedInput): Pointed | undefined {
  const { bars, viewport, scrollPx, gutterPx, timeZone, presentMs } = input;
  return useMemo(
    () => point && findPointed(point, { bars, viewport, scrollPx, gutterPx, timeZone, presentMs }),
    [point, bars, viewport, scrollPx, gutterPx, timeZone, presentMs]
  );
}
