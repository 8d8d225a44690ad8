import { dateTimeFormat, formattedValueToString, getValueFormat } from '@grafana/data';
import { labelLogTicks, labelTicks } from '@joblens/core/numbers/tick-labels';
import uPlot from 'uplot';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@joblens/core/numbers/time-units';
import { BYTE_STEPS, chooseStep, INTEGER_STEPS, listLinearTicks, STEPS } from '../scales/axis-steps.js';
import { listLogTicks } from '../scales/log-ticks.js';
import type { PlotLine } from './plot-lines.js';
import type { PlotState } from './plot-state.js';
import { type Extent, readUnit } from '../scales/scale.js';
import { labelDurations } from '@joblens/core/words/duration';
import { chooseTimeFormat, DURATION_STEPS_MS } from '../scales/time-ticks.js';

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

/** Axes of graphs in one column begin alike, unless a label is long. */
const MIN_Y_AXIS_PX = 44;
const LABEL_GAP_PX = 16;

function measureLabels(plot: uPlot, labels: readonly (string | null)[], axisIndex: number): number {
  const font = plot.axes[axisIndex]?.font;
  plot.ctx.save();
  plot.ctx.font = Array.isArray(font) ? String(font[0]) : '12px sans-serif';
  const widths = labels.map((label) => plot.ctx.measureText(label ?? '').width / uPlot.pxRatio);
  plot.ctx.restore();
  return Math.ceil(Math.max(0, ...widths));
}

/** As wide as its widest label. */
function measureAxis(plot: uPlot, labels: readonly (string | null)[] | null, axisIndex: number): number {
  const width = measureLabels(plot, labels ?? [], axisIndex);
  return width === 0 ? MIN_Y_AXIS_PX : Math.max(MIN_Y_AXIS_PX, width + LABEL_GAP_PX);
}

/** The unit that all lines have, if someone has set one. */
function findSharedUnit(lines: readonly PlotLine[]): string | undefined {
  const [first, ...others] = new Set(lines.map(({ model }) => model.column.field.config.unit));
  return others.length === 0 && first !== '' ? first : undefined;
}

const MAX_TICK_DECIMALS = 12;
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
const DURATION_UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS };

function formatYTicks(drawn: readonly (number | null)[], { lines, yScale }: PlotState): string[] {
  if (yScale.kind === 'share') return drawn.map((tick) => (tick === null ? '' : `${Math.round(tick * 100)}%`));
  const drawnUnit = readUnit(yScale);
  const ticks = drawn.map((tick) => (tick === null ? null : tick * drawnUnit));
  const unit = findSharedUnit(lines);
  if (unit === undefined) return yScale.kind === 'linear' ? labelTicks(ticks) : labelLogTicks(ticks);
  const unitMs = DURATION_UNITS_MS[unit];
  const isLong = unitMs !== undefined && ticks.some((tick) => Math.abs(tick ?? 0) * unitMs >= MINUTE_MS);
  // Grafana would write 75 min as `1.25 hours`.
  return isLong ? labelDurations(ticks.map((tick) => tick && tick * unitMs)) : formatUnitTicks(ticks, unit);
}

const BYTE_UNITS = new Set(['bytes', 'binBps']);

/** Durations are divided as people count time: 30 min, 1 hour; not 33 min, which is 2,000 s. Bytes by powers of two. */
function listYSteps({ lines, yScale }: PlotState): number[] {
  const unit = findSharedUnit(lines) ?? '';
  const unitMs = DURATION_UNITS_MS[unit];
  if (yScale.kind !== 'linear') return STEPS;
  if (BYTE_UNITS.has(unit)) return BYTE_STEPS;
  return unitMs === undefined ? STEPS : DURATION_STEPS_MS.map((stepMs) => stepMs / unitMs);
}

function createYSteps(state: PlotState): Pick<uPlot.Axis, 'incrs' | 'splits'> {
  const { yScale } = state;
  const threshold = yScale.kind === 'symlog' ? yScale.threshold : 0;
  const isLog = yScale.kind === 'log' || yScale.kind === 'symlog';
  return {
    incrs: listYSteps(state),
    splits: (plot, _axisIndex, min, max, step) => {
      const room = plot.bbox.height / uPlot.pxRatio / TICK_SPACE_PX;
      return isLog ? listLogTicks({ min, max }, room, threshold) : listLinearTicks({ min, max }, step);
    },
  };
}

const MIN_X_SPACE_PX = 60;
const TIME_SPACE_PX = 80;
const DURATION_SPACE_PX = 70;
const MIN_RIGHT_PADDING_PX = 20;

