import { FieldType, type DataFrame } from '@grafana/data';
import { compareTimes, findTimeField, isLogFrame, readFieldByName, readJoblensMeta, readValues } from './frame-data.js';

export type StreamChoice = 'stdout' | 'stderr' | 'both';

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
  readonly level: string;
}

export interface LogModel {
  /** Oldest first. */
  readonly lines: readonly PanelLogLine[];
  readonly hasBothStreams: boolean;
  readonly hasTasks: boolean;
  /** Lines the store holds, when known. */
  readonly totalLines: number | undefined;
  /** The store holds older lines that the answer leaves out. */
  readonly isLimited: boolean;
}

const BODY_NAMES = ['body', 'line', 'Line', 'message'];

function findBody(frame: DataFrame): readonly unknown[] | undefined {
  const named = BODY_NAMES.map((name) => frame.fields.find((field) => field.name === name)).find(Boolean);
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
  const body = findBody(frame);
  if (timeField === undefined || body === undefined) return [];
  const times = readValues(timeField) as readonly number[];
  const column = (name: string): readonly unknown[] | undefined => readFieldByName(frame, name);
  const [ids, timesNs, streams, kinds, tasks] = ['id', 'tsNs', 'stream', 'kind', 'task'].map(column);
  const levels = column('severity') ?? column('level');
  return times.map((timeMs, row) => ({
    id: readText(ids, row) || `${frameIndex}:${row}`,
    timeMs,
    timeNs: readText(timesNs, row) || undefined,
    text: readText(body, row),
    stream: readText(streams, row),
    kind: readText(kinds, row) || 'output',
    task: readText(tasks, row),
    level: readText(levels, row),
  }));
}

function sumTotals(frames: readonly DataFrame[]): number | undefined {
  const totals = frames.map((frame) => readJoblensMeta(frame)?.total);
  return totals.reduce<number | undefined>(
    (sum, total) => (sum === undefined || total === undefined ? undefined : sum + total),
    0
  );
}

/** All log frames as one log, oldest line first; `undefined` when no frame is a log. */
export function createLogModel(frames: readonly DataFrame[]): LogModel | undefined {
  const logFrames = frames.filter(isLogFrame);
  if (logFrames.length === 0) return undefined;
  const lines = logFrames.flatMap(readFrameLines).sort((a, b) => compareTimes(a.timeMs, a.timeNs, b.timeMs, b.timeNs));
  const streams = new Set(lines.map((line) => line.stream));
  return {
    lines,
    hasBothStreams: streams.has('stdout') && streams.has('stderr'),
    hasTasks: new Set(lines.map((line) => line.task)).size > 1,
    totalLines: sumTotals(logFrames),
    isLimited: logFrames.some((frame) => readJoblensMeta(frame)?.limited === true),
  };
}

export function filterStream(lines: readonly PanelLogLine[], stream: StreamChoice): readonly PanelLogLine[] {
  return stream === 'both' ? lines : lines.filter((line) => line.stream === '' || line.stream === stream);
}

/** What is left out, in a sentence; `undefined` when nothing is. */
export function formatLogLimit(model: LogModel): string | undefined {
  const shown = model.lines.length.toLocaleString('en-US');
  if (model.totalLines !== undefined && model.totalLines > model.lines.length) {
    return `${shown} of ${model.totalLines.toLocaleString('en-US')} lines, the newest`;
  }
  return model.isLimited ? `The newest ${shown} lines; older ones are not shown` : undefined;
}
