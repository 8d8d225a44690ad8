import { formatCount } from '@joblens/core/words/counts';
import { FieldType, type DataFrame } from '@grafana/data';
import { findTimeField, readFieldByName, readValues } from '../../../frames/field-values.js';
import { isLogFrame, readLogsMeta } from '../../../frames/frame-meta.js';
import { LOG_FIELDS, parseLineId, type StreamChoice } from '../../../frames/log-fields.js';
import { compareTimes } from '../../../frames/times.js';

export type LogOrder = 'asc' | 'desc';

export interface PanelLogLine {
  /** Unique, and the same when the line is rewritten in place. */
  readonly id: string;
  readonly timeMs: number;
  readonly timeNs: string | undefined;
  /** With its SGR colours, if it has any. */
  readonly text: string;
  readonly stream: string;
  readonly kind: string;
  readonly task: string;
  /** Whose line it is; '' where nobody knows. */
  readonly job: string;
  readonly user: string;
  readonly level: string;
}

/** What tells the owners of lines apart. */
export type OwnerForm = 'none' | 'job' | 'user' | 'job and user';

export interface LogModel {
  /** Oldest first. */
  readonly lines: readonly PanelLogLine[];
  readonly hasBothStreams: boolean;
  readonly hasTasks: boolean;
  /** What each line has to name, as there are lines of several jobs or users. */
  readonly ownerForm: OwnerForm;
  /** There are older lines in the time range. */
  readonly isLimited: boolean;
}

/** The names of the field of lines, in frames of this data source and of others. */
const LINE_NAMES = [LOG_FIELDS.line, 'line', 'Line', 'message'];

function findLines(frame: DataFrame): readonly unknown[] | undefined {
  const named = LINE_NAMES.map((name) => frame.fields.find((field) => field.name === name)).find(Boolean);
  const field = named ?? frame.fields.find((candidate) => candidate.type === FieldType.string);
  return field === undefined ? undefined : readValues(field);
}

