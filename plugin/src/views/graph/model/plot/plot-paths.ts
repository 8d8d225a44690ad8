import { findTurns } from '@joblens/core/rows/segments';
import uPlot from 'uplot';
import { traceBand } from '../lines/line-band.js';
import type { PlotLine } from './plot-lines.js';
import type { PlotState } from './plot-state.js';
import { traceLine, type LinePen } from './trace-line.js';

const DOT_RADIUS = 2;
/** Points that are at least this far apart get dots. */
const DOT_DISTANCE_PX = 14;
const RAW_ALPHA = 0.25;
const MARK_SIZE_PX = 4;

/** Beyond this, a canvas draws no line at all. */
const FAR_PX = 1e9;

function limitPx(position: number): number {
  return Math.max(-FAR_PX, Math.min(FAR_PX, position));
}

function readX(plot: uPlot, line: PlotLine): (index: number) => number {
  return (index) => limitPx(plot.valToPos(line.xs[index] ?? NaN, 'x', true));
}

function readY(plot: uPlot, ys: readonly number[]): (index: number) => number {
  return (index) => {
    const y = ys[index] ?? NaN;
    // A logarithmic scale of uPlot draws NaN at its bottom.
    return Number.isFinite(y) ? limitPx(plot.valToPos(y, 'y', true)) : NaN;
  };
}

/** Goes to each point at the height of the one before, as a value does that holds until the next. */
export function createStepPen(pen: LinePen): LinePen {
  let lastY = NaN;
  return {
    moveTo(x, y) {
      pen.moveTo(x, y);
      lastY = y;
    },
    lineTo(x, y) {
      if (y !== lastY) pen.lineTo(x, lastY);
      pen.lineTo(x, y);
      lastY = y;
    },
  };
}

/** Traces the values of a line; returns the points that are alone in their segment. */
function trace(pen: LinePen, plot: uPlot, line: PlotLine, ys: readonly number[]): readonly number[] {
  const { xs } = line;
  const linePen = line.style.isStep ? createStepPen(pen) : pen;
  return traceLine(linePen, { toX: readX(plot, line), toY: readY(plot, ys), count: xs.length, isBreak: findTurns(xs) });
}

function addDot(path: Path2D, x: number, y: number): void {
  if (!Number.isFinite(y)) return;
  const radius = DOT_RADIUS * uPlot.pxRatio;
  path.moveTo(x + radius, y);
  path.arc(x, y, radius, 0, 2 * Math.PI);
}

function listDots(plot: uPlot, { xs, style }: PlotLine, alone: readonly number[]): readonly number[] {
  const hasRoom = xs.length * DOT_DISTANCE_PX * uPlot.pxRatio < plot.bbox.width;
  const isWanted = style.showPoints === 'always' || (style.showPoints === 'auto' && hasRoom);
  return isWanted ? xs.map((_, index) => index) : alone;
}

/** A path builder that draws a line's own points in print order, not uPlot's sorted ones: X may fall back or repeat. */
export function createPaths(readState: () => PlotState): uPlot.Series.PathBuilder {
  return (plot, seriesIndex) => {
    const line = readState().lines[seriesIndex - 1];
    if (line === undefined) return null;
    const stroke = new Path2D();
    const fill = new Path2D();
    const alone = trace(stroke, plot, line, line.ys);
    const [toX, toY] = [readX(plot, line), readY(plot, line.ys)];
    for (const index of listDots(plot, line, alone)) addDot(fill, toX(index), toY(index));
    return { stroke, fill, clip: null, band: null, gaps: [], flags: 0 };
  };
}

/** Closes each segment down to the base. */
function createAreaPen(path: Path2D, baseY: number): LinePen & { end(): void } {
  let last: { x: number; start: number } | undefined;
  const end = (): void => {
    if (last === undefined) return;
    path.lineTo(last.x, baseY);
    path.lineTo(last.start, baseY);
    last = undefined;
  };
  return {
    moveTo(x, y) {
      end();
      path.moveTo(x, baseY);
      path.lineTo(x, y);
      last = { x, start: x };
    },
    lineTo(x, y) {
      path.lineTo(x, y);
      last = { x, start: last?.start ?? x };
    },
    end,
  };
}

function addArea(path: Path2D, plot: uPlot, line: PlotLine, ys: readonly number[]): void {
  const pen = createAreaPen(path, plot.bbox.top + plot.bbox.height);
  trace(pen, plot, line, ys);
  pen.end();
}

