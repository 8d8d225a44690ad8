import { isObject } from '@joblens/core/json/is-object';
import type { DataFrame } from '@grafana/data';
import type { XAxisChoice } from '@joblens/core/axis/x-axis';
import type { TableForm } from '@joblens/core/table/table-form';
import type { TextCell } from './column.js';
import type { StateKind } from '@joblens/core/words/states';

/** A frame's description of itself in `meta.custom.joblens`. The query types write it; the views read it. */
export interface FrameMeta {
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
  /** The X axis of the whole table, rows outside the answer included; null: X is time. */
  readonly x: XAxisChoice | null;
  /** Rows in the store: more than the frame has when the answer is limited. */
  readonly totalRows: number;
  /** There are more rows in the time range than those of the frame, in the order asked for. */
  readonly limited: boolean;
  /** Set if it is known how the rows of the frame were printed. */
  readonly printed?: PrintedMeta;
  /** Set if the rows of the frame are not those of the table, which are too many. */
  readonly folded?: FoldedMeta;
  /**
   * Which rows the sort column covers: all of them or, if there are too many, the extremes or the newest.
   */
  readonly part?: 'all' | 'extreme' | 'newest';
  /** More of the table is being read. */
  readonly isLoading?: true;
  /** The time of the table's first row; rows of the answer may begin later. */
  readonly startMs?: number;
  /** The group of its job, where jobs are drawn by group. */
  readonly group?: RunGroup;
  /** The exact time of each row, in nanoseconds: the time field has only milliseconds. */
  readonly tsNs: readonly string[];
}

/** Jobs that share the value of a key of their configurations, or of a tag; those without it share none. */
export interface RunGroup {
  readonly by: string;
  readonly value?: string | number;
}

/** What the fields do not tell of the rows that were printed. */
export interface PrintedMeta {
  /** Undefined if nobody knows. */
  readonly form?: TableForm;
  /** By key: the texts in a field of numbers. */
  readonly texts: ReadonlyArray<readonly [key: string, cells: readonly TextCell[]]>;
}

/**
 * A row of a folded frame is a row of the table, or stands for many: then it is the mean of each key. Fields of the
 * same name that have this label are the lowest and the highest number of the rows that it stands for.
 */
export const BAND_LABEL = 'bucket_stat';
export type BandStat = 'min' | 'max';

/**
 * A row with values that were printed as NaN, Infinity or -Infinity, which no fold has. Those are texts, because JSON
 * has no such numbers; the numbers are those of the keys that may be X.
 */
export interface NonFinitePoint {
  readonly tsNs: string;
  readonly values: ReadonlyArray<readonly [key: string, value: number | string]>;
}

export interface FoldedMeta {
  /** Rows of the table that the frame covers, those of aggregates left out. */
  readonly rows: number;
  /** Rows of a bucket. */
  readonly rowsPerPoint: number;
  /** The store aggregated some rows when it was asked: they have no buckets. */
  readonly isAggregated: boolean;
  /** The oldest and the newest ones, oldest first. */
  readonly nonFinite?: readonly NonFinitePoint[];
}

export interface JobsMeta extends FrameMeta {
  readonly kind: 'jobs';
  /** Set if the frame is a part of what lived in the time range. */
  readonly found?: FoundMeta;
  /** More of the range is being looked through. */
  readonly isLoading?: true;
}

/** What a list of jobs is a part of. */
export interface FoundMeta {
  /** How many jobs there are, as far as the range was looked through, and which of them is the first of the frame. */
  readonly total: number;
  readonly offset: number;
  /** The most jobs of a frame. */
  readonly pageSize: number;
  /** How many there are of each kind of state, whatever kind was asked for. */
  readonly counts: ReadonlyArray<readonly [StateKind, number]>;
  /** The numbers are of the time since then. Missing if they are of the whole range. */
  readonly sinceMs?: number;
}

export interface EventsMeta extends FrameMeta {
  readonly kind: 'events';
  /** The exact time of each row, in nanoseconds. */
  readonly tsNs: readonly string[];
  /** The field with the job of each row. */
  readonly jobColumn?: string;
}

/** The `custom` part of a frame's meta. */
export function createCustomMeta<M extends FrameMeta>(meta: M): { readonly joblens: M } {
  return { joblens: meta };
}

