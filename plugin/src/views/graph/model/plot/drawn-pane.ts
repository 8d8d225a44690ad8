import type uPlot from 'uplot';
import type { Pane } from '../panes/panes.js';
import type { PlotLine } from './plot-lines.js';

/** A graph that is drawn at the moment, for its neighbours' tooltips and for the picture. */
export interface DrawnPane {
  readonly pane: Pane;
  readonly lines: readonly PlotLine[];
  readonly plot: uPlot | undefined;
}