function readText(values: readonly unknown[] | undefined, row: number): string {
  const value = values?.[row];
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function readFrameLines(frame: DataFrame, frameIndex: number): PanelLogLine[] {
  const timeField = findTimeField(frame);
  const body = findLines(frame);
  if (timeField === undefined || body === undefined) return [];
  const times = readValues(timeField) as readonly number[];
  const column = (name: string): readonly unknown[] | undefined => readFieldByName(frame, name);
  const { id, timeNs, stream, kind, task, severity } = LOG_FIELDS;
  const [ids, timesNs, streams, kinds, tasks] = [id, timeNs, stream, kind, task].map(column);
  const levels = column(severity) ?? column('level');
  const readOwner = createOwnerReader(ids, column(LOG_FIELDS.job), column(LOG_FIELDS.user));
  return times.map((timeMs, row) => ({
    id: readText(ids, row) || `${frameIndex}:${row}`,
    timeMs,
    timeNs: readText(timesNs, row) || undefined,
    text: readText(body, row),
    stream: readText(streams, row),
    kind: readText(kinds, row) || 'output',
    task: readText(tasks, row),
    ...readOwner(row),
    level: readText(levels, row),
  }));
}

type Owner = Pick<PanelLogLine, 'job' | 'user'>;

/** A frame names the owner of each line where it has several; else the id of any line tells it. */
function createOwnerReader(
  ids: readonly unknown[] | undefined,
  jobs: readonly unknown[] | undefined,
  users: readonly unknown[] | undefined
): (row: number) => Owner {
  const { job = '', user = '' } = parseLineId(readText(ids, 0)) ?? {};
  const only = { job, user };
  return jobs === undefined || users === undefined
    ? () => only
    : (row) => ({ job: readText(jobs, row), user: readText(users, row) });
}

function findOwnerForm(lines: readonly PanelLogLine[]): OwnerForm {
  const users = new Map<string, string>();
  let isShared = false;
  for (const { job, user } of lines) {
    const known = users.get(job);
    if (known === undefined) users.set(job, user);
    else if (known !== user) isShared = true;
  }
  if (users.size > 1) return isShared ? 'job and user' : 'job';
  return isShared ? 'user' : 'none';
}

/** The owner of a line as people tell it from the others. */
export function nameOwner({ job, user }: Owner, form: OwnerForm): string {
  const named = user === '' ? 'nobody' : user;
  if (form === 'job and user') return `${job} of ${named}`;
  return form === 'none' ? '' : form === 'job' ? job : named;
}

type Edge = PanelLogLine | undefined;

/**
 * The line at which the lines of several limited answers begin (`desc`) or end (`asc`) to be complete: beyond it, lines
 * of one answer would stand without those of another between them.
 */
function findEdge(models: readonly LogModel[], want: 'asc' | 'desc'): Edge {
  const edges = models
    .filter(({ isLimited }) => isLimited)
    .map(({ lines }) => (want === 'desc' ? lines[0] : lines[lines.length - 1]))
    .filter((edge) => edge !== undefined)
    .sort(compareLines);
  return want === 'desc' ? edges[edges.length - 1] : edges[0];
}

export function compareLines(a: PanelLogLine, b: PanelLogLine): number {
  return compareTimes(a.timeMs, a.timeNs, b.timeMs, b.timeNs);
}

function createOneModel(lines: readonly PanelLogLine[], isLimited: boolean): LogModel {
  const streams = new Set(lines.map((line) => line.stream));
  return {
    lines,
    hasBothStreams: streams.has('stdout') && streams.has('stderr'),
    hasTasks: new Set(lines.map((line) => line.task)).size > 1,
    ownerForm: findOwnerForm(lines),
    isLimited,
  };
}

/**
 * All log frames as one log, oldest line first.
 * @param want which lines the frames have where there are more: the newest (`desc`) or the oldest
 */
export function createLogModel(frames: readonly DataFrame[], want: 'asc' | 'desc' = 'desc'): LogModel {
  const models = frames
    .filter(isLogFrame)
    .map((frame, index) =>
      createOneModel(readFrameLines(frame, index).sort(compareLines), readLogsMeta(frame)?.limited === true)
    );
  const [only] = models;
  if (only !== undefined && models.length === 1) return only;
  const lines = models.flatMap((model) => model.lines).sort(compareLines);
  const edge = findEdge(models, want);
  const isCovered = (line: PanelLogLine): boolean =>
    edge === undefined || (want === 'desc' ? compareLines(line, edge) >= 0 : compareLines(line, edge) <= 0);
  return createOneModel(
    lines.filter(isCovered),
    models.some(({ isLimited }) => isLimited)
  );
}

export function filterStream(lines: readonly PanelLogLine[], stream: StreamChoice): readonly PanelLogLine[] {
  return stream === 'both' ? lines : lines.filter((line) => line.stream === '' || line.stream === stream);
}

/** An error this close to the end is in sight when the log opens at its end. */
const END_LINES = 20;
const END_MS = 10_000;

/**
 * The stream that a log opens with. People look for stdout first; a log that ends with an error in stderr opens where
 * that is: in both streams, or in stderr alone where stdout hides it, as a program may keep output back until it ends.
 */
export function inferFirstStream({ lines, hasBothStreams }: LogModel): StreamChoice {
  // There may be stdout before the loaded lines.
  if (!hasBothStreams) return lines.some(({ stream }) => stream !== 'stderr') ? 'stdout' : 'both';
  const at = lines.findLastIndex(({ stream, level }) => stream === 'stderr' && level === 'error');
  const [error, last] = [lines[at], lines[lines.length - 1]];
  if (error === undefined || last === undefined) return 'stdout';
  if (lines.length - at <= END_LINES) return 'both';
  return last.timeMs - error.timeMs <= END_MS ? 'stderr' : 'stdout';
}

/** A sentence about the lines that are left out; `undefined` when none are. */
export function formatLogLimit({ lines, isLimited }: Pick<LogModel, 'lines' | 'isLimited'>): string | undefined {
  return isLimited ? `The newest ${formatCount(lines.length)} lines; older ones are not shown` : undefined;
}
