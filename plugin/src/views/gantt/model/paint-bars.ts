import { createBarBatches } from './bar-batches.js';
import { findBoxAt, type RowBox } from './boxes.js';
import type { BarLook } from './colours.js';
import { visitPieces } from './lane-pieces.js';
import type { Lane } from './lanes.js';
import type { Viewport } from './viewport.js';

/** Bars, and what is needed to draw them in a part of a canvas whose origin is that of the rows in sight. */
export interface BarsToPaint {
  readonly viewport: Viewport;
  /** How far the rows are scrolled, and the height in which they are seen. */
  readonly scrollPx: number;
  readonly heightPx: number;
  /** By the place of a span's name. */
  readonly looks: readonly BarLook[];
  readonly background: string;
  /** Open spans are drawn to this time. */
  readonly presentMs: number;
  /** The font of names on bars, or undefined for none. */
  readonly font: string | undefined;
  /** 1, or less for what a search does not find. */
  readonly alpha: number;
}

/** A bar with room for words, or an open one. */
interface WideBar {
  readonly name: string;
  readonly look: BarLook | undefined;
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Bars as wide as this leave a gap to the next one. */
const GAP_FROM_PX = 3;
const LEAST_TEXT_PX = 22;
const LEAST_TEXT_LANE_PX = 12;
const TEXT_PADDING_PX = 4;

/** The rows that are seen, even in part. */
export function visitBoxesInSight(
  boxes: readonly RowBox[],
  { scrollPx, heightPx }: Pick<BarsToPaint, 'scrollPx' | 'heightPx'>,
  visit: (box: RowBox, at: number) => void
): void {
  for (let at = findBoxAt(boxes, scrollPx); at < boxes.length; at++) {
    const box = boxes[at];
    if (box === undefined || box.topPx >= scrollPx + heightPx) return;
    visit(box, at);
  }
}

/** Where a bar is, and how wide. Slots are next to each other: what two of them drew would be a stripe. */
function placeBar(leftPx: number, rightPx: number, isFold: boolean): readonly [leftPx: number, widthPx: number] {
  if (isFold) return [Math.round(leftPx), Math.round(rightPx) - Math.round(leftPx)];
  const widthPx = rightPx - leftPx;
  return [leftPx, widthPx >= GAP_FROM_PX ? widthPx - 1 : widthPx];
}

/** Draws what is in sight of all rows; costs what the pixels cost, not the spans. */
export function paintBars(context: CanvasRenderingContext2D, boxes: readonly RowBox[], bars: BarsToPaint): void {
  const batches = createBarBatches();
  const [named, open]: [WideBar[], WideBar[]] = [[], []];
  const addLane = (lane: Lane, topPx: number, heightPx: number): void => {
    visitPieces(lane, bars.viewport, bars.presentMs, (leftPx, rightPx, first, count, strength) => {
      const span = lane.spans[first];
      if (span === undefined) return;
      const isFold = span.fold !== undefined;
      if (isFold && strength === 0) return;
      const [left, widthPx] = placeBar(leftPx, rightPx, isFold);
      batches.add(span.nameAt, strength, left, topPx, widthPx, heightPx);
      if (isFold || count > 1) return;
      const hasRoom = widthPx >= LEAST_TEXT_PX && heightPx >= LEAST_TEXT_LANE_PX;
      const isOpen = span.endMs === Infinity && rightPx < bars.viewport.widthPx;
      if (!hasRoom && !isOpen) return;
      const bar = { name: span.name, look: bars.looks[span.nameAt], leftPx: left, topPx, widthPx, heightPx };
      if (hasRoom) named.push(bar);
      if (isOpen) open.push(bar);
    });
  };
  visitBoxesInSight(boxes, bars, (box) => {
    const gapPx = box.laneHeightPx >= 6 ? 1 : 0;
    box.row.lanes.forEach((lane, at) => {
      const topPx = box.lanesTopPx + at * box.laneHeightPx - bars.scrollPx;
      if (topPx + box.laneHeightPx > 0 && topPx < bars.heightPx) addLane(lane, topPx, box.laneHeightPx - gapPx);
    });
  });
  batches.flush((look, alpha, rects) => {
    context.globalAlpha = alpha * bars.alpha;
    context.fillStyle = bars.looks[look]?.fill ?? 'grey';
    for (let at = 0; at < rects.length; at += 4) {
      context.fillRect(rects[at] ?? 0, rects[at + 1] ?? 0, rects[at + 2] ?? 0, rects[at + 3] ?? 0);
    }
  });
  context.globalAlpha = 1;
  markOpen(context, open, bars.background);
  if (bars.font !== undefined) paintNames(context, named, bars.font);
}

/** An end that is not known yet looks torn off. */
function markOpen(context: CanvasRenderingContext2D, open: readonly WideBar[], background: string): void {
  context.fillStyle = background;
  for (const { leftPx, topPx, widthPx, heightPx } of open) {
    if (widthPx < 12) continue;
    for (const distance of [3, 6]) context.fillRect(leftPx + widthPx - distance, topPx, 1, heightPx);
  }
}

const widths = new Map<string, number>();
/** Names are few, but a source may have an endless number of them. */
const MAX_WIDTHS = 20_000;

function measureText(context: CanvasRenderingContext2D, text: string): number {
  const key = `${context.font}\n${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (widths.size >= MAX_WIDTHS) widths.clear();
  const width = context.measureText(text).width;
  widths.set(key, width);
  return width;
}

/** As much of a text as there is room for; '' for no more than a sign or two. */
export function fitText(context: CanvasRenderingContext2D, text: string, roomPx: number): string {
  const widthPx = measureText(context, text);
  if (widthPx <= roomPx) return text;
  let length = Math.floor((text.length * roomPx) / widthPx);
  while (length > 1 && measureText(context, `${text.slice(0, length)}…`) > roomPx) length -= 1;
  return length > 1 ? `${text.slice(0, length)}…` : '';
}

function paintNames(context: CanvasRenderingContext2D, bars: readonly WideBar[], font: string): void {
  context.font = font;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  for (const { name, look, leftPx, topPx, widthPx, heightPx } of bars) {
    const text = fitText(context, name, widthPx - 2 * TEXT_PADDING_PX);
    if (text === '') continue;
    context.fillStyle = look?.text ?? 'black';
    context.fillText(text, leftPx + TEXT_PADDING_PX, topPx + heightPx / 2 + 0.5);
  }
}
