import type { DataFrame, FieldConfigOptionsRegistry, PanelProps } from '@grafana/data';
import { useTheme2 } from '@grafana/ui';
import React, { useEffect, useMemo } from 'react';
import { createJobKey } from '../frames/frame-meta.js';
import { VIEWS, type ViewName } from '../registry/registry.js';
import { createHoverHub, type HoverHub } from '../views/parts/hover.js';
import { type KeptValues, KeptValuesContext } from '../views/parts/hooks/kept-state.js';
import type { Ask } from '../views/view.js';
import { createAsk, readSource } from './ask.js';
import { EmptyView } from './EmptyView.js';
import { readOptions, type PanelOptions } from './options.js';
import { readCoveredPx } from './overlay-header.js';
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

interface JoblensPanelProps extends PanelProps<PanelOptions> {
  /** The options that the panel's fields can have. */
  readonly fieldConfigRegistry?: FieldConfigOptionsRegistry;
}

/** For each query type, the way to ask the panel's queries of this type again. */
function useAsk(props: JoblensPanelProps): (queryType: string) => Ask | undefined {
  const { data, fieldConfig, replaceVariables, timeZone, fieldConfigRegistry } = props;
  const { request } = data;
  const theme = useTheme2();
  return useMemo(() => {
    const panel = { request, fieldConfig, replaceVariables, timeZone, theme, fieldConfigRegistry };
    const asks = new Map(
      Object.values(VIEWS).map(({ needs: { queryType } }) => [queryType, createAsk(panel, queryType)])
    );
    return (queryType) => asks.get(queryType);
  }, [request, fieldConfig, replaceVariables, timeZone, theme, fieldConfigRegistry]);
}

const NO_ANNOTATIONS: readonly DataFrame[] = [];

/** The chosen views of a job's output. */
export function JoblensPanel(props: JoblensPanelProps): React.ReactElement {
  const { data, width, timeZone, timeRange, onChangeTimeRange: onTimeRange, replaceVariables } = props;
  const coveredPx = readCoveredPx(props.title);
  const height = props.height - coveredPx;
  const { views, layout } = useMemo(() => readOptions(props.options), [props.options]);
  const opened = useMemo(
    () => new Map(views.map((view) => [view, VIEWS[view].open(data.series)])),
    [views, data.series]
  );
  const jobKey = useMemo(() => createJobKey(data.series), [data.series]);
  const hub = useHoverHub(props);
  const askOf = useAsk(props);
  const hasContent = (view: ViewName): boolean => opened.get(view)?.isEmpty === false;
  return (
    <KeptValuesContext.Provider value={useKeptValues(jobKey)}>
      <div style={{ paddingTop: coveredPx }} data-testid="joblens-panel">
        <ViewFrame {...{ views, layout, width, height, hasContent }}>
          {(view, viewWidth, viewHeight) => {
            const open = opened.get(view);
            const { queryType } = VIEWS[view].needs;
            const ask = askOf(queryType);
            const source = readSource({ request: data.request, replaceVariables }, queryType);
            const size = { width: viewWidth, height: viewHeight };
            const annotations = data.annotations ?? NO_ANNOTATIONS;
            const shared = {
              timeZone,
              timeRange,
              onTimeRange,
              annotations,
              jobKey,
              source,
              hub,
              ask,
              replaceVariables,
            };
            const place = { ...size, ...shared };
            if (open === undefined || open.isEmpty)
              return <EmptyView {...{ ...props, view: VIEWS[view], ask, place }} />;
            return open.draw(place, props.options);
          }}
        </ViewFrame>
      </div>
    </KeptValuesContext.Provider>
  );
}
