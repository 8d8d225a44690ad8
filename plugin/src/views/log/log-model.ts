import { FieldType, type DataFrame } from '@grafana/data';
import { findTimeField, readFieldByName, readValues } from '../../frames/field-values.js';
import { isLogFrame, readLogsMeta } from '../../frames/frame-meta.js';
import { LOG_FIELDS, type StreamChoice } from '../../frames/log-fields.js';
import { compareTimes } from '../../frames/times.js';

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
  readonly level: string;
}

export interface LogModel {
  /** Oldest first. */
  readonly lines: readonly PanelLogLine[];
  readonly hasBothStreams: boolean;
  readonly hasTasks: boolean;
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

/** All log frames as one log, oldest line first. */
export function createLogModel(frames: readonly DataFrame[]): LogModel {
  const logFrames = frames.filter(isLogFrame);
  const lines = logFrames.flatMap(readFrameLines).sort((a, b) => compareTimes(a.timeMs, a.timeNs, b.timeMs, b.timeNs));
  const streams = new Set(lines.map((line) => line.stream));
  return {
    lines,
    hasBothStreams: streams.has('stdout') && streams.has('stderr'),
    hasTasks: new Set(lines.map((line) => line.task)).size > 1,
    isLimited: logFrames.some((frame) => readLogsMeta(frame)?.limited === true),
  };
}

export function filterStream(lines: readonly PanelLogLine[], stream: StreamChoice): readonly PanelLogLine[] {
  return stream === 'both' ? lines : lines.filter((line) => line.stream === '' || line.stream === stream);
}

/** A sentence about the lines that are left out; `undefined` when none are. */
export function formatLogLimit({ lines, isLimited }: LogModel): string | undefined {
  return isLimited ? `The newest ${lines.length.toLocaleString('en-US')} lines; older ones are not shown` : undefined;
}
