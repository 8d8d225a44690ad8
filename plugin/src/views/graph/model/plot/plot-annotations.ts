import uPlot from 'uplot';
import type { PlacedAnnotation } from '../lines/annotations.js';

const REGION_ALPHA = 0.1;
const DASH_PX = [5, 5];
const LINE_PX = 1.5;
const MARKER_PX = 5;

/** A dashed line over the height, with a marker below the X axis that points to it. */
function drawInstant(context: CanvasRenderingContext2D, left: number, { top, height }: uPlot.BBox): void {
  context.beginPath();
  context.moveTo(left, top);
  context.lineTo(left, top + height);
  context.stroke();
  const size = MARKER_PX * uPlot.pxRatio;
  context.beginPath();
  context.moveTo(left, top + height);
  context.lineTo(left - size, top + height + size);
  context.lineTo(left + size, top + height + size);
  context.fill();
}

/** A tinted part of the plot between two dashed lines, with a bar below the X axis. */
function drawRegion(
  context: CanvasRenderingContext2D,
  [left, right]: readonly [number, number],
  { top, height }: uPlot.BBox
): void {
  for (const edge of [left, right]) {
    context.beginPath();
    context.moveTo(edge, top);
    context.lineTo(edge, top + height);
    context.stroke();
  }
  context.fillRect(left, top + height, right - left, MARKER_PX * uPlot.pxRatio);
  context.globalAlpha = REGION_ALPHA;
  context.fillRect(left, top, right - left, height);
  context.globalAlpha = 1;
}

/** The dashboard's annotations, in the look of Grafana's own panels. */
export function drawAnnotations(
  plot: uPlot,
  annotations: readonly PlacedAnnotation[],
  resolveColour: (name: string) => string
): void {
  if (annotations.length === 0) return;
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  // The markers are below the plot.
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height + MARKER_PX * uPlot.pxRatio);
  ctx.clip();
  ctx.lineWidth = LINE_PX * uPlot.pxRatio;
  ctx.setLineDash(DASH_PX.map((px) => px * uPlot.pxRatio));
  for (const { annotation, x, endX } of annotations) {
    ctx.strokeStyle = ctx.fillStyle = resolveColour(annotation.colour);
    const left = plot.valToPos(x, 'x', true);
    if (endX === undefined) drawInstant(ctx, left, bbox);
    else drawRegion(ctx, [left, plot.valToPos(endX, 'x', true)], bbox);
  }
  ctx.restore();
}
