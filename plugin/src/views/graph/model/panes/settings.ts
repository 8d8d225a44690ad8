import { PANE_LAYOUTS, type PaneLayout } from './panes.js';
import type { YScaleChoice } from '../scales/scale.js';
import { RUN_DRAWINGS, type RunDrawing } from '../lines/run-groups.js';
import { readSmoothing } from '../scales/smoothing.js';

const LEGEND_MODES = ['auto', 'list', 'table', 'hidden'] as const;
export type LegendMode = (typeof LEGEND_MODES)[number];

const Y_SCALES: readonly YScaleChoice[] = ['auto', 'linear', 'log', 'share'];

/** How a viewer wants the graphs drawn. The panel's options are where it starts. */
export interface GraphSettings {
  readonly layout: PaneLayout;
  readonly yScale: YScaleChoice;
  /** The weight of the moving average, from 0 (none) to below 1. */
  readonly smoothing: number;
  readonly legend: LegendMode;
  readonly runs: RunDrawing;
  /** The keys to draw: words, or a regular expression between slashes. */
  readonly filter: string;
  /** All graphs, however many. */
  readonly showsAll: boolean;
}

/** The stored options of the graph. */
export interface GraphOptions {
  /** `auto`, `time`, `relative`, or the name of a column; may hold dashboard variables, as `keyFilter` may. */
  readonly x: string;
  readonly graphs: PaneLayout;
  readonly yScale: YScaleChoice;
  readonly smoothing: number;
  readonly legend: LegendMode;
  readonly runs: RunDrawing;
  readonly keyFilter: string;
}

function readOneOf<T extends string>(values: readonly T[], value: unknown, fallback: T): T {
  return values.find((candidate) => candidate === value) ?? fallback;
}

/** The stored options made whole: a dashboard written by hand may leave any of them out or hold nonsense. */
export function readGraphOptions(stored: Partial<Record<keyof GraphOptions, unknown>>): GraphOptions {
  const { x, keyFilter } = stored;
  return {
    x: typeof x === 'string' && x !== '' ? x : 'auto',
    graphs: readOneOf(PANE_LAYOUTS, stored.graphs, 'auto'),
    yScale: readOneOf(Y_SCALES, stored.yScale, 'auto'),
    smoothing: readSmoothing(stored.smoothing),
    legend: readOneOf(LEGEND_MODES, stored.legend, 'auto'),
    runs: readOneOf(RUN_DRAWINGS, stored.runs, 'range'),
    keyFilter: typeof keyFilter === 'string' ? keyFilter : '',
  };
}

/** What a viewer starts with. */
export function createSettings(options: GraphOptions, replaceVariables: (text: string) => string): GraphSettings {
  const { graphs: layout, yScale, smoothing, legend, runs } = options;
  return { layout, yScale, smoothing, legend, runs, filter: replaceVariables(options.keyFilter), showsAll: false };
}
