/** The names of a log frame's fields. The first two are what Grafana's own log views read, the others are ours. */
export const LOG_FIELDS = {
  time: 'timestamp',
  line: 'body',
  severity: 'severity',
  id: 'id',
  timeNs: 'tsNs',
  stream: 'stream',
  kind: 'kind',
  task: 'task',
  job: 'job',
  user: 'user',
} as const;

/** The one field of the frame that says how many lines there are. */
export const LINE_COUNT_FIELD = 'lines';

/** The streams of a job to ask for, or to show. */
export type StreamChoice = 'stdout' | 'stderr' | 'both';

/** Unique within a job's log, and the same when the line is rewritten in place. */
export function formatLineId(line: {
  readonly timeNs: bigint | string;
  readonly stream: string;
  readonly task?: string;
  readonly job: string;
}): string {
  return [line.timeNs, line.stream, line.task ?? '', line.job].join('/');
}
