import type { DataFrame } from '@grafana/data';
import type { XAxisChoice } from '@joblens/core';

/** A frame's description of itself in `meta.custom.joblens`. The query types write it; the views read it. */
interface FrameMeta {
  /** The name of the query type that made the frame. */
  readonly kind: string;
  readonly job?: string;
  readonly user?: string;
  readonly task?: string;
}

export interface LogsMeta extends FrameMeta {
  readonly kind: 'logs';
  /** As asked for: one job, several joined by `, `, or '' for all. */
  readonly job: string;
  /** There are older lines than these. */
  readonly limited: boolean;
}

export interface MetadataMeta extends FrameMeta {
  readonly kind: 'metadata';
  readonly job: string;
  readonly user: string;
  readonly series: string;
  /** The X axis of the whole table, rows outside the answer included; null when no column holds numbers. */
  readonly x: XAxisChoice | null;
  /** Rows in the store: more than the frame has when the answer is limited. */
  readonly totalRows: number;
  /** The exact time of each row, in nanoseconds: the time field has only milliseconds. */
  readonly tsNs: readonly string[];
}

export interface JobsMeta extends FrameMeta {
  readonly kind: 'jobs';
}

/** The `custom` part of a frame's meta. */
export function createCustomMeta<M extends FrameMeta>(meta: M): { readonly joblens: M } {
  return { joblens: meta };
}

/** `undefined` for a frame of another data source. */
export function readFrameMeta(frame: DataFrame): FrameMeta | undefined {
  const meta = readRecord(frame);
  const kind = readString(meta?.['kind']);
  if (meta === undefined || kind === undefined) return undefined;
  const [job, user, task] = [readString(meta['job']), readString(meta['user']), readString(meta['task'])];
  return {
    kind,
    ...(job !== undefined && { job }),
    ...(user !== undefined && { user }),
    ...(task !== undefined && { task }),
  };
}

/** `undefined` for any other frame. */
export function readLogsMeta(frame: DataFrame): LogsMeta | undefined {
  const meta = readRecord(frame);
  if (meta?.['kind'] !== 'logs') return undefined;
  return { kind: 'logs', job: readString(meta['job']) ?? '', limited: meta['limited'] === true };
}

/** `undefined` for any other frame. */
export function readMetadataMeta(frame: DataFrame): MetadataMeta | undefined {
  const meta = readRecord(frame);
  if (meta?.['kind'] !== 'metadata') return undefined;
  const { totalRows, tsNs } = meta;
  return {
    ...readFrameMeta(frame),
    kind: 'metadata',
    job: readString(meta['job']) ?? '',
    user: readString(meta['user']) ?? '',
    series: readString(meta['series']) ?? '',
    x: isXAxisChoice(meta['x']) ? meta['x'] : null,
    totalRows: typeof totalRows === 'number' ? totalRows : 0,
    tsNs: Array.isArray(tsNs) ? tsNs.map(String) : [],
  };
}

/** One string for all the jobs in these frames. A viewer's choices last until it changes. */
export function createJobKey(frames: readonly DataFrame[]): string {
  const jobs = frames.map((frame) => readFrameMeta(frame)?.job ?? '').filter((job) => job !== '');
  return JSON.stringify([...new Set(jobs)].sort());
}

/** `DataFrameType.LogLines`, which Grafana 9.5 does not export. */
export const LOG_LINES_TYPE = 'log-lines';

/** Whether a frame holds log lines, of this data source or another. */
export function isLogFrame(frame: DataFrame): boolean {
  const { meta } = frame;
  return (
    readFrameMeta(frame)?.kind === 'logs' ||
    (meta?.type as string | undefined) === LOG_LINES_TYPE ||
    meta?.preferredVisualisationType === 'logs'
  );
}

/** Read with care: a saved snapshot brings the frames of an older version. */
function readRecord(frame: DataFrame): Readonly<Record<string, unknown>> | undefined {
  const meta: unknown = frame.meta?.custom?.['joblens'];
  return isRecord(meta) ? meta : undefined;
}

function isXAxisChoice(value: unknown): value is XAxisChoice {
  return (
    isRecord(value) &&
    typeof value['key'] === 'string' &&
    typeof value['reason'] === 'string' &&
    Array.isArray(value['runnersUp'])
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
