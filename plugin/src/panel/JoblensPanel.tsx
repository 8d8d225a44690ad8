import type { PanelProps } from '@grafana/data';
import React, { useEffect, useMemo, useState } from 'react';
import { EmptyState } from './EmptyState.js';
import { GraphView } from './graph/GraphView.js';
import { createHoverHub, type HoverHub } from './hover.js';
import { LogView } from './log/LogView.js';
import { explainEmptiness, NO_NUMBERS } from './model/empty.js';
import { createPanelModel, type PanelModel } from './model/panel-model.js';
import { readXWish, type XWish } from './model/x-choice.js';
import { readOptions, type PanelOptions, type ViewName } from './options.js';
import { TableView } from './table/TableView.js';
import { ViewFrame } from './ViewFrame.js';

interface ViewState {
  readonly wish: XWish;
  readonly onWish: (wish: XWish) => void;
  readonly hidden: ReadonlySet<string>;
  readonly onHidden: (hidden: ReadonlySet<string>) => void;
  readonly hub: HoverHub;
}

const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

/** What a viewer changed: kept in the panel alone, never in the dashboard, and ended when another job is shown. */
function useViewState(props: PanelProps<PanelOptions>, options: PanelOptions, jobKey: string): ViewState {
  const [wish, setWish] = useState<XWish>(() => readXWish(options.x));
  const [hidden, setHidden] = useState(NOTHING_HIDDEN);
  const { eventBus } = props;
  const hub = useMemo(() => createHoverHub(eventBus), [eventBus]);
  useEffect(() => hub.connect(), [hub]);
  useEffect(() => setWish(readXWish(options.x)), [options.x, jobKey]);
  useEffect(() => setHidden(NOTHING_HIDDEN), [jobKey]);
  return { wish, onWish: setWish, hidden, onHidden: setHidden, hub };
}

interface ViewProps {
  readonly view: ViewName;
  readonly width: number;
  readonly height: number;
  readonly props: PanelProps<PanelOptions>;
  readonly options: PanelOptions;
  readonly model: PanelModel;
  readonly state: ViewState;
}

function View({ view, width, height, props, options, model, state }: ViewProps): React.ReactElement {
  const { timeZone, timeRange, onChangeTimeRange, data } = props;
  const emptiness = explainEmptiness(view, data);
  if (view === 'graph' && model.graphs.length > 0) {
    const onTimeRange = ({ min, max }: { min: number; max: number }): void => onChangeTimeRange({ from: min, to: max });
    return <GraphView graphs={model.graphs} {...{ width, height, timeRange, timeZone, onTimeRange }} {...state} />;
  }
  if (view === 'graph' && model.hasRows) return <EmptyState {...NO_NUMBERS} />;
  if (view === 'table' && model.hasRows) {
    const { newestFirst, pageSize } = options;
    return <TableView tables={model.tables} {...{ width, height, timeZone, newestFirst, pageSize }} hub={state.hub} />;
  }
  if (view === 'log' && model.log !== undefined && model.log.lines.length > 0) {
    const { logOrder, follow } = options;
    return (
      <LogView
        key={model.jobKey}
        model={model.log}
        {...{ width, height, timeZone, follow }}
        order={logOrder}
        hub={state.hub}
      />
    );
  }
  return <EmptyState {...emptiness} />;
}

/** Graph, table and log of a job's output. */
export function JoblensPanel(props: PanelProps<PanelOptions>): React.ReactElement {
  const { data, width, height } = props;
  const options = useMemo(() => readOptions(props.options), [props.options]);
  const tablesAndLog = useMemo(() => createPanelModel(data.series), [data.series]);
  const state = useViewState(props, options, tablesAndLog.jobKey);
  const { wish } = state;
  const model = useMemo(() => tablesAndLog.withX(wish), [tablesAndLog, wish]);
  return (
    <ViewFrame
      views={options.views}
      layout={options.layout}
      width={width}
      height={height}
      hasContent={(view) => (view === 'log' ? (model.log?.lines.length ?? 0) > 0 : model.hasRows)}
    >
      {(view, viewWidth, viewHeight) => (
        <View {...{ view, props, options, model, state }} width={viewWidth} height={viewHeight} />
      )}
    </ViewFrame>
  );
}
