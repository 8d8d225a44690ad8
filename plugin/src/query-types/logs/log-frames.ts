import { formatCount } from '@joblens/core/words/counts';
import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import type { LogLine } from '@joblens/core/rows/join-log-parts';
import type { Stream } from '@joblens/core/schema/measurements';
import { createCustomMeta, LOG_LINES_TYPE, type LogsMeta } from '../../frames/frame-meta.js';
import { formatLineId, LINE_COUNT_FIELD, LOG_FIELDS } from '../../frames/log-fields.js';
import { createNotice } from '../../frames/notice.js';
import { inferSeverity } from '../../frames/severity.js';
import { toMs } from '../../frames/times.js';

interface LogLines {
  readonly refId: string;
  /** As asked for: one job, several joined by `, `, or '' for all. */
  readonly job: string;
  /** Oldest first. */
  readonly lines: readonly LogLine[];
  /** There are more lines in the time range: older ones, or newer ones for a slice that is asked for upwards. */
  readonly isLimited: boolean;
  readonly executedQuery: string;
}

/**
 * One frame in the form that Grafana's log panel and Explore read: the first time field and the first string field in
 * 9.5, `log-lines` (timestamp, body, severity, id) later. `tsNs` keeps the exact time; `id` is unique within a job's
 * log. Lines of several jobs, or users, name theirs. Grafana shows every text of a line in its details, also an empty
 * one, but no null: it cannot read a null as a severity, so that field is left out where no line has one.
 */
export function createLogsFrame({ refId, job, lines, isLimited, executedQuery }: LogLines): DataFrame {
  const meta: LogsMeta = { kind: 'logs', job, limited: isLimited };
  const text = (name: string, read: (line: LogLine) => string | null) => ({
    name,
    type: FieldType.string,
    values: lines.map(read),
    config: {},
  });
  const users = [...new Set(lines.map(({ user }) => user))];
  const isOfOne = lines.every((line) => line.job === job);
  const severities = text(LOG_FIELDS.severity, (line) => (line.kind === 'output' ? inferSeverity(line.line) : ''));
  return toDataFrame({
    refId,
    name: refId,
    meta: {
      type: LOG_LINES_TYPE,
      preferredVisualisationType: 'logs',
      executedQueryString: executedQuery,
      custom: createCustomMeta(meta),
      notices: [
        ...(isLimited ? [createNotice(`The newest ${formatCount(lines.length)} lines; there are older ones.`)] : []),
        ...(isOfOne && users.length > 1
          ? [createNotice(`Several users have a job ${job}, and these are the lines of all: ${users.join(', ')}.`)]
          : []),
      ],
    },
    fields: [
      { name: LOG_FIELDS.time, type: FieldType.time, values: lines.map((line) => toMs(line.timeNs)), config: {} },
      // An empty `ansi` takes the colours of the line's earlier state away.
      text(LOG_FIELDS.line, ({ line, ansi = '' }) => (ansi === '' ? line : ansi)),
      ...(severities.values.some((severity) => severity !== '') ? [severities] : []),
      text(LOG_FIELDS.id, formatLineId),
      text(LOG_FIELDS.timeNs, (line) => String(line.timeNs)),
      text(LOG_FIELDS.stream, (line) => line.stream),
      text(LOG_FIELDS.kind, (line) => line.kind),
      text(LOG_FIELDS.task, (line) => line.task ?? null),
      ...(!isOfOne || users.length > 1
        ? [text(LOG_FIELDS.job, (line) => line.job), text(LOG_FIELDS.user, (line) => line.user)]
        : []),
    ],
  });
}

/** How many lines there are. */
export function createCountFrame(refId: string, count: number, executedQuery: string): DataFrame {
  return toDataFrame({
    refId,
    name: refId,
    meta: { executedQueryString: executedQuery },
    fields: [{ name: LINE_COUNT_FIELD, type: FieldType.number, values: [count], config: {} }],
  });
}

/** The streams that have lines, a row each. */
export function createStreamsFrame(refId: string, streams: readonly Stream[], executedQuery: string): DataFrame {
  return toDataFrame({
    refId,
    name: refId,
    meta: { executedQueryString: executedQuery },
    fields: [{ name: LOG_FIELDS.stream, type: FieldType.string, values: [...streams], config: {} }],
  });
}
