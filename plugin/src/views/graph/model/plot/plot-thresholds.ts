import uPlot from 'uplot';
import { readThresholds } from './field-style.js';
import type { PlotLine } from './plot-lines.js';
import type { PlotState } from './plot-state.js';
import { findExtent, readUnit } from '../scales/scale.js';
import { drawInside } from './plot-paths.js';

const AREA_ALPHA = 0.12;

function drawOne(
  plot: uPlot,
  context: CanvasRenderingContext2D,
  line: PlotLine,
  unit: number,
  resolve: (name: string) => string
): void {
  const { top, left, width, height } = plot.bbox;
  const style = line.style.thresholdStyle;
  const steps = readThresholds(line.model.column.field, findExtent(line.model.ys) ?? { min: 0, max: 1 });
  const clamp = (y: number): number => Math.min(top + height, Math.max(top, y));
  const toY = (value: number): number => {
    if (value === -Infinity) return top + height;
    return value === Infinity ? top : clamp(plot.valToPos(value / unit, 'y', true));
  };
  steps.forEach(({ from, colour }, index) => {
    context.fillStyle = resolve(colour);
    context.strokeStyle = resolve(colour);
    if (style.includes('area')) {
      const upper = toY(steps[index + 1]?.from ?? Infinity);
      context.globalAlpha = AREA_ALPHA;
      context.fillRect(left, upper, width, toY(from) - upper);
      context.globalAlpha = 1;
    }
    if (style === 'area' || !Number.isFinite(from)) return;
    context.lineWidth = uPlot.pxRatio;
    context.setLineDash(style.startsWith('dashed') ? [6 * uPlot.pxRatio, 4 * uPlot.pxRatio] : []);
    context.beginPath();
    context.moveTo(left, plot.valToPos(from / unit, 'y', true));
    context.lineTo(left + width, plot.valToPos(from / unit, 'y', true));
    context.stroke();
  });
}

/** The thresholds of the first visible line that shows any: those of several lines would cover each other. */
export function drawThresholds(plot: uPlot, state: PlotState, resolve: (name: string) => string): void {
  if (state.yScale.kind === 'share') return;
  const line = state.lines.find(({ isVisible, style }) => isVisible && style.thresholdStyle !== 'off');
  if (line !== undefined) drawInside(plot, (context) => drawOne(plot, context, line, readUnit(state.yScale), resolve));
}
