import type { PlacedAnnotation } from '../lines/annotations.js';
import type { XKind } from '../lines/graphs.js';
import type { PlotLine } from './plot-lines.js';
import {
  type Extent,
  findXExtent,
  findYExtent,
  limitExtent,
  padExtent,
  readUnit,
  type ScaledLine,
  widenExtent,
  type YScale,
} from '../scales/scale.js';
import { hasStack } from './stack-lines.js';

const LINEAR_ROOM_SHARE = 0.08;
const LOG_ROOM_SHARE = 0.04;
/** Values nearer to each other than this are of one size. */
const ROUNDING_DECADES = 1e-13;

/** A running plot reads this anew at each draw. */
export interface PlotState {
  readonly lines: readonly PlotLine[];
  readonly xKind: XKind;
  readonly yScale: YScale;
  /** The visible part of X: the dashboard's time range, or the part zoomed to. Undefined: all values. */
  readonly xRange: Extent | undefined;
  readonly annotations: readonly PlacedAnnotation[];
}

export function readXRange({ lines, xRange }: PlotState): Extent {
  return limitExtent(xRange ?? padExtent(widenExtent(findXExtent(lines) ?? { min: 0, max: 1 })));
}

/** The ends of Y that someone set for these lines. */
function readYLimits(lines: readonly PlotLine[], unit: number): Partial<Extent> {
  const configs = lines.map(({ model }) => model.column.field.config);
  const mins = configs.flatMap(({ min }) => (typeof min === 'number' ? min : []));
  const maxes = configs.flatMap(({ max }) => (typeof max === 'number' ? max : []));
  return {
    ...(mins.length > 0 && { min: Math.min(...mins) / unit }),
    ...(maxes.length > 0 && { max: Math.max(...maxes) / unit }),
  };
}

/** What is drawn of a line: its band, its values before smoothing, or else those after. */
function listDrawn({ xs, ys, rawYs, band }: PlotLine): ScaledLine[] {
  if (band !== undefined) return [band.mins, band.maxes].map((ends) => ({ xs, ys: ends }));
  return rawYs === undefined ? [{ xs, ys }] : [{ xs, ys: rawYs }];
}

/** Values of one size have a decade on either side. */
const LONE_DECADES = 1;

function readLogRange({ min, max }: Extent): Extent {
  const [low, high] = [Math.log10(min), Math.log10(max)];
  const room = high - low < ROUNDING_DECADES ? LONE_DECADES : (high - low) * LOG_ROOM_SHARE;
  const [from, to] = [10 ** (low - room), 10 ** (high + room)];
  return { min: Math.max(Number.MIN_VALUE, Math.min(min, from)), max: Math.min(Number.MAX_VALUE, Math.max(max, to)) };
}

function readSymlogRange({ min, max }: Extent, threshold: number): Extent {
  const widened = widenExtent({ min, max });
  const [low, high] = [Math.asinh(widened.min / threshold), Math.asinh(widened.max / threshold)];
  const room = (high - low) * LOG_ROOM_SHARE;
  // Zero is an end of values on one side of it.
  const from = min === 0 ? 0 : Math.sinh(low - room) * threshold;
  const to = max === 0 ? 0 : Math.sinh(high + room) * threshold;
  return from < to ? limitExtent({ min: from, max: to }) : widened;
}

function readLinearRange({ min, max }: Extent): Extent {
  const padded = padExtent({ min, max }, LINEAR_ROOM_SHARE);
  return { min: min >= 0 ? Math.max(0, padded.min) : padded.min, max: max <= 0 ? Math.min(0, padded.max) : padded.max };
}

/** The heights of stacked areas can be compared only if the lowest begins at zero. */
function includeAxis({ min, max }: Extent, lines: readonly PlotLine[]): Extent {
  return hasStack(lines) ? { min: Math.min(0, min), max: Math.max(0, max) } : { min, max };
}

/**
 * The extent of Y within the X range. The plot's own X scale cannot tell: while both change, it is still the old one.
 */
export function readYRange(state: PlotState): Extent {
  const { kind } = state.yScale;
  if (kind === 'share') return { min: -0.02, max: 1.02 };
  const visible = state.lines.filter((line) => line.isVisible);
  const found = findYExtent(visible.flatMap(listDrawn), readXRange(state));
  if (kind === 'log') return readLogRange(found ?? { min: 1, max: 10 });
  if (kind === 'symlog') return readSymlogRange(found ?? { min: 1, max: 10 }, state.yScale.threshold);
  const range = readLinearRange(widenExtent(includeAxis(found ?? { min: 0, max: 1 }, visible)));
  return widenExtent({ ...range, ...readYLimits(visible, readUnit(state.yScale)) });
}
