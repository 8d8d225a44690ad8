import { type DataFrame, type DataQueryResponse, FieldType, type LogRowModel, toDataFrame } from '@grafana/data';
import { logQuery, type LogRequest, readLogPage } from '@joblens/core/ask/log/log';
import type { LogLine } from '@joblens/core/rows/join-log-parts';
import { lastValueFrom } from 'rxjs';
import { readFieldByName } from '../frames/field-values.js';
import { formatLineId, type LinePlace, LOG_FIELDS, parseLineId } from '../frames/log-fields.js';
import { toMs } from '../frames/times.js';
import type { InfluxdbClient } from '../store/influxdb-client.js';

/** `LogRowContextOptions` of Grafana 10 and later; 9.5 gives only these. */
export interface ContextOptions {
  readonly direction?: string;
  readonly limit?: number;
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
  const { job, user, task } = place;
  const timeNs = BigInt(place.timeNs);
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

/** Which line a row of Explore is, from the frame that it came in. */
function readPlace({ dataFrame, rowIndex }: LogRowModel): Required<LinePlace> | undefined {
  const id: unknown = readFieldByName(dataFrame, LOG_FIELDS.id)?.[rowIndex];
  const place = typeof id === 'string' ? parseLineId(id) : undefined;
  return place?.stream === 'stdout' || place?.stream === 'stderr' ? place : undefined;
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
