import { FieldType, getFieldDisplayName, type DataFrame, type Field } from '@grafana/data';
import type { XAxisChoice } from '@joblens/core/axis/x-axis';
import { findTimeField, readValues } from '../../../frames/field-values.js';
import { listJobPrefixes } from '../../../frames/job-name.js';
import {
  BAND_LABEL,
  type BandStat,
  type FoldedMeta,
  isLogFrame,
  readEventsMeta,
  type PrintedMeta,
  readFrameMeta,
  readMetadataMeta,
  type MetadataMeta,
  type RunGroup,
} from '../../../frames/frame-meta.js';
import type { Emptiness, StoredThings } from './EmptyState.js';

export interface Column {
  /** The user's own key. */
  readonly name: string;
  /** Its name on screen: the key, unless an override renames it. */
  readonly title: string;
  readonly field: Field;
  readonly values: readonly unknown[];
  /** Some value is a finite number, so it can be drawn. */
  readonly isNumeric: boolean;
  /** For values that are means: the lowest and the highest number that each stands for. */
  readonly band?: Band | undefined;
}

export interface Band {
  readonly mins: readonly unknown[];
  readonly maxes: readonly unknown[];
}

/** One frame as the graph and the table see it, rows in the order of the frame. */
export interface PanelTable {
  /** Stays the same from refresh to refresh. */
  readonly id: string;
  readonly label: string;
  readonly kind: 'metadata' | 'jobs' | 'plain';
  readonly job: string | undefined;
  readonly user: string | undefined;
  readonly task: string | undefined;
  /** The group of its job, where jobs are drawn by group. */
  readonly group: RunGroup | undefined;
  /** The column that names a job in each row, if there is one. */
  readonly jobColumn: string | undefined;
  /** Whose job that is, and the time range of its page, as a link has them, where the frame says it. */
  readonly readJobPlace: (row: number) => { readonly user: string; readonly from: string; readonly to: string };
  readonly timeTitle: string;
  readonly timesMs: readonly number[] | undefined;
  readonly timesNs: readonly string[] | undefined;
  /** The time of the table's first row, which may be outside these rows. */
  readonly startMs: number | undefined;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Rows the store holds; more than `rowCount` when the answer is limited. */
  readonly totalRows: number;
  /** Set if it is known how the rows were printed. */
  readonly printed: PrintedMeta | undefined;
  /** Set if `rowCount` counts statistics of many rows, which only a graph can show. */
  readonly folded: FoldedMeta | undefined;
  /** `null`: X is time; `undefined`: nobody looked yet. */
  readonly storedX: XAxisChoice | null | undefined;
}

function isHiddenFromViz(field: Field): boolean {
  const custom = field.config.custom as { hideFrom?: { viz?: boolean } } | undefined;
  return custom?.hideFrom?.viz === true;
}

/** A field's name on screen. */
type TitleReader = (field: Field) => string;

/** Our own keys stay as they are printed. Series of other data sources differ by labels or frame, as Grafana says. */
function createTitleReader(frame: DataFrame, frames: readonly DataFrame[]): TitleReader {
  const kind = readFrameMeta(frame)?.kind;
  // The name that the data source gives to lines of metadata is for Grafana's own panels.
  if (kind === 'metadata') return ({ config, name }) => config.displayName ?? name;
  if (kind !== undefined) {
    return ({ config, name }) => config.displayName ?? config.displayNameFromDS ?? name;
  }
  return (field) => getFieldDisplayName(field, frame, [...frames]);
}

