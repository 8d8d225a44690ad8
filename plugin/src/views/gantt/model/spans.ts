import { type DataFrame, type Field, FieldType } from '@grafana/data';
import { readValues } from '../../../frames/field-values.js';
import { isSpansFrame, readFrameMeta } from '../../../frames/frame-meta.js';
import {
  findSpanFields,
  readUnitMs,
  simplifyName,
  SPAN_TEXTS,
  type SpanFields,
  type SpanText,
  TEXT_NAMES,
} from './find-fields.js';

/** What is known of a slot of time, for many spans that are too short to be drawn. */
export interface SpanFold {
  /** The share of the slot in which something ran, from 0 to 1. */
  readonly busy: number;
  /** How many ran at once, in the mean. */
  readonly running: number;
  /** How many spans overlap the slot. */
  readonly count: number;
}

/** Something that ran for a while; or, with a fold, a slot of time with many of these. */
export interface Span extends Readonly<Record<SpanText, string>> {
  readonly startMs: number;
  /** Infinity: it has not ended. */
  readonly endMs: number;
  /** The place of its name in the model's; that of its category for a fold, which has no name. */
  readonly nameAt: number;
  readonly fold?: SpanFold;
  readonly frame: DataFrame;
  readonly row: number;
}

export interface SpansModel {
  readonly spans: readonly Span[];
  /** What colours are for: each name once. */
  readonly names: readonly string[];
  readonly hasFolds: boolean;
  /** Why frames with rows are not drawn. */
  readonly missing: string | undefined;
}

type ReadText = (row: number) => string;

/** The values of a field, or one that all rows share: the label of a field, the job of the frame. */
function createTextReader(frame: DataFrame, text: SpanText, { texts }: SpanFields): ReadText {
  const field = texts[text];
  if (field !== undefined) {
    const values = readValues(field);
    return (row) => formatText(values[row]);
  }
  const shared = findLabel(frame, TEXT_NAMES[text]) ?? (text === 'job' ? readFrameMeta(frame)?.job : undefined) ?? '';
  return () => shared;
}

function formatText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function findLabel(frame: DataFrame, names: readonly string[]): string | undefined {
  const labels = frame.fields.flatMap((field) => Object.entries(field.labels ?? {}));
  return names
    .map((name) => labels.find(([label]) => simplifyName(label) === name)?.[1])
    .find((value) => value !== undefined);
}

/** Numbers of seconds, milliseconds, microseconds or nanoseconds since the epoch: nobody's spans are of 1970. */
function scaleTime(time: number): number {
  const size = Math.abs(time);
  if (size < 1e11) return time * 1000;
  if (size < 1e14) return time;
  return size < 1e17 ? time / 1000 : time / 1e6;
}

/** Milliseconds with their fraction; NaN where there is none. */
function createTimeReader(field: Field | undefined): (row: number) => number {
  if (field === undefined) return () => Number.NaN;
  const values = readValues(field);
  const nanos = (field as { readonly nanos?: readonly number[] }).nanos;
  const isTime = field.type === FieldType.time;
  return (row) => {
    const value = values[row];
    if (typeof value === 'string') return Date.parse(value);
    if (typeof value !== 'number') return Number.NaN;
    return isTime ? value + (nanos?.[row] ?? 0) / 1e6 : scaleTime(value);
  };
}

function createNumberReader(field: Field | undefined, unit: number): (row: number) => number {
  if (field === undefined) return () => Number.NaN;
  const values = readValues(field);
  return (row) => {
    const value = values[row];
    return typeof value === 'number' ? value * unit : Number.NaN;
  };
}

function createFoldReader({ busy, running, count }: SpanFields): ((row: number) => SpanFold) | undefined {
  if (busy === undefined) return undefined;
  const [readBusy, readRunning, readCount] = [busy, running, count].map((field) => createNumberReader(field, 1));
  const read = (reader: ((row: number) => number) | undefined, row: number): number => reader?.(row) || 0;
  return (row) => ({
    busy: Math.min(1, Math.max(0, read(readBusy, row))),
    running: read(readRunning, row),
    count: read(readCount, row),
  });
}

/** The end that a row says; else its start and duration. Infinity where it says neither. */
function createEndReader({ end, duration }: SpanFields): (row: number, startMs: number) => number {
  const readEnd = createTimeReader(end);
  const readDuration = createNumberReader(duration, duration === undefined ? 1 : readUnitMs(duration));
  return (row, startMs) => {
    const endMs = readEnd(row);
    if (!Number.isNaN(endMs)) return Math.max(startMs, endMs);
    const durationMs = readDuration(row);
    return Number.isNaN(durationMs) ? Infinity : startMs + Math.max(0, durationMs);
  };
}

/** What a frame with rows lacks; undefined where it can be drawn. */
function explainMissing(frame: DataFrame, { start, end, duration }: SpanFields): string | undefined {
  const names = frame.fields.map(({ name }) => name).join(', ');
  if (start === undefined) return `No field is a time of start. The fields are: ${names}.`;
  if (end !== undefined || duration !== undefined) return undefined;
  return `No field is an end (a second time, such as \`end\`) or a duration (a number, such as \`duration\`). The fields are: ${names}.`;
}

function readFrame(frame: DataFrame, fields: SpanFields, placeName: (name: string) => number): Span[] {
  const readStart = createTimeReader(fields.start);
  const readEnd = createEndReader(fields);
  const readFold = createFoldReader(fields);
  const readers = SPAN_TEXTS.map((text) => [text, createTextReader(frame, text, fields)] as const);
  const hasName = readFold === undefined && fields.texts.name !== undefined;
  const spans: Span[] = [];
  for (let row = 0; row < frame.length; row++) {
    const startMs = readStart(row);
    if (Number.isNaN(startMs)) continue;
    const texts = { name: '', category: '', worker: '', job: '' };
    for (const [text, read] of readers) texts[text] = read(row);
    if (!hasName) texts.name = readFold === undefined ? (frame.name ?? '') : '';
    spans.push({
      ...texts,
      ...{ startMs, endMs: readEnd(row, startMs), frame, row },
      nameAt: placeName(readFold === undefined ? texts.name : texts.category),
      ...(readFold !== undefined && { fold: readFold(row) }),
    });
  }
  return spans;
}

/**
 * Reads every frame that has a start, and an end or a duration. Where spans were asked for, other frames are for other
 * views: a table may have a key `duration`.
 */
export function readSpans(frames: readonly DataFrame[]): SpansModel {
  const asked = frames.filter(isSpansFrame);
  const places = new Map<string, number>();
  const placeName = (name: string): number => {
    const at = places.get(name) ?? places.size;
    if (at === places.size) places.set(name, at);
    return at;
  };
  let missing: string | undefined;
  const spans: Span[] = [];
  for (const frame of asked.length > 0 ? asked : frames) {
    if (frame.length === 0) continue;
    const fields = findSpanFields(frame);
    const lack = explainMissing(frame, fields);
    if (lack === undefined) for (const span of readFrame(frame, fields, placeName)) spans.push(span);
    else missing ??= lack;
  }
  return { spans, names: [...places.keys()], hasFolds: spans.some(({ fold }) => fold !== undefined), missing };
}
