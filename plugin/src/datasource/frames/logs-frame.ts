import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import type { LogLine } from '@joblens/core';
import { type LogsMeta, toMs } from './frame-meta.js';
import { createNotice } from './notice.js';
import { inferSeverity } from './severity.js';

export interface LogPage {
  readonly refId: string;
  /** The job as asked for: one name, several joined by `, `, or '' for all. */
  readonly job: string;
  /** Oldest first. */
  readonly lines: readonly LogLine[];
  /** There are older lines in the time range. */
  readonly isLimited: boolean;
  readonly executedQuery: string;
}

/**
 * One frame as Grafana's log panel and Explore take it, in 9.5 (first time field, first string field is the line) and since
 * (`log-lines`: timestamp, body, severity, id). `tsNs` keeps the exact time, `id` is unique within a job's log.
 */
export function createLogsFrame({ refId, job, lines, isLimited, executedQuery }: LogPage): DataFrame {
  const custom: LogsMeta = { kind: 'logs', job, limited: isLimited };
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
      type: 'log-lines',
      preferredVisualisationType: 'logs',
      executedQueryString: executedQuery,
      custom: { joblens: custom },
      notices: isLimited
        ? [createNotice(`The newest ${lines.length.toLocaleString('en')} lines; there are older ones.`)]
        : [],
    },
    fields: [
      { name: 'timestamp', type: FieldType.time, values: lines.map((line) => toMs(line.timeNs)), config: {} },
      // An empty `ansi` takes the colours of the line's earlier state away.
      text('body', ({ line, ansi = '' }) => (ansi === '' ? line : ansi)),
      text('severity', (line) => (line.kind === 'output' ? inferSeverity(line.line) : '')),
      text('id', (line) => [line.timeNs, line.stream, line.task ?? '', line.job].join('/')),
      text('tsNs', (line) => String(line.timeNs)),
      text('stream', (line) => line.stream),
      text('kind', (line) => line.kind),
      text('task', (line) => line.task ?? ''),
    ],
  });
}
