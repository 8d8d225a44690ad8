import { type DataFrame, type DataQueryResponse, FieldType, type LogRowModel, toDataFrame } from '@grafana/data';
import { type LogLine, logQuery, type LogRequest, readLogPage } from '@joblens/core';
import { lastValueFrom } from 'rxjs';
import { readFieldByName } from '../frames/field-values.js';
import { formatLineId, LOG_FIELDS } from '../frames/log-fields.js';
import { toMs } from '../frames/times.js';
import type { InfluxdbClient } from '../store/influxdb-client.js';

/** `LogRowContextOptions` of Grafana 10 and later; 9.5 gives only these. */
export interface ContextOptions {
  readonly direction?: string;
  readonly limit?: number;
}

/** Which line a row of Explore is, from the frame that it came in. */
interface RowPlace {
  readonly timeNs: bigint;
  readonly stream: 'stdout' | 'stderr';
  readonly task: string;
  readonly job: string;
  /** Where the frame has lines of several users. */
  readonly user: string | undefined;
}

const DEFAULT_LINES = 10;

export function hasLogContext(row: LogRowModel | undefined): boolean {
  return row !== undefined && readPlace(row) !== undefined;
}

/**
 * The lines around one, of the same job and task, all streams; newest first. Later lines begin with the line itself:
 * every Grafana asks for one more there, and leaves it out. Rejects with StoreError.
 */
export async function getLogContext(
  client: InfluxdbClient,
  row: LogRowModel,
  { direction, limit = DEFAULT_LINES }: ContextOptions
): Promise<DataQueryResponse> {
  const place = readPlace(row);
  if (place === undefined) return { data: [] };
  const { job, user, task, timeNs } = place;
  const isForward = direction === 'FORWARD';
  const request: LogRequest = {
    ...{ job, user },
    ...(task !== '' && { task }),
    ...(isForward ? { fromNs: timeNs, order: 'asc' } : { beforeNs: timeNs, order: 'desc' }),
    // The last line of a page may not be whole. Earlier lines come with the line itself, of which later parts would be.
    limit: limit + (isForward ? 1 : 2),
  };
  const [result] = await lastValueFrom(client.query([logQuery(request)]));
  const lines = readLogPage(result, request).lines.slice(0, limit);
  return { data: [createContextFrame(isForward ? lines.reverse() : lines)] };
}

function readPlace({ dataFrame, rowIndex }: LogRowModel): RowPlace | undefined {
  const read = (name: string): string | undefined => {
    const value = readFieldByName(dataFrame, name)?.[rowIndex];
    return typeof value === 'string' ? value : undefined;
  };
  const [id, timeNs, stream, task = ''] = [LOG_FIELDS.id, LOG_FIELDS.timeNs, LOG_FIELDS.stream, LOG_FIELDS.task].map(
    read
  );
  if (id === undefined || timeNs === undefined) return undefined;
  if (stream !== 'stdout' && stream !== 'stderr') return undefined;
  const start = formatLineId({ timeNs, stream, task, job: '' });
  const user = read(LOG_FIELDS.user);
  return id.startsWith(start) ? { timeNs: BigInt(timeNs), stream, task, job: id.slice(start.length), user } : undefined;
}

/** Grafana 9.5 reads `ts`, `line` and `id` by name; later versions the first time and the first text. */
function createContextFrame(lines: readonly LogLine[]): DataFrame {
  const text = (name: string, read: (line: LogLine) => string) => ({
    name,
    type: FieldType.string,
    values: lines.map(read),
    config: {},
  });
  return toDataFrame({
    fields: [
      { name: 'ts', type: FieldType.time, values: lines.map(({ timeNs }) => toMs(timeNs)), config: {} },
      text('line', ({ line, ansi = '' }) => (ansi === '' ? line : ansi)),
      text(LOG_FIELDS.id, formatLineId),
      text(LOG_FIELDS.timeNs, ({ timeNs }) => String(timeNs)),
    ],
  });
}