/** Draws inside the axes, and leaves the canvas as it was. */
export function drawInside(plot: uPlot, draw: (context: CanvasRenderingContext2D) => void): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw(ctx);
  ctx.restore();
}

/** Bands of many lines lie on each other: the more there are, the paler each. */
const BAND_ALPHA = { fill: 0.22, edge: 0.4, leastFill: 0.05, leastEdge: 0.15 };

function drawBands(context: CanvasRenderingContext2D, plot: uPlot, visible: readonly PlotLine[]): void {
  const banded = visible.filter(({ band }) => band !== undefined);
  const share = Math.min(1, 2 / banded.length);
  for (const line of banded) {
    const { band = { mins: [], maxes: [] }, xs, colour } = line;
    const path = new Path2D();
    const [toLow, toHigh] = [readY(plot, band.mins), readY(plot, band.maxes)];
    traceBand(path, { toX: readX(plot, line), toLow, toHigh, count: xs.length, isBreak: findTurns(xs) });
    context.fillStyle = context.strokeStyle = colour;
    context.globalAlpha = Math.max(BAND_ALPHA.leastFill, BAND_ALPHA.fill * share);
    context.fill(path);
    // A spike is as thin as its edge.
    context.lineWidth = uPlot.pxRatio / 2;
    context.globalAlpha = Math.max(BAND_ALPHA.leastEdge, BAND_ALPHA.edge * share);
    context.stroke(path);
  }
}

/** Below the lines: their bands, the areas under them, and the values before smoothing, faintly. */
export function drawBackground(plot: uPlot, { lines }: PlotState): void {
  const visible = lines.filter((line) => line.isVisible);
  drawInside(plot, (context) => {
    drawBands(context, plot, visible);
    for (const line of visible) {
      if (line.style.fillOpacity === 0) continue;
      const path = new Path2D();
      addArea(path, plot, line, line.ys);
      if (line.baseYs !== undefined) addArea(path, plot, line, line.baseYs);
      context.fillStyle = line.colour;
      context.globalAlpha = line.style.fillOpacity / 100;
      // What is under both lines is no part of the area between them.
      context.fill(path, 'evenodd');
    }
    for (const line of visible) {
      if (line.rawYs === undefined) continue;
      const path = new Path2D();
      trace(path, plot, line, line.rawYs);
      context.strokeStyle = line.colour;
      context.lineWidth = line.style.lineWidth * uPlot.pxRatio;
      context.globalAlpha = RAW_ALPHA;
      context.stroke(path);
    }
  });
}

/** Infinity is a triangle at the upper edge, -Infinity one at the lower edge, NaN a cross above the lower edge. */
function addMark(path: Path2D, value: number, x: number, { top, height }: uPlot.BBox): void {
  const size = MARK_SIZE_PX * uPlot.pxRatio;
  if (Number.isNaN(value)) {
    const y = top + height - 2 * size;
    path.moveTo(x - size, y - size);
    path.lineTo(x + size, y + size);
    path.moveTo(x + size, y - size);
    path.lineTo(x - size, y + size);
    return;
  }
  const [edge, inside] = value > 0 ? [top, top + 2 * size] : [top + height, top + height - 2 * size];
  path.moveTo(x, edge);
  path.lineTo(x - size, inside);
  path.lineTo(x + size, inside);
  path.closePath();
}

/** Marks of more values than these would cover each other. */
const MAX_MARKS = 500;

/** Above the lines: where a value was printed as NaN or infinite. */
export function drawMarks(plot: uPlot, { lines }: PlotState): void {
  if (!lines.some((line) => line.isVisible && line.model.nonFinite.length > 0)) return;
  drawInside(plot, (context) => {
    for (const { model, colour, isVisible } of lines) {
      if (!isVisible) continue;
      const path = new Path2D();
      const stride = Math.ceil(model.nonFinite.length / MAX_MARKS);
      model.nonFinite.forEach(({ x, value }, place) => {
        if (place % stride === 0) addMark(path, value, plot.valToPos(x, 'x', true), plot.bbox);
      });
      context.strokeStyle = colour;
      context.fillStyle = colour;
      context.lineWidth = 1.5 * uPlot.pxRatio;
      context.stroke(path);
      context.fill(path);
    }
  });
}
