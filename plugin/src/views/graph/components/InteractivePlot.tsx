import { dateTimeFormat } from '@grafana/data';
import { formatNumber } from '@joblens/core/numbers/format-number';
import React from 'react';
import type uPlot from 'uplot';
import type { AlignedData } from '../model/scales/align.js';
import { findAnnotationsAt, type Annotation, type PlacedAnnotation } from '../model/lines/annotations.js';
import type { DrawnPane } from '../model/plot/drawn-pane.js';
import { nameX, type GraphModel } from '../model/lines/graphs.js';
import { GraphTooltip } from './GraphTooltip.js';
import { findStepAt } from '../model/lines/line-summary.js';
import type { Pane } from '../model/panes/panes.js';
import type { PlotLine } from '../model/plot/plot-lines.js';
import { Plot } from './Plot.js';
import type { Extent, YScale } from '../model/scales/scale.js';
import { formatFineDuration } from '@joblens/core/words/duration';
import { createTooltipContent, type TooltipContent } from '../model/plot/tooltip-content.js';
import { useCursor, type CursorPlace } from '../hooks/use-cursor.js';
import type { XSync } from '../model/panes/x-sync.js';
import { findTimeOfX } from '../model/lines/x-times.js';

interface InteractivePlotProps {
  readonly graph: GraphModel;
  readonly pane: Pane;
  readonly lines: readonly PlotLine[];
  readonly data: AlignedData;
  readonly yScale: YScale;
  readonly xRange: Extent | undefined;
  readonly annotations: readonly PlacedAnnotation[];
  readonly width: number;
  readonly height: number;
  readonly timeZone: string;
  readonly focused: readonly string[] | undefined;
  readonly sync: XSync;
  readonly drawn: ReadonlyMap<string, DrawnPane>;
  readonly onZoomX: (range: Extent | undefined) => void;
  readonly onSelectX: (x: number) => void;
  readonly onPlot: (plot: uPlot | undefined) => void;
}

function formatX(xs: readonly number[], index: number, graph: GraphModel, timeZone: string): string {
  const x = xs[index] ?? NaN;
  if (graph.xKind === 'time') return dateTimeFormat(x, { timeZone, format: 'YYYY-MM-DD HH:mm:ss.SSS' });
  const timeMs = findTimeOfX(graph.lines, x);
  const when = timeMs === undefined ? '' : ` · ${dateTimeFormat(timeMs, { timeZone, format: 'HH:mm:ss' })}`;
  if (graph.xKind === 'relative') return `after ${formatFineDuration(x)}${when}`;
  return `${graph.xKey ?? 'row'}: ${formatNumber(x, findStepAt(xs, index))}${when}`;
}

function createContent(
  { graph, pane, lines, data, timeZone, drawn }: InteractivePlotProps,
  place: CursorPlace | undefined,
  plot: uPlot | undefined
): TooltipContent | undefined {
  const x = place === undefined ? undefined : data[0][place.index];
  if (place === undefined || x === undefined) return undefined;
  const others = [...drawn.values()].filter((other) => other.pane.id !== pane.id);
  return createTooltipContent({
    title: formatX(data[0], place.index, graph, timeZone),
    ...{ lines, data, index: place.index },
    measureDistance: (drawnY) => Math.abs((plot?.valToPos(drawnY, 'y') ?? 0) - place.topPx),
    otherLines: others.flatMap((other) => other.lines),
  });
}

function findAnnotations(
  { annotations }: InteractivePlotProps,
  place: CursorPlace | undefined,
  plot: uPlot | undefined
): readonly Annotation[] {
  if (place === undefined || plot === undefined || annotations.length === 0) return [];
  const { leftPx, topPx } = place;
  const abovePx = plot.over.clientHeight - topPx;
  return findAnnotationsAt(annotations, { leftPx, abovePx, toLeft: (x) => plot.valToPos(x, 'x') });
}

function createLabel(graph: GraphModel, pane: Pane): string {
  const names = pane.lines.slice(0, 5).map((line) => line.name);
  return `Graph of ${names.join(', ')}${pane.lines.length > 5 ? ' and others' : ''} against ${nameX(graph)}`;
}

/** The plot with its cursor and tooltip, by mouse and keyboard. */
export function InteractivePlot(props: InteractivePlotProps): React.ReactElement {
  const { graph, pane, data, sync, height, onZoomX, onSelectX } = props;
  const label = createLabel(graph, pane);
  const cursor = useCursor({ xs: data[0], sync });
  const { place } = cursor;
  const content = createContent(props, place, cursor.plot.current);
  const select = (): void => {
    const x = data[0][cursor.plot.current?.cursor.idx ?? -1];
    if (x !== undefined) onSelectX(x);
  };
  return (
    <div
      style={{ position: 'relative', height }}
      tabIndex={0}
      role="group"
      aria-label={`${label}. Left and right arrow keys move the cursor, Enter goes to the log.`}
      onMouseEnter={cursor.onEnter}
      onMouseLeave={cursor.onLeave}
      onBlur={cursor.onLeave}
      onKeyDown={(event) => {
        if (event.key === 'Enter') select();
        else cursor.onKeyDown(event);
      }}
    >
      <Plot
        {...props}
        label={label}
        xKind={graph.xKind}
        events={{ onCursor: cursor.onCursor, onZoomX, onClick: select }}
        onPlot={(plot) => {
          cursor.setPlot(plot);
          props.onPlot(plot);
        }}
      />
      {content !== undefined && place !== undefined && (
        <GraphTooltip
          content={content}
          annotations={findAnnotations(props, place, cursor.plot.current)}
          timeZone={props.timeZone}
          pageX={place.pageX}
          pageY={place.pageY}
        />
      )}
    </div>
  );
}
