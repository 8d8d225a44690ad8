import { DataHoverClearEvent, DataHoverEvent, EventBusSrv } from '@grafana/data';
import { type PanelContext, PanelContextProvider, usePanelContext, VizLegend, type VizLegendItem } from '@grafana/ui';
import React, { useEffect, useMemo } from 'react';
import type { LegendClick } from './legend.js';
import type { PlotLine } from './plot-lines.js';

interface GraphLegendProps {
  readonly lines: readonly PlotLine[];
  readonly placement: 'bottom' | 'right';
  readonly onClick: (label: string | readonly string[] | null, click: LegendClick) => void;
  /** The name under the mouse. */
  readonly onFocus: (name: string | undefined) => void;
}

function readClick(mode: string): LegendClick {
  return mode === 'append' || mode === 'setExactly' ? mode : 'select';
}

/** A colour chosen in the legend would be written into the dashboard as an override. */
function withoutColourChange(outer: PanelContext): PanelContext {
  const context = { ...outer };
  delete context.onSeriesColorChange;
  return context;
}

/** Grafana's own legend, with its look and gestures; only what a click does is ours, and no option is written. */
export function GraphLegend({ lines, placement, onClick, onFocus }: GraphLegendProps): React.ReactElement {
  const outer = usePanelContext();
  // The legend tells of the name under the mouse over this bus: other panels know other names.
  const eventBus = useMemo(() => new EventBusSrv(), []);
  useEffect(() => {
    const hover = eventBus.getStream(DataHoverEvent).subscribe((event) => {
      onFocus((event.payload as { dataId?: string } | undefined)?.dataId);
    });
    const clear = eventBus.getStream(DataHoverClearEvent).subscribe(() => onFocus(undefined));
    return () => {
      hover.unsubscribe();
      clear.unsubscribe();
    };
  }, [eventBus, onFocus]);

  const context = useMemo(
    () => ({
      ...withoutColourChange(outer),
      eventBus,
      onToggleSeriesVisibility: (label: string | readonly string[] | null, mode: string) => {
        onClick(label, readClick(mode));
      },
    }),
    [outer, eventBus, onClick]
  );
  const items: VizLegendItem[] = lines.map((line) => ({
    label: line.model.name,
    color: line.colour,
    yAxis: 1,
    disabled: !line.isVisible,
  }));
  return (
    <PanelContextProvider value={context}>
      <VizLegend items={items} displayMode={'list' as never} placement={placement} />
    </PanelContextProvider>
  );
}
