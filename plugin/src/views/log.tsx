import React from 'react';
import { listJobsOfKey } from '../frames/frame-meta.js';
import { DrawnRule } from './drawn/DrawnRule.js';
import { createLogModel, type LogModel, type LogOrder } from './log/model/log-model.js';
import { LogView } from './log/components/LogView.js';
import { useKeptRule } from './parts/hooks/kept-rules.js';
import { createView, type ViewProps } from './view.js';

interface LogOptions {
  readonly logOrder: LogOrder;
  readonly follow: boolean;
}

interface LogProps extends ViewProps {
  readonly model: LogModel;
  readonly options: LogOptions;
}

/** The share of the height that a graph of the log's numbers takes. */
const GRAPH_SHARE = 0.5;

function Log({ model, options, ...view }: LogProps): React.ReactElement {
  const { logOrder: order, follow } = options;
  const { width, height, timeZone, timeRange, jobKey, source, hub, ask } = view;
  // A relative range is the same one after a refresh.
  const rangeKey = JSON.stringify([timeRange.raw.from.valueOf(), timeRange.raw.to.valueOf()]);
  const jobs = listJobsOfKey(jobKey);
  const jobName = jobs.join('_');
  const isOneJob = jobs.length === 1;
  const [rule, setRule] = useKeptRule('log', isOneJob ? { source, job: jobName } : undefined, jobKey);
  const graphHeight = rule === undefined || ask === undefined ? 0 : Math.floor(GRAPH_SHARE * height);
  const parts = { model, order, follow, width, timeZone, hub, ask, timeRange, rangeKey, isOneJob, jobName };
  const onDraw = ask === undefined ? undefined : setRule;
  return (
    <div style={{ width, height }}>
      {rule !== undefined && ask !== undefined && (
        <DrawnRule
          key={JSON.stringify([jobKey, rule])}
          {...{ rule, width }}
          height={graphHeight}
          place={{ ...view, ask }}
          onClose={() => setRule(undefined)}
        />
      )}
      <LogView key={jobKey} {...parts} height={height - graphHeight} onDraw={onDraw} />
    </div>
  );
}

/** The lines as a terminal leaves them. */
export const log = createView<LogModel, LogOptions>({
  title: 'Log',
  heightShare: 3,
  needs: { queryType: 'logs', label: 'Logs' },
  drawn: 'frames of logs, with a time and a text for each line',
  emptiness: {
    title: 'No log lines in this time range',
    hint: 'A wider time range may show more.',
  },
  stored: {
    one: 'line',
    rewritten: 'A bar that is redrawn keeps the time at which it first stood there.',
    soFar: { title: 'No log lines yet', hint: 'No line of the job is stored so far.' },
    never: {
      title: 'No log lines',
      hint: 'No line of the job is stored: it printed none, or they were not to be logged.',
    },
  },
  readOptions: ({ logOrder = 'asc', follow = true }) => ({ logOrder, follow }),
  addOptions: (builder, defaults) =>
    builder
      .addSelect({
        path: 'logOrder',
        name: 'Log: order',
        defaultValue: defaults.logOrder,
        settings: {
          options: [
            { value: 'asc', label: 'Newest last' },
            { value: 'desc', label: 'Newest first' },
          ],
        },
      })
      .addBooleanSwitch({ path: 'follow', name: 'Log: follow new lines', defaultValue: defaults.follow }),
  createModel: createLogModel,
  isEmpty: ({ lines }) => lines.length === 0,
  Component: Log,
});
