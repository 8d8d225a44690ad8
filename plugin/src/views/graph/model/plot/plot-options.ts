import uPlot from 'uplot';
import type { PlotLine } from './plot-lines.js';
import { drawAnnotations } from './plot-annotations.js';
import { createAxes, createRightPadding, type PlotLook } from './plot-axes.js';
import { createPaths, drawBackground, drawMarks } from './plot-paths.js';
import { readXRange, readYRange, type PlotState } from './plot-state.js';
import { drawThresholds } from './plot-thresholds.js';
import type { Extent, YScale } from '../scales/scale.js';

/** Values of uPlot.Scale.Distr, a const enum that does not exist at run time. */
const LOGARITHMIC: number = 3;
const ARCSINH: number = 4;
const UNFOCUSED_ALPHA = 0.2;
const CURSOR_PROXIMITY_PX = 40;
const DASH_PX = [6, 4];

export interface PlotEvents {
  readonly onCursor: (plot: uPlot) => void;
  /** A part of X was dragged over; undefined: all of it is wanted again. */
  readonly onZoomX: (range: Extent | undefined) => void;
  /** A click that was no drag. */
  readonly onClick: () => void;
}

function createSeries(line: PlotLine, paths: uPlot.Series.PathBuilder): uPlot.Series {
  return {
    label: line.model.name,
    scale: 'y',
    stroke: line.colour,
    fill: line.colour,
    width: line.style.lineWidth,
    ...(line.isDashed && { dash: DASH_PX }),
    show: line.isVisible,
    points: { show: false },
    paths,
  };
}

function createDistribution(scale: YScale): { distr?: number; asinh?: number } {
  if (scale.kind === 'log') return { distr: LOGARITHMIC };
  return scale.kind === 'symlog' ? { distr: ARCSINH, asinh: scale.threshold } : {};
}

function createScales(readState: () => PlotState): uPlot.Scales {
  const { xKind, yScale } = readState();
  return {
    x: {
      time: xKind === 'time',
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

interface Gestures {
  readonly cursor: uPlot.Cursor;
  readonly onSelect: (plot: uPlot) => void;
  /** uPlot tells of no click on the plot itself. */
  readonly onInit: (plot: uPlot) => void;
}

/** A hand that clicks may move so far. */
const MIN_DRAG_PX = 5;

/** A drag zooms, a double click undoes it, a click that was no drag selects. */
function createGestures(events: PlotEvents): Gestures {
  let wasDragged = false;
  const onSelect = (plot: uPlot): void => {
    const { left, width } = plot.select;
    if (width <= 0) return;
    const range = { min: plot.posToVal(left, 'x'), max: plot.posToVal(left + width, 'x') };
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    wasDragged = true;
    events.onZoomX(range);
  };
  const cursor: uPlot.Cursor = {
    y: false,
    // Its own handler swallows the click of a hand that moved by a pixel.
    drag: { x: true, y: false, setScale: false, dist: MIN_DRAG_PX, click: () => undefined },
    hover: { prox: CURSOR_PROXIMITY_PX },
    points: { size: 7 },
    bind: {
      mousedown: (_plot, _target, handler) => (event) => {
        wasDragged = false;
        return handler(event);
      },
      dblclick: () => () => {
        events.onZoomX(undefined);
        return null;
      },
    },
  };
  const onInit = (plot: uPlot): void => {
    plot.over.addEventListener('click', () => {
      // The end of a drag is a click for the browser.
      if (!wasDragged) events.onClick();
    });
  };
  return { cursor, onSelect, onInit };
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
  const gestures = createGestures(events);
  return {
    ...size,
    ms: 1,
    padding: [8, createRightPadding(state), 0, 0],
    legend: { show: false },
    scales: createScales(readState),
    axes: createAxes(state, look),
    series: [{}, ...state.lines.map((line) => createSeries(line, paths))],
    focus: { alpha: UNFOCUSED_ALPHA },
    tzDate: (timeMs) => (timeZone === undefined ? new Date(timeMs) : uPlot.tzDate(new Date(timeMs), timeZone)),
    cursor: gestures.cursor,
    hooks: {
      init: [gestures.onInit],
      setCursor: [events.onCursor],
      drawAxes: [
        (plot) => {
          drawThresholds(plot, readState(), look.resolveColour);
          drawBackground(plot, readState());
        },
      ],
      draw: [
        (plot) => {
          drawAnnotations(plot, readState().annotations, look.resolveColour);
          drawMarks(plot, readState());
        },
      ],
      setSelect: [gestures.onSelect],
    },
  };
}
