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
} as const;

/** The streams of a job to ask for, or to show. */
export type StreamChoice = 'stdout' | 'stderr' | 'both';
