import { dateTimeFormat } from '@grafana/data';
import { findTurns } from '@joblens/core';
import uPlot from 'uplot';
import { formatNumber } from '../parts/number-format.js';
import type { PlotLine } from './plot-lines.js';
import { findXExtent, findYExtent, padExtent, widenExtent, type Extent, type YScale } from './scale.js';
import { filterLogTicks } from './log-ticks.js';
import { chooseTimeFormat } from './time-ticks.js';
import { traceLine } from './trace-line.js';

/** Values of uPlot.Scale.Distr, a const enum that does not exist at run time. */
const LOGARITHMIC: number = 3;
const ARCSINH: number = 4;
const LINE_WIDTH = 1.5;
const TICK_SPACE_PX = 30;
const DOT_RADIUS = 2;
/** Points that are at least this far apart get dots. */
const DOT_DISTANCE_PX = 14;
const UNFOCUSED_ALPHA = 0.2;
const CURSOR_PROXIMITY_PX = 40;

/** A running plot reads this anew at each draw. */
export interface PlotState {
  readonly lines: readonly PlotLine[];
  readonly xIsTime: boolean;
  readonly yScale: YScale;
  /** The visible part of X: the dashboard's time range, or the part zoomed to. Undefined: all values. */
  readonly xRange: Extent | undefined;
}

interface PlotLook {
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
  return xRange ?? padExtent(widenExtent(findXExtent(lines) ?? { min: 0, max: 1 }));
}

/**
 * The extent of Y within the X range. The plot's own X scale cannot tell: while both change, it is still the old one.
 */
function readYRange(state: PlotState): Extent {
  if (state.yScale.kind === 'share') return { min: -0.02, max: 1.02 };
  const visible = state.lines.filter((line) => line.isVisible);
  const found = findYExtent(visible, readXRange(state));
  if (state.yScale.kind === 'log' || state.yScale.kind === 'symlog') {
    const { min, max } = found ?? { min: 1, max: 10 };
    const isLog = state.yScale.kind === 'log';
    const [low, high] = isLog ? uPlot.rangeLog(min, max, 10, false) : uPlot.rangeAsinh(min, max, 10, false);
    return widenExtent({ min: low ?? min, max: high ?? max });
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
    const toY = (index: number): number => {
      const y = ys[index] ?? NaN;
      // A logarithmic scale of uPlot draws NaN at its bottom.
      return Number.isFinite(y) ? plot.valToPos(y, 'y', true) : NaN;
    };
    const stroke = new Path2D();
    const fill = new Path2D();
    const alone = traceLine(stroke, { toX, toY, count: xs.length, isBreak: findTurns(xs) });
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

const COMPACT_FROM = 1e6;
const compactFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 5 });

function formatTick(value: number | null, scale?: YScale): string {
  if (value === null) return '';
  if (scale?.kind === 'share') return `${Math.round(value * 100)}%`;
  const rounded = Number(value.toPrecision(12));
  const isCompact = Math.abs(rounded) >= COMPACT_FROM && Math.abs(rounded) < 1e15;
  return isCompact ? compactFormat.format(rounded) : formatNumber(rounded);
}

/** 1, 2, 5, 10, 20 …: the steps between ticks of an axis whose values are all integers. */
const INTEGER_STEPS = Array.from({ length: 15 }, (_, decade) => [1, 2, 5].map((step) => step * 10 ** decade)).flat();

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
  if (state.xIsTime) {
    x.values = (plot, ticks, _axisIndex, _space, stepMs) => {
      const { min, max } = plot.scales['x'] ?? {};
      const format = chooseTimeFormat(stepMs, (max ?? 0) - (min ?? 0));
      return ticks.map((tick) => dateTimeFormat(tick, { timeZone: look.timeZone, format }));
    };
  } else {
    x.values = (_plot, ticks) => ticks.map((tick) => formatTick(tick));
    if (state.lines.every((line) => line.xs.every(Number.isInteger))) x.incrs = INTEGER_STEPS;
  }
  const isLog = state.yScale.kind === 'log' || state.yScale.kind === 'symlog';
  const y: uPlot.Axis = {
    ...common,
    scale: 'y',
    space: TICK_SPACE_PX,
    ...(isLog && {
      filter: filterYTicks,
      grid: { ...common.grid, filter: filterYTicks },
      ticks: { ...common.ticks, filter: filterYTicks },
    }),
    size: (plot, labels, axisIndex) => measureAxis(plot, labels, axisIndex),
    values: (_plot, ticks) => ticks.map((tick) => formatTick(tick as number | null, state.yScale)),
  };
  return [x, y];
}

function createDistribution(scale: YScale): { distr?: number; asinh?: number } {
  if (scale.kind === 'log') return { distr: LOGARITHMIC };
  return scale.kind === 'symlog' ? { distr: ARCSINH, asinh: scale.threshold } : {};
}

function filterYTicks(plot: uPlot, ticks: number[]): (number | null)[] {
  const { min, max } = plot.scales['y'] ?? {};
  const room = plot.bbox.height / uPlot.pxRatio / TICK_SPACE_PX;
  return filterLogTicks(ticks, { min: min ?? -Infinity, max: max ?? Infinity }, room);
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
      // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the enum has no values at run time
      ...createDistribution(yScale),
      range: () => {
        const { min, max } = readYRange(readState());
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