/** `undefined` for a frame of another data source. */
export function readFrameMeta(frame: DataFrame): FrameMeta | undefined {
  const meta = readMetaRecord(frame);
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
  const meta = readMetaRecord(frame);
  if (meta?.['kind'] !== 'logs') return undefined;
  return { kind: 'logs', job: readString(meta['job']) ?? '', limited: meta['limited'] === true };
}

/** `undefined` for any other frame. */
export function readJobsMeta(frame: DataFrame): JobsMeta | undefined {
  const meta = readMetaRecord(frame);
  if (meta?.['kind'] !== 'jobs') return undefined;
  const { found } = meta;
  return { kind: 'jobs', ...(isFoundMeta(found) && { found }), ...(meta['isLoading'] === true && { isLoading: true }) };
}

/** `undefined` for any other frame. */
export function readEventsMeta(frame: DataFrame): EventsMeta | undefined {
  const meta = readMetaRecord(frame);
  if (meta?.['kind'] !== 'events') return undefined;
  const { tsNs } = meta;
  const jobColumn = readString(meta['jobColumn']);
  return {
    kind: 'events',
    tsNs: Array.isArray(tsNs) ? tsNs.map(String) : [],
    ...(jobColumn !== undefined && { jobColumn }),
  };
}

/** `undefined` for any other frame. */
export function readMetadataMeta(frame: DataFrame): MetadataMeta | undefined {
  const meta = readMetaRecord(frame);
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
    limited: meta['limited'] === true,
    ...(isPrintedMeta(meta['printed']) && { printed: meta['printed'] }),
    ...(isFoldedMeta(meta['folded']) && { folded: meta['folded'] }),
    ...(isPart(meta['part']) && { part: meta['part'] }),
    ...(typeof meta['startMs'] === 'number' && { startMs: meta['startMs'] }),
    ...(isObject(meta['group']) && { group: meta['group'] as unknown as RunGroup }),
    tsNs: Array.isArray(tsNs) ? tsNs.map(String) : [],
  };
}

/** Whether the frame is a part of one that will come. */
export function isLoadingFrame(frame: DataFrame): boolean {
  return readMetaRecord(frame)?.['isLoading'] === true;
}

/** Whether a frame is an answer to a query for spans, folded or not. */
export function isSpansFrame(frame: DataFrame): boolean {
  const kind = readFrameMeta(frame)?.kind;
  return kind === 'spans' || kind === 'folded-spans';
}

/** One string for all the jobs in these frames. A viewer's choices last until it changes. */
export function createJobKey(frames: readonly DataFrame[]): string {
  const jobs = frames.map(readFrameMeta).filter((meta) => (meta?.job ?? '') !== '');
  return JSON.stringify([...new Set(jobs.map((meta) => JSON.stringify([meta?.job, meta?.user])))].sort());
}

/** The ids of the jobs of such a string. */
export function listJobsOfKey(jobKey: string): readonly string[] {
  return (JSON.parse(jobKey) as string[]).map((job) => (JSON.parse(job) as [string, ...unknown[]])[0]);
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

/** A frame's description of itself as it is. Read with care: a saved snapshot brings the frames of an older version. */
export function readMetaRecord(frame: DataFrame): Readonly<Record<string, unknown>> | undefined {
  const meta: unknown = frame.meta?.custom?.['joblens'];
  return isObject(meta) ? meta : undefined;
}

function isXAxisChoice(value: unknown): value is XAxisChoice {
  return (
    isObject(value) &&
    typeof value['key'] === 'string' &&
    typeof value['reason'] === 'string' &&
    Array.isArray(value['runnersUp'])
  );
}

function isPart(value: unknown): value is NonNullable<MetadataMeta['part']> {
  return value === 'all' || value === 'extreme' || value === 'newest';
}

function isFoundMeta(value: unknown): value is FoundMeta {
  return (
    isObject(value) &&
    typeof value['total'] === 'number' &&
    typeof value['offset'] === 'number' &&
    typeof value['pageSize'] === 'number' &&
    Array.isArray(value['counts'])
  );
}

function isPrintedMeta(value: unknown): value is PrintedMeta {
  const isForm = (form: unknown): boolean => form === undefined || Array.isArray(form);
  return isObject(value) && isForm(value['form']) && Array.isArray(value['texts']);
}

function isFoldedMeta(value: unknown): value is FoldedMeta {
  return (
    isObject(value) &&
    typeof value['rows'] === 'number' &&
    typeof value['rowsPerPoint'] === 'number' &&
    (value['nonFinite'] === undefined || Array.isArray(value['nonFinite']))
  );
}

/** `undefined` for anything but a text. */
export function readString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
