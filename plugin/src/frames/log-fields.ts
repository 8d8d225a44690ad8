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

/** What tells a line from all others. */
export interface LinePlace {
  readonly timeNs: bigint | string;
  readonly stream: string;
  readonly task?: string;
  readonly job: string;
  readonly user: string;
}

/** Unique among the lines of all jobs and users, and the same when the line is rewritten in place. */
export function formatLineId({ timeNs, stream, task = '', job, user }: LinePlace): string {
  return [String(timeNs), stream, ...[task, job, user].map(escapePart)].join('/');
}

/** The place that an id of formatLineId tells; undefined for any other text. */
export function parseLineId(id: string): Required<LinePlace> | undefined {
  const [timeNs, stream, ...parts] = id.split('/');
  const [task, job, user, ...more] = parts.map(unescapePart);
  if (timeNs === undefined || stream === undefined || task === undefined || job === undefined) return undefined;
  return user === undefined || more.length > 0 || !/^-?\d+$/.test(timeNs)
    ? undefined
    : { timeNs: BigInt(timeNs), stream, task, job, user };
}

function escapePart(part: string): string {
  return part.replaceAll('%', '%25').replaceAll('/', '%2F');
}

function unescapePart(part: string): string {
  return part.replaceAll('%2F', '/').replaceAll('%25', '%');
}
