import { dateTimeFormat, type TimeRange } from '@grafana/data';
import { useTheme2, VizLayout } from '@grafana/ui';
import React, { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type uPlot from 'uplot';
import { EmptyState } from '../parts/EmptyState.js';
import type { HoverHub } from '../parts/hover.js';
import type { GraphModel } from './graphs.js';
import type { XWish } from './x-choice.js';
import { formatNumber } from '../parts/number-format.js';
import { readTheme } from '../parts/panel-theme.js';
import { alignLines, type AlignedData } from './align.js';
import { GraphLegend } from './GraphLegend.js';
import { GraphToolbar, TOOLBAR_HEIGHT_PX } from './GraphToolbar.js';
import { GraphTooltip } from './GraphTooltip.js';
import { clickLegend, type LegendClick } from './legend.js';
import { createColouredLines, type PlotLine } from './plot-lines.js';
import { Plot } from './Plot.js';
import { resolveYScale, type Extent, type YScale, type YScaleChoice } from './scale.js';
import { createTooltipContent, type TooltipContent } from './tooltip-content.js';
import { findTimeOfX } from './x-times.js';
import { useCursor, type CursorPlace } from './use-cursor.js';

export interface GraphPaneProps {
  readonly graph: GraphModel;
  readonly width: number;
  readonly height: number;
  readonly timeRange: TimeRange;
  readonly timeZone: string;
  readonly wish: XWish;
  readonly onWish: (wish: XWish) => void;
  readonly hidden: ReadonlySet<string>;
  readonly onHidden: (hidden: ReadonlySet<string>) => void;
  readonly onTimeRange: (range: Extent) => void;
  readonly hub: HoverHub;
}

const MANY_LINES = 8;
const ROOM_FOR_SIDE_LEGEND_PX = 640;

interface PlotContent {
  readonly lines: readonly PlotLine[];
  readonly data: AlignedData;
}

/** The lines of the plot, and its aligned data. The data cost the most, so hiding a line does not change them. */
function usePlotContent(graph: GraphModel, hidden: ReadonlySet<string>, yScale: YScale): PlotContent {
  const grafanaTheme = useTheme2();
  const coloured = useMemo(() => {
    const { visualization } = readTheme(grafanaTheme);
    const resolve = (name: string): string => visualization.getColorByName(name);
    return createColouredLines(graph.lines, yScale, { palette: visualization.palette, resolve });
  }, [graph, yScale, grafanaTheme]);
  const data = useMemo(() => alignLines(coloured), [coloured]);
  const lines = useMemo(
    () => coloured.map((line) => ({ ...line, isVisible: !hidden.has(line.model.name) })),
    [coloured, hidden]
  );
  return { lines, data };
}

function useYScale(graph: GraphModel, hidden: ReadonlySet<string>, choice: YScaleChoice): YScale {
  const visible = graph.lines.filter((line) => !hidden.has(line.name)).map((line) => line.ys);
  const found = resolveYScale(choice, visible);
  const kept = useRef(found);
  // The same scale stays the same object: everything drawn depends on it.
  if (JSON.stringify(kept.current) !== JSON.stringify(found)) kept.current = found;
  return kept.current;
}

/** The part of X that a viewer zoomed to; it ends when X becomes another. */
function useZoom(graph: GraphModel): [Extent | undefined, (range: Extent | undefined) => void] {
  const [zoom, setZoom] = useState<Extent | undefined>(undefined);
  useEffect(() => setZoom(undefined), [graph.xKey]);
  return [zoom, setZoom];
}

function formatX(x: number, graph: GraphModel, xIsTime: boolean, timeZone: string): string {
  if (xIsTime) return dateTimeFormat(x, { timeZone, format: 'YYYY-MM-DD HH:mm:ss.SSS' });
  const timeMs = findTimeOfX(graph.lines, x);
  const when = timeMs === undefined ? '' : ` · ${dateTimeFormat(timeMs, { timeZone, format: 'HH:mm:ss' })}`;
  return `${graph.xKey ?? 'row'}: ${formatNumber(x)}${when}`;
}

function createContent(
  view: PlotView,
  place: CursorPlace | undefined,
  plot: uPlot | undefined
): TooltipContent | undefined {
  const { graph, lines, data, yScale, xIsTime, timeZone } = view;
  const x = place === undefined ? undefined : data[0][place.index];
  if (place === undefined || x === undefined) return undefined;
  const distance = (value: number): number => Math.abs((plot?.valToPos(value, 'y') ?? 0) - place.topPx);
  return createTooltipContent(formatX(x, graph, xIsTime, timeZone), lines, data, place.index, yScale, distance);
}

interface PlotView {
  readonly graph: GraphModel;
  readonly lines: readonly PlotLine[];
  readonly data: AlignedData;
  readonly yScale: YScale;
  readonly xIsTime: boolean;
  readonly xRange: Extent | undefined;
  readonly timeZone: string;
  readonly label: string;
  readonly focused: string | undefined;
  readonly hub: HoverHub;
  readonly onSelect: (range: Extent) => void;
  readonly onReset: () => void;
}

/** The plot with its cursor and tooltip. */
function InteractivePlot(view: PlotView & { readonly width: number; readonly height: number }): React.ReactElement {
  const { graph, lines, data, xIsTime, label, hub, onSelect, onReset } = view;
  const cursor = useCursor({ lines: graph.lines, xs: data[0], xIsTime, hub });
  const { place } = cursor;
  const content = createContent(view, place, cursor.plot.current);
  return (
    <div
      style={{ position: 'relative', height: view.height }}
      tabIndex={0}
      role="group"
      aria-label={`${label}. Left and right arrow keys move the cursor.`}
      onMouseEnter={cursor.onEnter}
      onMouseLeave={cursor.onLeave}
      onBlur={cursor.onLeave}
      onKeyDown={cursor.onKeyDown}
    >
      <Plot {...view} events={{ onCursor: cursor.onCursor, onSelect, onReset }} onPlot={cursor.setPlot} />
      {lines.every((line) => !line.isVisible) && (
        <div style={{ position: 'absolute', inset: 0, pointerEvents: 'none' }}>
          <EmptyState title="Every line is hidden" hint="Click a name in the legend to show it." />
        </div>
      )}
      {content !== undefined && place !== undefined && (
        <GraphTooltip content={content} pageX={place.pageX} pageY={place.pageY} />
      )}
    </div>
  );
}

function createPaneLabel(graph: GraphModel): string {
  const names = graph.lines.slice(0, 5).map((line) => line.name);
  return `Graph of ${names.join(', ')}${graph.lines.length > 5 ? ' and others' : ''} against ${graph.xKey ?? 'time'}`;
}

/** One graph with its toolbar and legend. */
export function GraphPane(props: GraphPaneProps): React.ReactElement {
  const { graph, width, height, timeRange, timeZone, wish, onWish, hidden, onHidden, onTimeRange, hub } = props;
  const [yChoice, setYChoice] = useState<YScaleChoice>('auto');
  const [focused, setFocused] = useState<string | undefined>(undefined);
  const [zoom, setZoom] = useZoom(graph);
  const xIsTime = graph.xKey === undefined && graph.tables.every((table) => table.timesMs !== undefined);
  const yScale = useYScale(graph, hidden, yChoice);
  const { lines, data } = usePlotContent(graph, hidden, yScale);
  const [fromMs, toMs] = [timeRange.from.valueOf(), timeRange.to.valueOf()];
  const xRange = useMemo(() => (xIsTime ? { min: fromMs, max: toMs } : zoom), [xIsTime, fromMs, toMs, zoom]);
  const onLegend = useCallback(
    (label: string | readonly string[] | null, click: LegendClick) => {
      const names = graph.lines.map((line) => line.name);
      onHidden(clickLegend(hidden, names, label, click));
    },
    [hidden, graph, onHidden]
  );
  const label = createPaneLabel(graph);
  const onReset = (): void => setZoom(undefined);
  const isZoomed = zoom !== undefined && !xIsTime;
  const placement = lines.length > MANY_LINES && width >= ROOM_FOR_SIDE_LEGEND_PX ? 'right' : 'bottom';
  const legend = (
    <VizLayout.Legend placement={placement} maxHeight="35%" maxWidth="35%">
      <GraphLegend lines={lines} placement={placement} onClick={onLegend} onFocus={setFocused} />
    </VizLayout.Legend>
  );
  return (
    <section style={{ width, height }} aria-label={label} data-testid="joblens-graph" data-x={graph.xKey ?? 'time'}>
      <GraphToolbar
        {...{ graph, width, wish, onWish, yChoice, yScale, isZoomed }}
        onYChoice={setYChoice}
        onResetZoom={onReset}
      />
      <VizLayout width={width} height={Math.max(0, height - TOOLBAR_HEIGHT_PX)} legend={legend}>
        {(plotWidth: number, plotHeight: number) => (
          <InteractivePlot
            {...{ graph, lines, data, yScale, xIsTime, xRange, timeZone, label, focused, hub, onReset }}
            onSelect={xIsTime ? onTimeRange : setZoom}
            width={plotWidth}
            height={plotHeight}
          />
        )}
      </VizLayout>
    </section>
  );
}
