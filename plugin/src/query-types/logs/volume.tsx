import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import { createSelect, createTagDimension } from '@joblens/core/influxql/build';
import { printStatement } from '@joblens/core/influxql/print';
import type { ResultSeries, StatementResult } from '@joblens/core/influxql/response';
import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { parseRfc3339Nano } from '@joblens/core/point/timestamp';
import { logCountQuery } from '@joblens/core/ask/log/log';
import React from 'react';
import { map, type Observable } from 'rxjs';
import { toMs } from '../../frames/times.js';
import { JobFields } from '../parts/editor-fields.js';
import { createLogSelection, logs, type LogsQuery, StreamField } from './logs.js';
import { describeParts, type EditorProps, type QueryType, type RunContext } from '../parts/query-type.js';

/** About as many bars as can be told apart. */
const MOST_BARS = 120;
const STEPS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400].map(
  (seconds) => seconds * 1000
);

/** How many lines were printed over time, in the whole range, one series a stream. */
export const volume: QueryType<LogsQuery> = {
  label: 'Log volume',
  description: 'How many lines jobs printed over time',
  run,
  describe: ({ job, user }) => describeParts('log volume', job, user),
  fillIn: (query, scopedVars, templates) => logs.fillIn(query, scopedVars, templates),
  Editor,
};

function run(query: LogsQuery, context: RunContext): Observable<DataFrame[]> {
  const statement = createSelect({
    ...logCountQuery(createLogSelection(query, context)),
    groupBy: {
      dimensions: [
        { kind: 'time', intervalNs: BigInt(chooseIntervalMs(context)) * NS_PER_MS },
        createTagDimension('stream'),
      ],
      fill: 0,
    },
  });
  return context.client
    .query([statement])
    .pipe(map(([result]) => createVolumeFrames(query.refId, result, printStatement(statement))));
}

function chooseIntervalMs({ fromNs, toNs }: RunContext): number {
  const leastMs = toMs(toNs - fromNs) / MOST_BARS;
  const lastMs = STEPS_MS.at(-1) ?? 1000;
  return STEPS_MS.find((stepMs) => stepMs >= leastMs) ?? Math.ceil(leastMs / lastMs) * lastMs;
}

/** A map, since a stream may have any name, as `constructor`. */
const COLORS: ReadonlyMap<string, string> = new Map([
  ['stdout', 'green'],
  ['stderr', 'orange'],
]);

function createVolumeFrames(refId: string, result: StatementResult | undefined, query: string): DataFrame[] {
  return (result?.series ?? []).map((series) => {
    const stream = series.tags?.['stream'] ?? 'stdout';
    const [times, counts] = [readTimes(series), readCounts(series)];
    return toDataFrame({
      refId,
      name: stream,
      meta: { preferredVisualisationType: 'graph', executedQueryString: query },
      fields: [
        { name: 'time', type: FieldType.time, values: times, config: {} },
        { name: 'lines', type: FieldType.number, values: counts, labels: { stream }, config: createBars(stream) },
      ],
    });
  });
}

/**
 * What Grafana gives to the bars of a log's volume (core/logsModel.ts, getLogVolumeFieldConfig), but for the colours of
 * line, point and fill: these are drawn as they are, and Grafana 9.5 fails at names such as `green`.
 */
function createBars(stream: string): object {
  return {
    displayNameFromDS: stream,
    unit: 'short',
    color: { mode: 'fixed', fixedColor: COLORS.get(stream) ?? 'blue' },
    custom: {
      drawStyle: 'bars',
      barAlignment: 0,
      lineWidth: 1,
      fillOpacity: 100,
      stacking: { mode: 'normal', group: 'A' },
    },
  };
}

function readTimes({ values }: ResultSeries): number[] {
  return values.map(([time]) => toMs((typeof time === 'string' ? parseRfc3339Nano(time) : undefined) ?? 0n));
}

/** Rows without the later parts of long lines. */
function readCounts({ columns, values }: ResultSeries): number[] {
  const read = (row: ResultSeries['values'][number], name: string): number => Number(row[columns.indexOf(name)] ?? 0);
  return values.map((row) => read(row, 'rows') - read(row, 'parts'));
}

function Editor(props: EditorProps<LogsQuery>): React.ReactElement {
  return (
    <>
      <JobFields {...props} />
      <StreamField {...props} />
    </>
  );
}
