import { getFieldSeriesColor, type TimeRange } from '@grafana/data';
import { useTheme2 } from '@grafana/ui';
import React, { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { EmptyState } from '../../parts/components/EmptyState.js';
import type { HoverHub } from '../../parts/hover.js';
import { readTheme } from '../../parts/panel-theme.js';
import { placeAnnotations, type Annotation } from '../model/lines/annotations.js';
import type { DrawnPane } from '../model/plot/drawn-pane.js';
import { LegendList, LegendTable } from './GraphLegend.js';
import { GraphPane, type GraphPaneProps } from './GraphPane.js';
import { nameX, type GraphModel } from '../model/lines/graphs.js';
import { GraphToolbar, type GraphToolbarProps } from './GraphToolbar.js';
import { createLegendLines, createOwnerEntries } from '../model/plot/legend-entries.js';
import { clickLegend } from '../model/plot/legend.js';
import type { LegendEvents } from './LegendItem.js';
import type { LegendSort } from '../model/lines/line-summary.js';
import { PANE_GAP_PX } from '../model/panes/pane-grid.js';
import { createGradient } from '../model/lines/run-groups.js';
import { createLineLooks, type Colours, type LineLook } from '../model/plot/plot-lines.js';
import type { Extent } from '../model/scales/scale.js';
import { isLegendBeside, isLegendOfOwners, TOOLBAR_HEIGHT_PX, type SectionPlan } from '../model/panes/section-plan.js';
import { useExports } from '../hooks/use-exports.js';
import { useZoom, type Zoom } from '../hooks/use-zoom.js';
import { createXSync, type XSync } from '../model/panes/x-sync.js';
import { findSelectedTime, findTimeOfX, findXOfTime } from '../model/lines/x-times.js';

export interface GraphSectionProps extends Pick<
  GraphToolbarProps,
  'wish' | 'onWish' | 'settings' | 'onSettings' | 'hasControls'
> {
  readonly plan: SectionPlan;
  readonly timeRange: TimeRange;
  readonly timeZone: string;
  readonly hidden: ReadonlySet<string>;
  readonly onHidden: (hidden: ReadonlySet<string>) => void;
  readonly onTimeRange: (range: Extent) => void;
  /** A zoom on X, undefined at its end. */
  readonly onZoom: (graph: GraphModel, range: Extent | undefined) => void;
  readonly hub: HoverHub;
  readonly annotations: readonly Annotation[];
}

/** The colours of all lines; hiding one changes none. */
function useLooks({ graph, allPanes }: SectionPlan): ReadonlyMap<string, LineLook> {
  const grafanaTheme = useTheme2();
  return useMemo(() => {
    const { visualization } = readTheme(grafanaTheme);
    const { owners, groupedBy } = graph;
    const colours: Colours = {
      palette: groupedBy === 'numbers' ? createGradient(owners.size) : visualization.palette,
      resolve: (name) => visualization.getColorByName(name),
      readFieldColour: ({ column }) => getFieldSeriesColor(column.field, grafanaTheme).color,
    };
    const isByOwner =
      groupedBy !== undefined || (allPanes.length > 1 && new Set(graph.lines.map(({ owner }) => owner)).size > 1);
    const drawn = new Set(allPanes.flatMap(({ lines }) => lines));
    const others = graph.lines.filter((line) => !drawn.has(line));
    return createLineLooks(
      [...allPanes.map(({ lines }) => lines), others],
      isByOwner,
      colours,
      groupedBy && [...owners.keys()]
    );
  }, [graph, allPanes, grafanaTheme]);
}

/** Carries the X under the mouse between the graphs of this section and, as an instant, to everything else. */
function useSync({ lines }: GraphModel, hub: HoverHub): { readonly sync: XSync; readonly source: object } {
  const sync = useMemo(createXSync, []);
  const source = useMemo(() => ({}), []);
  useEffect(() => {
    const stopHearing = hub.subscribe(source, (timeMs) => {
      sync.publish(source, timeMs === undefined ? undefined : findXOfTime(lines, timeMs));
    });
    const stopTelling = sync.subscribe(source, (x) => {
      hub.publish(source, x === undefined ? undefined : findTimeOfX(lines, x));
    });
    return () => {
      stopHearing();
      stopTelling();
    };
  }, [hub, lines, source, sync]);
  return { sync, source };
}

function useLegendEvents({ plan: { graph }, hidden, onHidden }: GraphSectionProps): {
  readonly focused: readonly string[] | undefined;
  readonly events: LegendEvents;
} {
  const [focused, onFocus] = useState<readonly string[] | undefined>(undefined);
  const events = useMemo(
    () => ({
      onFocus,
      onClick: (lines: readonly string[], click: Parameters<typeof clickLegend>[3]) => {
        const names = graph.lines.map((line) => line.name);
        onHidden(clickLegend(hidden, names, lines, click));
      },
    }),
    [graph, hidden, onHidden]
  );
  return { focused, events };
}

interface SectionLegendProps {
  readonly plan: SectionPlan;
  readonly looks: ReadonlyMap<string, LineLook>;
  readonly hidden: ReadonlySet<string>;
  readonly events: LegendEvents;
}

function SectionLegend({ plan, looks, hidden, events }: SectionLegendProps): React.ReactElement | null {
  const { graph, legend, legendPx, allPanes, panes, hiddenLines, grid } = plan;
  const [sort, onSort] = useState<LegendSort | undefined>(undefined);
  const shown = legend === 'heads' ? hiddenLines : [...new Set([...panes, ...allPanes])].flatMap(({ lines }) => lines);
  const lines = createLegendLines(shown, looks, hidden);
  if (legend === 'none' || lines.length === 0) return null;
  const isBeside = isLegendBeside(legend);
  const size = isBeside ? { width: legendPx, height: grid.heightPx } : { height: legendPx };
  return (
    <div style={{ ...size, flexShrink: 0, overflow: 'hidden' }}>
      {legend === 'right-table' || legend === 'bottom-table' ? (
        <LegendTable {...{ lines, sort, onSort }} {...events} />
      ) : (
        <LegendList
          entries={isLegendOfOwners(legend) ? createOwnerEntries(graph, shown, looks, hidden) : lines}
          isColumn={isBeside}
          {...events}
        />
      )}
    </div>
  );
}

function chooseHead({ legend, allPanes }: SectionPlan): GraphPaneProps['head'] {
  if (legend === 'heads') return 'legend';
  return allPanes.length > 1 ? 'title' : 'none';
}

/** Hidden by clicks, or by a filter that no key passes. */
function NothingShown({ hasKeys }: { readonly hasKeys: boolean }): React.ReactElement {
  return hasKeys ? (
    <EmptyState title="Every line is hidden" hint="Click a name in the legend to show it." />
  ) : (
    <EmptyState title="No key passes the filter" hint="Clear the filter to see all keys." />
  );
}

interface PanesProps {
  readonly section: GraphSectionProps;
  readonly looks: ReadonlyMap<string, LineLook>;
  readonly zoom: Zoom;
  readonly focused: readonly string[] | undefined;
  readonly events: LegendEvents;
  readonly drawn: Map<string, DrawnPane>;
  readonly isForced: boolean;
}

function Panes({ section, looks, zoom, focused, events, drawn, isForced }: PanesProps): React.ReactElement {
  const { plan, timeZone, hidden, settings, hub } = section;
  const { graph, panes, grid, legend, legendPx, widthPx } = plan;
  const { sync, source } = useSync(graph, hub);
  const width = isLegendBeside(legend) ? widthPx - legendPx : widthPx;
  const paneWidth = Math.floor((width - (grid.columns - 1) * PANE_GAP_PX) / grid.columns);
  const annotations = useMemo(() => placeAnnotations(section.annotations, graph), [section.annotations, graph]);
  const onSelectX = useCallback(
    (x: number) => {
      const timeNs = findSelectedTime(graph.lines, x);
      if (timeNs !== undefined) hub.select(source, timeNs);
    },
    [graph, hub, source]
  );
  return (
    <div
      style={{
        width,
        height: grid.heightPx,
        display: 'flex',
        flexWrap: 'wrap',
        gap: PANE_GAP_PX,
        alignContent: 'start',
      }}
    >
      {panes.length === 0 && <NothingShown hasKeys={plan.allPanes.length > 0} />}
      {panes.map((pane) => (
        <GraphPane
          key={pane.id}
          {...{ graph, pane, looks, hidden, timeZone, focused, annotations, sync, drawn, isForced, onSelectX }}
          yChoice={settings.yScale}
          smoothing={settings.smoothing}
          width={paneWidth}
          height={grid.rowHeightPx}
          head={chooseHead(plan)}
          xRange={zoom.xRange}
          legendEvents={events}
          onZoomX={zoom.onZoomX}
        />
      ))}
    </div>
  );
}

/** The graphs of the tables that share an X, with their toolbar and legend. */
export function GraphSection(props: GraphSectionProps): React.ReactElement {
  const { plan, hidden, settings } = props;
  const { graph, widthPx, heightPx, allPanes, panes, legend } = plan;
  const zoom = useZoom({ ...props, graph });
  const looks = useLooks(plan);
  const { focused, events } = useLegendEvents(props);
  const drawn = useRef(new Map<string, DrawnPane>()).current;
  const exports = useExports({ plan, hidden, settings, xRange: zoom.xRange, drawn });
  const keys = graph.lines.slice(0, 5).map(({ name }) => name);
  const label = `Graph of ${keys.join(', ')}${graph.lines.length > 5 ? ' and others' : ''} against ${nameX(graph)}`;
  const isBeside = isLegendBeside(legend);
  return (
    <section style={{ width: widthPx, height: heightPx }} aria-label={label}>
      <GraphToolbar
        {...props}
        graph={graph}
        width={widthPx}
        hasPick={plan.hasPick}
        shownPanes={panes.length}
        allPanes={allPanes.length}
        isZoomed={zoom.isZoomed}
        onResetZoom={() => zoom.onZoomX(undefined)}
        onPng={exports.savePng}
        onCsv={exports.saveCsv}
      />
      <div
        style={{ display: 'flex', flexDirection: isBeside ? 'row' : 'column', height: heightPx - TOOLBAR_HEIGHT_PX }}
        data-testid="joblens-graph"
        data-x={graph.xKind === 'relative' ? 'relative' : (graph.xKey ?? 'time')}
      >
        <Panes section={props} isForced={exports.isForced} {...{ looks, zoom, focused, events, drawn }} />
        <SectionLegend {...{ plan, looks, hidden, events }} />
      </div>
    </section>
  );
}
