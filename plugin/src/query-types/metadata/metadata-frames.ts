import { formatCount } from '@joblens/core/words/counts';
import {
  type DataFrame,
  type FieldConfig,
  type FieldDTO,
  FieldType,
  type QueryResultMetaNotice,
  toDataFrame,
} from '@grafana/data';
import { inferXAxis, type XAxisChoice } from '@joblens/core/axis/x-axis';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import type { MetadataRecord } from '@joblens/core/rows/join-rows';
import { readSeriesOrigin } from '@joblens/core/schema/series-name';
import { createCustomMeta, type MetadataMeta, type PrintedMeta } from '../../frames/frame-meta.js';
import { findKeyUnit } from '../../frames/key-unit.js';
import { createNotice } from '../../frames/notice.js';
import { toMs } from '../../frames/times.js';
import { createColumn } from '../../frames/column.js';
import { createRecordColumns, type RecordColumns } from '../memory/record-columns.js';

/** What the frames of a table have in common, whatever part of it they hold. */
export interface TableFrame {
  readonly refId: string;
  readonly table: TableSummary;
  /** The keys to show, in this order. */
  readonly keys: readonly string[];
  /** What the frame's name starts with: its job, where there are several. */
  readonly jobPrefix: string;
  /** For each key that other tables of this writer have, too: what tells this table apart from them. */
  readonly owners?: ReadonlyMap<string, string>;
  readonly executedQuery: string;
}

interface TableRows extends TableFrame {
  /** Oldest first. */
  readonly records: readonly MetadataRecord[];
  /** There are older rows in the time range. */
  readonly isLimited: boolean;
  /** The columns of the records. Default: made from them. */
  readonly columns?: RecordColumns;
  readonly part?: MetadataMeta['part'];
}

/**
 * One frame for each table: `time`, then the keys in the order printed. Times rise, as Grafana's own panels want
 * them.
 */
export function createMetadataFrame(rows: TableRows): DataFrame {
  const { table, keys, records, isLimited } = rows;
  const columns = rows.columns ?? createRecordColumns(records, keys, undefined);
  const floats = listFloats(records);
  const fields = keys.map((name, at) => ({ name, ...createColumn(columns.cells[at] ?? [], floats.get(name)) }));
  const texts = fields.filter((field) => field.texts.length > 0).map((field) => [field.name, field.texts] as const);
  const limit = `The newest ${formatCount(records.length)} of ${formatCount(table.rows)} rows of ${createLabel(table, keys)}.`;
  return createFrame(rows, {
    x: inferX(table, columns),
    totalRows: Math.max(table.rows, records.length),
    isLimited,
    part: rows.part,
    ...{ timesMs: columns.timesMs, tsNs: columns.tsNs },
    printed: createPrintedMeta(table, texts),
    fields: fields.map(({ name, type, values }) => ({ name, type, values: [...values], config: {} })),
    notices: isLimited ? [createNotice(limit)] : [],
  });
}

/** The nearest floats of integers beyond 2^53, by key and row. */
function listFloats(records: readonly MetadataRecord[]): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const byKey = new Map<string, Map<number, number>>();
  records.forEach(({ floats }, row) => {
    for (const [key, float] of floats ?? []) {
      const column = byKey.get(key) ?? new Map<number, number>();
      byKey.set(key, column.set(row, float));
    }
  });
  return byKey;
}

function createPrintedMeta({ form }: TableSummary, texts: PrintedMeta['texts']): PrintedMeta | undefined {
  if (form === undefined) return texts.length === 0 ? undefined : { texts };
  return { form, texts };
}

interface FrameContent extends Pick<MetadataMeta, 'x' | 'totalRows' | 'folded' | 'isLoading'> {
  readonly part?: MetadataMeta['part'] | undefined;
  readonly printed?: PrintedMeta | undefined;
  readonly isLimited: boolean;
  readonly timesMs: readonly number[];
  readonly tsNs: readonly string[];
  readonly fields: readonly FieldDTO[];
  readonly notices: QueryResultMetaNotice[];
}

