import { type DataFrame, FieldType, type SelectableValue, toDataFrame } from '@grafana/data';
import { InlineField, RadioButtonGroup } from '@grafana/ui';
import { type LogLine, logQuery, printStatement, readLogLines, type StatementResult, type Stream } from '@joblens/core';
import React from 'react';
import { map, type Observable } from 'rxjs';
import { createCustomMeta, LOG_LINES_TYPE, type LogsMeta } from '../frames/frame-meta.js';
import { LOG_FIELDS, type StreamChoice } from '../frames/log-fields.js';
import { createNotice } from '../frames/notice.js';
import { toMs } from '../frames/times.js';
import { fillInFields } from './change-query.js';
import { JobFields, LimitField } from './editor-fields.js';
import { LABEL_WIDTH } from './NameSelect.js';
import {
  describeParts,
  type EditorProps,
  fillIn,
  type JoblensQuery,
  type QueryType,
  readLimit,
  type RunContext,
} from './query-type.js';
import { inferSeverity } from './severity.js';

export interface LogsQuery extends JoblensQuery {
  stream?: StreamChoice;
}

const DEFAULT_LINES = 1000;
const DEFAULT_STREAM = 'stdout';

export const logs: QueryType<LogsQuery> = {
  label: 'Logs',
  description: 'The lines that jobs printed',
  run,
  describe: ({ job, user }) => describeParts('logs', job, user),
  fillIn: (query, scopedVars, templates) => fillInFields(query, ['job', 'user', 'task'], scopedVars, templates),
  Editor,
};

function run(query: LogsQuery, context: RunContext): Observable<DataFrame[]> {
  const limit = readLimit(query.limit, DEFAULT_LINES);
  const job = fillIn(query.job, context);
  const statement = logQuery({
    job,
    user: fillIn(query.user, context),
    task: fillIn(query.task, context),
    streams: listStreams(query.stream),
    fromNs: context.fromNs,
    toNs: context.toNs,
    order: 'desc',
    limit: limit + 1,
  });
  return context.client.query([statement], context.requestId).pipe(
    map(([result]) => {
      const newestFirst = readLogLines(result, limit + 1);
      const lines = newestFirst.slice(0, limit).reverse();
      const isLimited = newestFirst.length > limit || countRows(result) > limit;
      const executedQuery = printStatement(statement);
      return [createLogsFrame({ refId: query.refId, job: job.join(', '), lines, isLimited, executedQuery })];
    })
  );
}

function listStreams(stream: StreamChoice = DEFAULT_STREAM): readonly Stream[] {
  return stream === 'both' ? [] : [stream];
}

function countRows(result: StatementResult | undefined): number {
  return (result?.series ?? []).reduce((count, series) => count + series.values.length, 0);
}

interface LogPage {
  readonly refId: string;
  /** As asked for: one job, several joined by `, `, or '' for all. */
  readonly job: string;
  /** Oldest first. */
  readonly lines: readonly LogLine[];
  /** There are older lines in the time range. */
  readonly isLimited: boolean;
  readonly executedQuery: string;
}

/**
 * One frame in the form that Grafana's log panel and Explore read: the first time field and the first string field in
 * 9.5, `log-lines` (timestamp, body, severity, id) later. `tsNs` keeps the exact time; `id` is unique within a job's
 * log.
 */
export function createLogsFrame({ refId, job, lines, isLimited, executedQuery }: LogPage): DataFrame {
  const meta: LogsMeta = { kind: 'logs', job, limited: isLimited };
  const text = (name: string, read: (line: LogLine) => string) => ({
    name,
    type: FieldType.string,
    values: lines.map(read),
    config: {},
  });
  return toDataFrame({
    refId,
    name: refId,
    meta: {
      type: LOG_LINES_TYPE,
      preferredVisualisationType: 'logs',
      executedQueryString: executedQuery,
      custom: createCustomMeta(meta),
      notices: isLimited
        ? [createNotice(`The newest ${lines.length.toLocaleString('en')} lines; there are older ones.`)]
        : [],
    },
    fields: [
      { name: LOG_FIELDS.time, type: FieldType.time, values: lines.map((line) => toMs(line.timeNs)), config: {} },
      // An empty `ansi` takes the colours of the line's earlier state away.
      text(LOG_FIELDS.line, ({ line, ansi = '' }) => (ansi === '' ? line : ansi)),
      text(LOG_FIELDS.severity, (line) => (line.kind === 'output' ? inferSeverity(line.line) : '')),
      text(LOG_FIELDS.id, (line) => [line.timeNs, line.stream, line.task ?? '', line.job].join('/')),
      text(LOG_FIELDS.timeNs, (line) => String(line.timeNs)),
      text(LOG_FIELDS.stream, (line) => line.stream),
      text(LOG_FIELDS.kind, (line) => line.kind),
      text(LOG_FIELDS.task, (line) => line.task ?? ''),
    ],
  });
}

const STREAM_CHOICES: Array<SelectableValue<StreamChoice>> = [
  { value: 'stdout', label: 'stdout' },
  { value: 'stderr', label: 'stderr' },
  { value: 'both', label: 'Both' },
];

function Editor(props: EditorProps<LogsQuery>): React.ReactElement {
  const { query, change } = props;
  return (
    <>
      <JobFields {...props} />
      <InlineField label="Stream" labelWidth={LABEL_WIDTH}>
        <RadioButtonGroup
          options={STREAM_CHOICES}
          value={query.stream ?? DEFAULT_STREAM}
          onChange={(stream) => change({ stream })}
        />
      </InlineField>
      <LimitField {...props} defaultLimit={DEFAULT_LINES} />
    </>
  );
}
