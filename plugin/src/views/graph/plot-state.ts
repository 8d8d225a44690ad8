import uPlot from 'uplot';
import type { PlacedAnnotation } from './annotations.js';
import type { XKind } from './graphs.js';
import type { PlotLine } from './plot-lines.js';
import { findXExtent, findYExtent, padExtent, widenExtent, type Extent, type YScale } from './scale.js';
import { hasStack } from './stack-lines.js';

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
  return xRange ?? padExtent(widenExtent(findXExtent(lines) ?? { min: 0, max: 1 }));
}

/** The ends of Y that someone set for these lines. */
function readYLimits(lines: readonly PlotLine[]): Partial<Extent> {
  const configs = lines.map(({ model }) => model.column.field.config);
  const mins = configs.flatMap(({ min }) => (typeof min === 'number' ? min : []));
  const maxes = configs.flatMap(({ max }) => (typeof max === 'number' ? max : []));
  return {
    ...(mins.length > 0 && { min: Math.min(...mins) }),
    ...(maxes.length > 0 && { max: Math.max(...maxes) }),
  };
}

/** What is drawn of a smoothed line: its values before and after. */
function listDrawn({ xs, ys, rawYs }: PlotLine): { readonly xs: readonly number[]; readonly ys: readonly number[] }[] {
  return rawYs === undefined ? [{ xs, ys }] : [{ xs, ys: rawYs }];
}

function readLogRange(extent: Extent | undefined, kind: 'log' | 'symlog'): Extent {
  const { min, max } = extent ?? { min: 1, max: 10 };
  const [low, high] = kind === 'log' ? uPlot.rangeLog(min, max, 10, false) : uPlot.rangeAsinh(min, max, 10, false);
  return widenExtent({ min: low ?? min, max: high ?? max });
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
  if (kind === 'log' || kind === 'symlog') return readLogRange(found, kind);
  const { min, max } = widenExtent(includeAxis(found ?? { min: 0, max: 1 }, visible));
  const [low, high] = uPlot.rangeNum(min, max, 0.08, true);
  const limits = readYLimits(visible);
  return widenExtent({ min: limits.min ?? low ?? min, max: limits.max ?? high ?? max });
}
