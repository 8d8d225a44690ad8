import { dateTimeFormat, formattedValueToString, getValueFormat } from '@grafana/data';
import uPlot from 'uplot';
import { formatNumber } from '../parts/number-format.js';
import { filterLogTicks } from './log-ticks.js';
import type { PlotLine } from './plot-lines.js';
import type { PlotState } from './plot-state.js';
import type { YScale } from './scale.js';
import { chooseTimeFormat, DURATION_STEPS_MS, formatDuration, MINUTE_MS } from './time-ticks.js';

export interface PlotLook {
  readonly text: string;
  readonly grid: string;
  readonly font: string;
  readonly timeZone: string;
  /** The code of a colour's name. */
  readonly resolveColour: (name: string) => string;
}

const TICK_SPACE_PX = 30;
/** In a low graph, several close ticks say more than a single one. */
const LOW_PLOT_PX = 120;
const LOW_TICK_SPACE_PX = 18;

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

/** Axes of graphs in one column begin alike, unless a label is long. */
const MIN_Y_AXIS_PX = 44;

/** As wide as its widest label. */
function measureAxis(plot: uPlot, labels: readonly (string | null)[] | null, axisIndex: number): number {
  const longest = (labels ?? []).reduce<string>(
    (all, label) => ((label ?? '').length > all.length ? (label ?? '') : all),
    ''
  );
  const axis = plot.axes[axisIndex];
  if (axis === undefined || longest === '') return MIN_Y_AXIS_PX;
  plot.ctx.save();
  plot.ctx.font = Array.isArray(axis.font) ? String(axis.font[0]) : '12px sans-serif';
  const width = plot.ctx.measureText(longest).width / uPlot.pxRatio;
  plot.ctx.restore();
  return Math.max(MIN_Y_AXIS_PX, Math.ceil(width) + 16);
}

/** The unit that all lines have, if someone has set one. */
function findSharedUnit(lines: readonly PlotLine[]): string | undefined {
  const [first, ...others] = new Set(lines.map(({ model }) => model.column.field.config.unit));
  return others.length === 0 && first !== '' ? first : undefined;
}

const MAX_TICK_DECIMALS = 4;
/** A label may be so far from its tick, as a share of it: `1.67 mins` may stand for 100 s, `2 KiB` not for 1,536 B. */
const MAX_TICK_ERROR = 0.005;

/** Ticks in a unit of Grafana, each with as many decimals as say where it is, and tell it from the others. */
function formatUnitTicks(ticks: readonly (number | null)[], unit: string): string[] {
  const format = getValueFormat(unit);
  const isNear = (tick: number, decimals: number): boolean => {
    const [rounded, value] = [decimals, MAX_TICK_DECIMALS].map((count) => Number(format(tick, count).text));
    return !(Math.abs((rounded ?? 0) - (value ?? 0)) > MAX_TICK_ERROR * Math.abs(value ?? 0));
  };
  const write = (tick: number, leastDecimals: number): string => {
    let decimals = leastDecimals;
    while (decimals < MAX_TICK_DECIMALS && !isNear(tick, decimals)) decimals++;
    return formattedValueToString(format(tick, decimals));
  };
  let labels: string[] = [];
  for (let decimals = 0; decimals <= MAX_TICK_DECIMALS; decimals++) {
    labels = ticks.map((tick) => (tick === null ? '' : write(tick, decimals)));
    const written = labels.filter((label) => label !== '');
    if (new Set(written).size === written.length) break;
  }
  return labels;
}

/** Grafana's units of durations, in milliseconds. */
const DURATION_UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function formatYTicks(ticks: readonly (number | null)[], { lines, yScale }: PlotState): string[] {
  const unit = findSharedUnit(lines);
  if (unit === undefined || yScale.kind === 'share') return ticks.map((tick) => formatTick(tick, yScale));
  const unitMs = DURATION_UNITS_MS[unit];
  const isLong = unitMs !== undefined && ticks.some((tick) => Math.abs(tick ?? 0) * unitMs >= MINUTE_MS);
  return isLong ? formatDurationTicks(ticks, unitMs) : formatUnitTicks(ticks, unit);
}

/** Grafana would write 75 min as `1.25 hours`. */
function formatDurationTicks(ticks: readonly (number | null)[], unitMs: number): string[] {
  return ticks.map((tick) => (tick === null ? '' : formatDuration(tick * unitMs)));
}

/** Durations are divided as people count time: 30 min, 1 hour; not 33 min, which is 2,000 s. */
function createYSteps({ lines, yScale }: PlotState): Pick<uPlot.Axis, 'incrs'> {
  const unitMs = DURATION_UNITS_MS[findSharedUnit(lines) ?? ''];
  const isLinear = yScale.kind === 'linear';
  return unitMs === undefined || !isLinear ? {} : { incrs: DURATION_STEPS_MS.map((stepMs) => stepMs / unitMs) };
}

/** How the X axis is divided and written. */
function createXTicks({ xKind, lines }: PlotState, look: PlotLook): Pick<uPlot.Axis, 'space' | 'values' | 'incrs'> {
  if (xKind === 'time') {
    return {
      space: 80,
      values: (plot, ticks, _axisIndex, _space, stepMs) => {
        const { min, max } = plot.scales['x'] ?? {};
        const format = chooseTimeFormat(stepMs, (max ?? 0) - (min ?? 0));
        return ticks.map((tick) => dateTimeFormat(tick, { timeZone: look.timeZone, format }));
      },
    };
  }
  if (xKind === 'relative') {
    return { space: 70, incrs: [...DURATION_STEPS_MS], values: (_plot, ticks) => ticks.map(formatDuration) };
  }
  return {
    space: 60,
    values: (_plot, ticks) => ticks.map((tick) => formatTick(tick)),
    ...(lines.every((line) => line.xs.every(Number.isInteger)) && { incrs: INTEGER_STEPS }),
  };
}

export function createAxes(state: PlotState, look: PlotLook): uPlot.Axis[] {
  const common = {
    stroke: look.text,
    font: `12px ${look.font}`,
    grid: { stroke: look.grid, width: 1 },
    ticks: { stroke: look.grid, width: 1, size: 4 },
    gap: 4,
  };
  const x: uPlot.Axis = { ...common, scale: 'x', size: 28, ...createXTicks(state, look) };
  const isLog = state.yScale.kind === 'log' || state.yScale.kind === 'symlog';
  const y: uPlot.Axis = {
    ...common,
    scale: 'y',
    space: (_plot, _axisIndex, _min, _max, heightPx) => (heightPx < LOW_PLOT_PX ? LOW_TICK_SPACE_PX : TICK_SPACE_PX),
    ...(isLog && {
      filter: filterYTicks,
      grid: { ...common.grid, filter: filterYTicks },
      ticks: { ...common.ticks, filter: filterYTicks },
    }),
    size: (plot, labels, axisIndex) => measureAxis(plot, labels, axisIndex),
    values: (_plot, ticks) => formatYTicks(ticks, state),
    ...createYSteps(state),
  };
  return [x, y];
}

function filterYTicks(plot: uPlot, ticks: number[]): (number | null)[] {
  const { min, max } = plot.scales['y'] ?? {};
  const room = plot.bbox.height / uPlot.pxRatio / TICK_SPACE_PX;
  return filterLogTicks(ticks, { min: min ?? -Infinity, max: max ?? Infinity }, room);
}
