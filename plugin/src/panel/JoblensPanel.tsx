import type { PanelProps } from '@grafana/data';
import React, { useEffect, useMemo } from 'react';
import { createJobKey } from '../frames/frame-meta.js';
import { VIEWS, type ViewName } from '../registry/registry.js';
import { EmptyState } from '../views/parts/EmptyState.js';
import { createHoverHub, type HoverHub } from '../views/parts/hover.js';
import { type KeptValues, KeptValuesContext } from '../views/parts/kept-state.js';
import { explainEmptiness } from './empty.js';
import { readOptions, type PanelOptions } from './options.js';
import { ViewFrame } from './ViewFrame.js';

function useHoverHub({ eventBus }: PanelProps<PanelOptions>): HoverHub {
  const hub = useMemo(() => createHoverHub(eventBus), [eventBus]);
  useEffect(() => hub.connect(), [hub]);
  return hub;
}

/** A viewer's changes live here, never in the dashboard, and end when another job is shown. */
function useKeptValues(jobKey: string): KeptValues {
  // eslint-disable-next-line react-hooks/exhaustive-deps -- another job starts anew
  return useMemo((): KeptValues => new Map(), [jobKey]);
}

/** The chosen views of a job's output. */
export function JoblensPanel(props: PanelProps<PanelOptions>): React.ReactElement {
  const { data, width, height, timeZone, timeRange, onChangeTimeRange: onTimeRange } = props;
  const { views, layout } = useMemo(() => readOptions(props.options), [props.options]);
  const opened = useMemo(
    () => new Map(views.map((view) => [view, VIEWS[view].open(data.series)])),
    [views, data.series]
  );
  const jobKey = useMemo(() => createJobKey(data.series), [data.series]);
  const hub = useHoverHub(props);
  const hasContent = (view: ViewName): boolean => opened.get(view)?.isEmpty === false;
  return (
    <KeptValuesContext.Provider value={useKeptValues(jobKey)}>
      <ViewFrame {...{ views, layout, width, height, hasContent }}>
        {(view, viewWidth, viewHeight) => {
          const open = opened.get(view);
          if (open === undefined || open.isEmpty) return <EmptyState {...explainEmptiness(VIEWS[view], data)} />;
          const place = { width: viewWidth, height: viewHeight, timeZone, timeRange, onTimeRange, jobKey, hub };
          return open.draw(place, props.options);
        }}
      </ViewFrame>
    </KeptValuesContext.Provider>
  );
}