function createColumn(field: Field, readTitle: TitleReader): Column {
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

/** The columns of means, each with its band. */
function createFoldedColumns(fields: readonly Field[], readTitle: TitleReader): readonly Column[] {
  const findBand = (name: string, stat: BandStat): readonly unknown[] | undefined => {
    const field = fields.find((each) => each.name === name && each.labels?.[BAND_LABEL] === stat);
    return field && readValues(field);
  };
  return fields
    .filter(({ labels }) => labels?.[BAND_LABEL] === undefined)
    .map((field) => {
      const [mins, maxes] = [findBand(field.name, 'min'), findBand(field.name, 'max')];
      return { ...createColumn(field, readTitle), ...(mins && maxes && { band: { mins, maxes } }) };
    });
}

function createLabel(frame: DataFrame, index: number, columns: readonly Column[]): string {
  const { job = '', user = '' } = readFrameMeta(frame) ?? {};
  // What tells the tables of all frames apart is added to all of them alike.
  const own = job === '' ? undefined : listJobPrefixes({ job, user }).find((one) => frame.name?.startsWith(one));
  if (frame.name !== undefined && frame.name !== '') return frame.name.slice(own?.length ?? 0);
  const names = columns.slice(0, 3).map((column) => column.title);
  return names.length > 0 ? `${names.join(', ')}${columns.length > 3 ? ', …' : ''}` : `Table ${index + 1}`;
}

function createId(meta: MetadataMeta | undefined, frame: DataFrame, index: number): string {
  if (meta !== undefined) return JSON.stringify([meta.job, meta.user, meta.series, meta.task]);
  return JSON.stringify([frame.refId ?? '', frame.name ?? '', index]);
}

function readKind(kind: string | undefined): PanelTable['kind'] {
  return kind === 'metadata' || kind === 'jobs' ? kind : 'plain';
}

type Identity = Pick<
  PanelTable,
  'id' | 'kind' | 'job' | 'user' | 'task' | 'group' | 'storedX' | 'jobColumn' | 'readJobPlace'
>;

function readIdentity(frame: DataFrame, index: number, metadata: MetadataMeta | undefined): Identity {
  const meta = readFrameMeta(frame);
  return {
    id: createId(metadata, frame, index),
    kind: readKind(meta?.kind),
    job: meta?.job,
    user: meta?.user,
    task: meta?.task,
    group: metadata?.group,
    storedX: metadata?.x,
    jobColumn: readEventsMeta(frame)?.jobColumn,
    readJobPlace: createPlaceReader(frame),
  };
}

function createPlaceReader({ fields }: DataFrame): PanelTable['readJobPlace'] {
  const readField = (name: string, isWanted: (field: Field) => boolean): readonly unknown[] => {
    const field = fields.find((one) => one.name === name && isWanted(one));
    return field === undefined ? [] : readValues(field);
  };
  const [from, to] = ['from', 'to'].map((name) => readField(name, isHiddenFromViz));
  const user = readField('user', () => true);
  const readText = (value: unknown): string => (typeof value === 'string' ? value : '');
  return (row) => ({ user: readText(user[row]), from: readText(from?.[row]), to: readText(to?.[row]) });
}

function readRows(
  frame: DataFrame,
  rowCount: number,
  metadata: MetadataMeta | undefined
): Pick<PanelTable, 'timesNs' | 'totalRows' | 'folded'> {
  const { tsNs } = metadata ?? readEventsMeta(frame) ?? { tsNs: [] };
  const timesNs = tsNs.length === rowCount && rowCount > 0 ? tsNs : undefined;
  if (metadata === undefined) return { timesNs, totalRows: rowCount, folded: undefined };
  const { totalRows, folded } = metadata;
  return {
    timesNs,
    totalRows: Math.max(folded?.rows ?? rowCount, totalRows),
    folded,
  };
}

function createTable(frame: DataFrame, index: number, frames: readonly DataFrame[]): PanelTable {
  const readTitle = createTitleReader(frame, frames);
  const metadata = readMetadataMeta(frame);
  const timeField = findTimeField(frame);
  const fields = frame.fields.filter((field) => field !== timeField && !isHiddenFromViz(field));
  const columns =
    metadata?.folded === undefined
      ? fields.map((field) => createColumn(field, readTitle))
      : createFoldedColumns(fields, readTitle);
  const timesMs = timeField === undefined ? undefined : (readValues(timeField) as readonly number[]);
  const rowCount = timesMs?.length ?? columns[0]?.values.length ?? 0;
  return {
    ...readIdentity(frame, index, metadata),
    label: createLabel(frame, index, columns),
    timeTitle: timeField === undefined ? 'time' : readTitle(timeField),
    timesMs,
    startMs: metadata?.startMs ?? timesMs?.[0],
    columns,
    rowCount,
    ...readRows(frame, rowCount, metadata),
    printed: metadata?.printed,
  };
}

interface Owner {
  readonly job: string | undefined;
  readonly user: string | undefined;
  readonly task: string | undefined;
}

/**
 * A prefix that tells these tables apart: the job, the user and the task, each only where it differs. A table that is
 * of no job of its own makes no other's name longer.
 */
export function createOwnerPrefix(tables: readonly Owner[]): (table: Owner) => string {
  const owned = tables.filter(({ job }) => job !== undefined);
  const varies = (read: (table: Owner) => string | undefined): boolean => new Set(owned.map(read)).size > 1;
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

const METADATA = 'Metadata is a line of standard output that is one JSON object and nothing else';

/** Types of query about many jobs, whose frames are tables, too. */
export const QUESTION_TYPES: readonly string[] = ['events', 'story', 'analytics', 'spans', 'compare', 'groups', 'diff'];

export const NO_ROWS: Emptiness = {
  title: 'No metadata in this time range',
  hint: 'A wider time range may show more.',
};

export const STORED_ROWS: StoredThings = {
  one: 'row of metadata',
  soFar: {
    title: 'No metadata yet',
    hint: `${METADATA}: {"epoch": 1, "loss": 0.5}. It appears here as soon as the job prints one.`,
  },
  never: { title: 'No metadata', hint: `${METADATA}. None of this job is stored.` },
};