/** Room for the longest label of a part of X. */
function measureXLabels(plot: uPlot, range: Extent, widthPx: number, steps: readonly number[]): number {
  const ticks = listLinearTicks(range, chooseStep(range, widthPx / MIN_X_SPACE_PX, steps));
  return measureLabels(plot, labelTicks(ticks), 0);
}

function readXSteps({ lines }: PlotState): number[] {
  return lines.every((line) => line.xs.every(Number.isInteger)) ? INTEGER_STEPS : STEPS;
}

/** The last label stands under the end of the axis, and half of it beyond. */
export function createRightPadding(state: PlotState): uPlot.PaddingSide {
  const steps = readXSteps(state);
  const measure = (plot: uPlot, range: Extent): number => {
    if (state.xKind === 'time') return measureLabels(plot, labelTimes(range, plot.width), 0);
    if (state.xKind === 'relative') return measureLabels(plot, labelDurationTicks(range, plot.width), 0);
    return measureXLabels(plot, range, plot.width, steps);
  };
  return (plot) => {
    const { min, max } = plot.scales['x'] ?? {};
    if (min === undefined || max === undefined) return MIN_RIGHT_PADDING_PX;
    return Math.max(MIN_RIGHT_PADDING_PX, Math.ceil(measure(plot, { min, max }) / 2));
  };
}

/** As wide as the labels of an axis of time may be: uPlot's own steps are no shorter, and less than twice as long. */
function labelTimes({ min, max }: Extent, widthPx: number): string[] {
  const leastStepMs = (max - min) / (widthPx / TIME_SPACE_PX);
  return [leastStepMs, 2 * leastStepMs].map((stepMs) =>
    dateTimeFormat(max, { timeZone: 'utc', format: chooseTimeFormat(stepMs, max - min) })
  );
}

function labelDurationTicks(range: Extent, widthPx: number): string[] {
  return labelDurations(listLinearTicks(range, chooseStep(range, widthPx / DURATION_SPACE_PX, DURATION_STEPS_MS)));
}

/** How the X axis is divided and written. */
function createXTicks(state: PlotState, look: PlotLook): Pick<uPlot.Axis, 'space' | 'values' | 'incrs' | 'splits'> {
  if (state.xKind === 'time') {
    return {
      space: TIME_SPACE_PX,
      values: (plot, ticks, _axisIndex, _space, stepMs) => {
        const { min, max } = plot.scales['x'] ?? {};
        const format = chooseTimeFormat(stepMs, (max ?? 0) - (min ?? 0));
        return ticks.map((tick) => dateTimeFormat(tick, { timeZone: look.timeZone, format }));
      },
    };
  }
  if (state.xKind === 'relative') {
    return { space: DURATION_SPACE_PX, incrs: [...DURATION_STEPS_MS], values: (_plot, ticks) => labelDurations(ticks) };
  }
  const incrs = readXSteps(state);
  return {
    space: (plot, _axisIndex, min, max, widthPx) =>
      Math.max(MIN_X_SPACE_PX, measureXLabels(plot, { min, max }, widthPx, incrs) + LABEL_GAP_PX),
    incrs,
    splits: (_plot, _axisIndex, min, max, step) => listLinearTicks({ min, max }, step),
    values: (_plot, ticks) => labelTicks(ticks),
  };
}

/** All ticks are wanted: uPlot would leave some of a logarithmic axis out. */
function keepTicks(_plot: uPlot, ticks: number[]): number[] {
  return ticks;
}

export function createAxes(state: PlotState, look: PlotLook): uPlot.Axis[] {
  const common = {
    stroke: look.text,
    font: `12px ${look.font}`,
    filter: keepTicks,
    grid: { stroke: look.grid, width: 1, filter: keepTicks },
    ticks: { stroke: look.grid, width: 1, size: 4, filter: keepTicks },
    gap: 4,
  };
  const x: uPlot.Axis = { ...common, scale: 'x', size: 28, ...createXTicks(state, look) };
  const y: uPlot.Axis = {
    ...common,
    scale: 'y',
    space: (_plot, _axisIndex, _min, _max, heightPx) => (heightPx < LOW_PLOT_PX ? LOW_TICK_SPACE_PX : TICK_SPACE_PX),
    size: (plot, labels, axisIndex) => measureAxis(plot, labels, axisIndex),
    values: (_plot, ticks) => formatYTicks(ticks, state),
    ...createYSteps(state),
  };
  return [x, y];
}
