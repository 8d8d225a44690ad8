import { type Field, ThresholdsMode } from '@grafana/data';

export const THRESHOLD_STYLES = ['off', 'line', 'dashed', 'area', 'line+area', 'dashed+area'] as const;
export type ThresholdStyle = (typeof THRESHOLD_STYLES)[number];

/** How thresholds are drawn, as Grafana stores it. */
export interface StoredThresholdStyle {
  readonly mode?: ThresholdStyle;
}

/** The options of a field that only this panel's graph knows, made whole. The first ones are of core panels, too. */
export interface FieldStyle {
  readonly lineWidth: number;
  /** From 0 to 100. */
  readonly fillOpacity: number;
  readonly showPoints: 'auto' | 'always' | 'never';
  /** A value holds until the next one, and the line jumps there. */
  readonly isStep: boolean;
  /** Drawn on top of the lines before it that are stacked, too. */
  readonly isStacked: boolean;
  readonly thresholdStyle: ThresholdStyle;
  readonly isHiddenFromLegend: boolean;
  readonly isHiddenFromTooltip: boolean;
}

export const DEFAULT_LINE_WIDTH = 1.5;

interface StoredStyle {
  readonly lineWidth?: unknown;
  readonly fillOpacity?: unknown;
  readonly showPoints?: unknown;
  readonly lineInterpolation?: unknown;
  readonly stacking?: { readonly mode?: unknown };
  readonly thresholdsStyle?: { readonly mode?: unknown };
  readonly hideFrom?: { readonly legend?: unknown; readonly tooltip?: unknown };
}

function readNumber(value: unknown, fallback: number, max: number): number {
  return typeof value === 'number' && value >= 0 ? Math.min(value, max) : fallback;
}

export function readFieldStyle(field: Field): FieldStyle {
  const stored = (field.config.custom ?? {}) as StoredStyle;
  const { showPoints, thresholdsStyle, hideFrom } = stored;
  return {
    lineWidth: readNumber(stored.lineWidth, DEFAULT_LINE_WIDTH, 10),
    fillOpacity: readNumber(stored.fillOpacity, 0, 100),
    showPoints: showPoints === 'always' || showPoints === 'never' ? showPoints : 'auto',
    isStep: stored.lineInterpolation === 'stepAfter',
    isStacked: stored.stacking?.mode === 'normal',
    thresholdStyle: THRESHOLD_STYLES.find((style) => style === thresholdsStyle?.mode) ?? 'off',
    isHiddenFromLegend: hideFrom?.legend === true,
    isHiddenFromTooltip: hideFrom?.tooltip === true,
  };
}

/** Where a threshold begins, on the Y axis; the lowest begins at -Infinity. */
export interface ThresholdStep {
  readonly from: number;
  /** A name or code of Grafana. */
  readonly colour: string;
}

/** The thresholds of a field in rising order; percentages are of the range of its values. */
export function readThresholds(field: Field, range: { readonly min: number; readonly max: number }): ThresholdStep[] {
  const { thresholds } = field.config;
  const [min, max] = [field.config.min ?? range.min, field.config.max ?? range.max];
  const isPercentage = thresholds?.mode === ThresholdsMode.Percentage;
  return (thresholds?.steps ?? [])
    .map(({ value, color }) => {
      // The base is null in JSON, which has no infinity.
      const from = (value as number | null) ?? -Infinity;
      return { from: isPercentage ? min + ((max - min) * from) / 100 : from, colour: color };
    })
    .sort((a, b) => a.from - b.from);
}