/** The frame of a table; the time is its first field. */
export function createFrame(frame: TableFrame, content: FrameContent): DataFrame {
  const { table } = frame;
  const { x, totalRows, printed, folded, part, isLimited, isLoading, timesMs, tsNs } = content;
  const meta: MetadataMeta = {
    kind: 'metadata',
    job: table.job,
    user: table.user,
    series: table.series,
    ...(table.task === undefined ? {} : { task: table.task }),
    ...{
      x,
      totalRows,
      limited: isLimited,
      ...(printed !== undefined && { printed }),
      ...(folded !== undefined && { folded }),
      ...(part !== undefined && { part }),
    },
    ...(isLoading === true && { isLoading }),
    startMs: toMs(table.timeNs),
    tsNs,
  };
  return toDataFrame({
    refId: frame.refId,
    name: createFrameName(frame),
    meta: {
      preferredVisualisationType: 'graph',
      executedQueryString: frame.executedQuery,
      custom: createCustomMeta(meta),
      notices: content.notices,
    },
    fields: [
      { name: 'time', type: FieldType.time, values: [...timesMs], config: {} },
      ...content.fields.map((field) => ({ ...field, config: configure(frame, field) })),
    ],
  });
}

/** How a line of Grafana's own panels is called, and its unit, if the key tells one. */
function configure(frame: TableFrame, { name, type, config }: FieldDTO): FieldConfig {
  const unit = type === FieldType.number ? findKeyUnit(name) : undefined;
  return { displayNameFromDS: nameLine(frame, name), ...config, ...(unit !== undefined && { unit }) };
}

/** From the rows when all of them came, else from the ingester's running statistics, which cover the other rows too. */
function inferX(table: TableSummary, { records, readStats }: RecordColumns): XAxisChoice | null {
  const hasAll = records.length >= table.rows && records.length > 0;
  const stats = hasAll ? { ...readStats(), counters: table.stats?.counters } : (table.stats ?? readStats());
  return inferXAxis(stats) ?? null;
}

const LABEL_KEYS = 3;

/**
 * The first keys of a table: `epoch, loss, accuracy +2`. Tables of other programs may have the same keys, so these have
 * their measurement and tags: `training_loss, rank=0`.
 */
function createLabel({ series }: TableSummary, keys: readonly string[]): string {
  const origin = readSeriesOrigin(series);
  if (origin !== undefined) return origin.join(', ');
  const shown = keys.slice(0, LABEL_KEYS).join(', ');
  return keys.length > LABEL_KEYS ? `${shown} +${keys.length - LABEL_KEYS}` : shown;
}

function createFrameName({ table, jobPrefix }: TableFrame): string {
  return `${jobPrefix}${createLabel(table, table.keys)}${nameTask(table)}`;
}

/** What Grafana's own panels call the line of a key: of two frames, they would add the names of these. */
export function nameLine({ table, jobPrefix, owners }: TableFrame, key: string): string {
  const owner = owners?.get(key);
  return `${jobPrefix}${key}${owner === undefined ? '' : ` (${owner})`}${nameTask(table)}`;
}

function nameTask({ task }: TableSummary): string {
  return task === undefined ? '' : ` (${task})`;
}

/**
 * Tells tables apart that have keys in common with others of the same job, user and task: by the first key that a table
 * alone has, else by its first keys; the second of those that begin alike is `#2`. The names are those of shared keys.
 */
export function createOwnerNamer(
  tables: readonly TableSummary[]
): (table: TableSummary) => ReadonlyMap<string, string> {
  const idOf = ({ job, user, task }: TableSummary, text: string): string => JSON.stringify([job, user, task, text]);
  const counts = new Map<string, number>();
  const count = (id: string): number => {
    const next = (counts.get(id) ?? 0) + 1;
    counts.set(id, next);
    return next;
  };
  for (const table of tables) for (const key of table.keys) count(idOf(table, `key ${key}`));
  const isShared = (table: TableSummary, key: string): boolean => (counts.get(idOf(table, `key ${key}`)) ?? 0) > 1;
  const names = new Map(
    tables.map((table) => {
      const own = readSeriesOrigin(table.series) ?? table.keys.filter((key) => !isShared(table, key)).slice(0, 1);
      const label = own.length > 0 ? own.join(', ') : createLabel(table, table.keys);
      const rank = count(idOf(table, `label ${label}`));
      return [table, rank > 1 ? `${label} #${rank}` : label];
    })
  );
  return (table) =>
    new Map(table.keys.filter((key) => isShared(table, key)).map((key) => [key, names.get(table) ?? '']));
}
