import React from 'react';
import { createLogModel, type LogModel, type LogOrder } from './log/log-model.js';
import { LogView } from './log/LogView.js';
import { createView, type ViewProps } from './view.js';

interface LogOptions {
  readonly logOrder: LogOrder;
  readonly follow: boolean;
}

interface LogProps extends ViewProps {
  readonly model: LogModel;
  readonly options: LogOptions;
}

function Log({ model, options, width, height, timeZone, hub, jobKey }: LogProps): React.ReactElement {
  const { logOrder: order, follow } = options;
  return <LogView key={jobKey} {...{ model, order, follow, width, height, timeZone, hub }} />;
}

/** The lines as a terminal leaves them. */
export const log = createView<LogModel, LogOptions>({
  title: 'Log',
  heightShare: 3,
  needs: { queryType: 'logs', label: 'Logs' },
  emptiness: {
    title: 'No log lines in this time range',
    hint: 'The job printed nothing in it, or its owner did not opt in to logging. A wider time range may show more.',
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
