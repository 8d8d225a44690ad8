import type { RefObject } from 'react';
import type { ViewportControl } from './use-viewport.js';

/** A place on the chart: in pixels from its left and upper edges, and on the page. */
export interface ChartPoint {
  readonly xPx: number;
  readonly yPx: number;
  readonly pageX: number;
  readonly pageY: number;
}

/** A part of time that is being marked, in pixels. */
export interface Marked {
  readonly fromPx: number;
  readonly toPx: number;
}

export interface GesturesInput {
  /** What takes the mouse: the rows, which scroll. */
  readonly area: RefObject<HTMLDivElement | null>;
  /** Where time begins in the area. */
  readonly gutterPx: number;
  readonly control: ViewportControl;
  readonly onHover: (point: ChartPoint | undefined) => void;
  readonly onClick: (point: ChartPoint) => void;
}
