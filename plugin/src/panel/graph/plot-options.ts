import uPlot from 'uplot';
import { formatNumber } from '../number-format.js';
import type { PlotLine } from './plot-lines.js';
import { findXExtent, findYExtent, widenExtent, type Extent, type YScale } from './scale.js';
import { traceLine } from './trace-line.js';

/** uPlot.Scale.Distr.Logarithmic, a const enum that does not exist at run time. */
const LOGARITHMIC = { distr: 3 };
const LINE_WIDTH = 1.5;
const DOT_RADIUS = 2;
/** Points get dots while they stand at least this far apart. */
const DOT_DISTANCE_PX = 14;
const UNFOCUSED_ALPHA = 0.2;
const CURSOR_PROXIMITY_PX = 40;

/** What a running plot reads anew at each draw. */
export interface PlotState {
  readonly lines: readonly PlotLine[];
  readonly xIsTime: boolean;
  readonly yScale: YScale;
  /** What X shows: the dashboard's time range or the part zoomed to; all X values when undefined. */
  readonly xRange: Extent | undefined;
}

export interface PlotLook {
  readonly text: string;
  readonly grid: string;
  readonly font: string;
  readonly timeZone: string;
}

export interface PlotEvents {
  readonly onCursor: (plot: uPlot) => void;
  readonly onSelect: (range: Extent) => void;
  readonly onReset: () => void;
}

function readXRange({ lines, xRange }: PlotState): Extent {
  return xRange ?? widenExtent(findXExtent(lines) ?? { min: 0, max: 1 });
}

function readYRange(state: PlotState, x: Extent): Extent {
  if (state.yScale === 'share') return { min: -0.02, max: 1.02 };
  const visible = state.lines.filter((line) => line.isVisible);
  const found = findYExtent(visible, x);
  if (state.yScale === 'log') {
    const { min, max } = found ?? { min: 1, max: 10 };
    const [low, high] = uPlot.rangeLog(min, max, 10, false);
    return { min: low ?? min, max: high ?? max };
  }
  const { min, max } = widenExtent(found ?? { min: 0, max: 1 });
  const [low, high] = uPlot.rangeNum(min, max, 0.08, true);
  return { min: low ?? min, max: high ?? max };
}

/** A path builder that draws a line's own points in print order, not uPlot's sorted ones: X may fall back or repeat. */
function createPaths(readState: () => PlotState): uPlot.Series.PathBuilder {
  return (plot, seriesIndex) => {
    const line = readState().lines[seriesIndex - 1];
    if (line === undefined) return null;
    const { xs, ys } = line;
    const toX = (index: number): number => plot.valToPos(xs[index] ?? NaN, 'x', true);
    const toY = (index: number): number => plot.valToPos(ys[index] ?? NaN, 'y', true);
    const stroke = new Path2D();
    const fill = new Path2D();
    const fallsBack = (index: number): boolean => (xs[index] ?? 0) < (xs[index - 1] ?? -Infinity);
    const alone = traceLine(stroke, { toX, toY, count: xs.length, isBreak: fallsBack });
    const hasRoom = xs.length * DOT_DISTANCE_PX * uPlot.pxRatio < plot.bbox.width;
    const dots = hasRoom ? xs.map((_, index) => index) : alone;
    for (const index of dots) addDot(fill, toX(index), toY(index));
    return { stroke, fill, clip: null, band: null, gaps: [], flags: 0 };
  };
}

function addDot(path: Path2D, x: number, y: number): void {
  if (!Number.isFinite(y)) return;
  const radius = DOT_RADIUS * uPlot.pxRatio;
  path.moveTo(x + radius, y);
  path.arc(x, y, radius, 0, 2 * Math.PI);
}

function createSeries(line: PlotLine, paths: uPlot.Series.PathBuilder): uPlot.Series {
  return {
    label: line.model.name,
    scale: 'y',
    stroke: line.colour,
    fill: line.colour,
    width: LINE_WIDTH,
    show: line.isVisible,
    points: { show: false },
    paths,
  };
}

