import { FieldType, type DataFrame, type Field } from '@grafana/data';
import {
  findTimeField,
  isLogFrame,
  readJoblensMeta,
  readValues,
  type JoblensMeta,
  type StoredX,
} from './frame-data.js';

export interface Column {
  /** The user's own key. */
  readonly name: string;
  /** What to call it on screen: the key, unless an override renames it. */
  readonly title: string;
  readonly field: Field;
  readonly values: readonly unknown[];
  /** Some value is a finite number, so it can be drawn. */
  readonly isNumeric: boolean;
}

/** One frame as the graph and the table see it: rows in the order of the frame. */
export interface PanelTable {
  /** Stays the same from refresh to refresh. */
  readonly id: string;
  readonly label: string;
  readonly kind: 'metadata' | 'jobs' | 'plain';
  readonly job: string | undefined;
  readonly user: string | undefined;
  readonly task: string | undefined;
  readonly timeTitle: string;
  readonly timesMs: readonly number[] | undefined;
  readonly timesNs: readonly string[] | undefined;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Rows the store holds; more than `rowCount` when the answer is limited. */
  readonly totalRows: number;
  readonly storedX: StoredX | null | undefined;
}

function isHiddenFromViz(field: Field): boolean {
  const custom = field.config.custom as { hideFrom?: { viz?: boolean } } | undefined;
  return custom?.hideFrom?.viz === true;
}

function readTitle(field: Field): string {
  return field.config.displayName ?? field.config.displayNameFromDS ?? field.name;
}

function createColumn(field: Field): Column {
  const values = readValues(field);
  const isTime = field.type === FieldType.time;
  return {
    name: field.name,
    title: readTitle(field),
    field,
    values,
    isNumeric: !isTime && values.some((value) => typeof value === 'number' && Number.isFinite(value)),
  };
}

function createLabel(frame: DataFrame, index: number, columns: readonly Column[]): string {
  if (frame.name !== undefined && frame.name !== '') return frame.name;
  const names = columns.slice(0, 3).map((column) => column.title);
  return names.length > 0 ? `${names.join(', ')}${columns.length > 3 ? ', …' : ''}` : `Table ${index + 1}`;
}

function createId(meta: JoblensMeta | undefined, frame: DataFrame, index: number): string {
  if (meta?.series !== undefined) return JSON.stringify([meta.job, meta.user, meta.series, meta.task]);
  return JSON.stringify([frame.refId ?? '', frame.name ?? '', index]);
}

function readKind(meta: JoblensMeta | undefined): PanelTable['kind'] {
  return meta?.kind === 'metadata' || meta?.kind === 'jobs' ? meta.kind : 'plain';
}

type Identity = Pick<PanelTable, 'id' | 'kind' | 'job' | 'user' | 'task' | 'storedX'>;

function readIdentity(frame: DataFrame, index: number, meta: JoblensMeta | undefined): Identity {
  return {
    id: createId(meta, frame, index),
    kind: readKind(meta),
    job: meta?.job,
    user: meta?.user,
    task: meta?.task,
    storedX: meta?.x,
  };
}

function createTable(frame: DataFrame, index: number): PanelTable {
  const meta = readJoblensMeta(frame);
  const timeField = findTimeField(frame);
  const columns = frame.fields
    .filter((field) => field !== timeField && !isHiddenFromViz(field))
    .map((field) => createColumn(field));
  const timesMs = timeField === undefined ? undefined : (readValues(timeField) as readonly number[]);
  const rowCount = timesMs?.length ?? columns[0]?.values.length ?? 0;
  return {
    ...readIdentity(frame, index, meta),
    label: createLabel(frame, index, columns),
    timeTitle: timeField === undefined ? 'time' : readTitle(timeField),
    timesMs,
    timesNs: meta?.tsNs?.length === rowCount ? meta.tsNs : undefined,
    columns,
    rowCount,
    totalRows: Math.max(rowCount, meta?.totalRows ?? 0),
  };
}

interface Owner {
  readonly job: string | undefined;
  readonly user: string | undefined;
  readonly task: string | undefined;
}

/** Which of job, user and task tell these tables apart: the parts that a name must then carry. */
export function createOwnerPrefix(tables: readonly Owner[]): (table: Owner) => string {
  const varies = (read: (table: Owner) => string | undefined): boolean => new Set(tables.map(read)).size > 1;
  const parts = [
    varies(({ job }) => job) ? ({ job }: Owner) => job : undefined,
    varies(({ user }) => user) ? ({ user }: Owner) => user : undefined,
    varies(({ task }) => task) ? ({ task }: Owner) => (task === undefined ? undefined : `task ${task}`) : undefined,
  ].filter((part) => part !== undefined);
  return (table) =>
    parts
      .map((part) => part(table))
      .filter((part) => part !== undefined)
      .map((part) => `${part} · `)
      .join('');
}

/** Every frame that is not a log, in the order of the frames. */
export function createTables(frames: readonly DataFrame[]): readonly PanelTable[] {
  const tables = frames.filter((frame) => !isLogFrame(frame) && frame.fields.length > 0).map(createTable);
  const prefix = createOwnerPrefix(tables);
  return tables.map((table) => ({ ...table, label: `${prefix(table)}${table.label}` }));
}

/** The job that a panel shows, as one string: view state that belongs to a job ends when it changes. */
export function createJobKey(frames: readonly DataFrame[]): string {
  const jobs = frames.map((frame) => readJoblensMeta(frame)?.job ?? '').filter((job) => job !== '');
  return JSON.stringify([...new Set(jobs)].sort());
}