function formatTick(value: number | null, scale: YScale): string {
  if (value === null) return '';
  return scale === 'share' ? `${Math.round(value * 100)}%` : formatNumber(Number(value.toPrecision(12)));
}

/** As wide as its widest label. */
function measureAxis(plot: uPlot, labels: readonly (string | null)[] | null, axisIndex: number): number {
  const longest = (labels ?? []).reduce<string>(
    (all, label) => ((label ?? '').length > all.length ? (label ?? '') : all),
    ''
  );
  const axis = plot.axes[axisIndex];
  if (axis === undefined || longest === '') return 30;
  plot.ctx.save();
  plot.ctx.font = Array.isArray(axis.font) ? String(axis.font[0]) : '12px sans-serif';
  const width = plot.ctx.measureText(longest).width / uPlot.pxRatio;
  plot.ctx.restore();
  return Math.ceil(width) + 16;
}

function createAxes(state: PlotState, look: PlotLook): uPlot.Axis[] {
  const common = {
    stroke: look.text,
    font: `12px ${look.font}`,
    grid: { stroke: look.grid, width: 1 },
    ticks: { stroke: look.grid, width: 1, size: 4 },
    gap: 4,
  };
  const x: uPlot.Axis = { ...common, scale: 'x', size: 28, space: state.xIsTime ? 80 : 60 };
  if (!state.xIsTime) x.values = (_plot, ticks) => ticks.map((tick) => formatTick(tick, 'linear'));
  const y: uPlot.Axis = {
    ...common,
    scale: 'y',
    space: 30,
    size: (plot, labels, axisIndex) => measureAxis(plot, labels, axisIndex),
    values: (_plot, ticks) => ticks.map((tick) => formatTick(tick as number | null, state.yScale)),
  };
  return [x, y];
}

function createScales(readState: () => PlotState): uPlot.Scales {
  const { xIsTime, yScale } = readState();
  return {
    x: {
      time: xIsTime,
      range: () => {
        const { min, max } = readXRange(readState());
        return [min, max];
      },
    },
    y: {
      ...(yScale === 'log' && LOGARITHMIC),
      range: (plot) => {
        const state = readState();
        const whole = readXRange(state);
        const { min, max } = readYRange(state, {
          min: plot.scales['x']?.min ?? whole.min,
          max: plot.scales['x']?.max ?? whole.max,
        });
        return [min, max];
      },
    },
  };
}

function readTimeZone(timeZone: string): string | undefined {
  if (timeZone === 'browser' || timeZone === '') return undefined;
  return timeZone === 'utc' ? 'Etc/UTC' : timeZone;
}

/** uPlot's options for these lines; what changes without a new plot is read through `readState`. */
export function createPlotOptions(
  readState: () => PlotState,
  size: { readonly width: number; readonly height: number },
  look: PlotLook,
  events: PlotEvents
): uPlot.Options {
  const state = readState();
  const paths = createPaths(readState);
  const timeZone = readTimeZone(look.timeZone);
  return {
    ...size,
    ms: 1,
    padding: [8, 12, 0, 0],
    legend: { show: false },
    scales: createScales(readState),
    axes: createAxes(state, look),
    series: [{}, ...state.lines.map((line) => createSeries(line, paths))],
    focus: { alpha: UNFOCUSED_ALPHA },
    tzDate: (timeMs) => (timeZone === undefined ? new Date(timeMs) : uPlot.tzDate(new Date(timeMs), timeZone)),
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      hover: { prox: CURSOR_PROXIMITY_PX },
      points: { size: 7 },
      bind: {
        dblclick: () => () => {
          events.onReset();
          return null;
        },
      },
    },
    hooks: {
      setCursor: [events.onCursor],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width <= 0) return;
          const range = { min: plot.posToVal(left, 'x'), max: plot.posToVal(left + width, 'x') };
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          events.onSelect(range);
        },
      ],
    },
  };
}
