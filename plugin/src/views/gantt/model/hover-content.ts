import type { DataFrame, Field } from '@grafana/data';
import { countOf } from '@joblens/core/words/counts';
import { readValues } from '../../../frames/field-values.js';
import { createUnitFormat } from '../../parts/number-format.js';
import { findSpanFields, SPAN_TEXTS } from './find-fields.js';
import type { Lane } from './lanes.js';
import { formatInstant, formatSpanDuration } from './span-words.js';
import type { Span, SpanFold } from './spans.js';

export interface HoverRow {
  readonly name: string;
  readonly value: string;
}

export interface HoverContent {
  readonly title: string;
  readonly rows: readonly HoverRow[];
  /** Rows that there is no room for. */
  readonly more: number;
}

interface When {
  readonly timeZone: string;
  readonly presentMs: number;
}

const MAX_ROWS = 16;
const MAX_CHARS = 300;
const LABELS = { category: 'Category', worker: 'Worker', job: 'Job' } as const;

function shorten(text: string): string {
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}

/** The parts of an object that is written as JSON; any other text as it is. */
function readData(name: string, text: string): readonly HoverRow[] {
  if (!text.startsWith('{')) return [{ name, value: text }];
  try {
    const parts = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return parts.map(([key, value]) => ({
      name: key,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    }));
  } catch {
    return [{ name, value: text }];
  }
}

function describeField(field: Field, row: number): readonly HoverRow[] {
  const value = readValues(field)[row];
  if (value === null || value === undefined || value === '') return [];
  if (typeof value === 'string') return readData(field.name, value);
  const text = createUnitFormat(field)?.(value) ?? JSON.stringify(value);
  return [{ name: field.name, value: text }];
}

const usedFields = new WeakMap<DataFrame, ReadonlySet<Field | undefined>>();

/** What is said in words of its own. */
function listUsed(frame: DataFrame): ReadonlySet<Field | undefined> {
  const known = usedFields.get(frame);
  if (known !== undefined) return known;
  const { start, end, duration, texts, busy, running, count } = findSpanFields(frame);
  const used = new Set([start, end, duration, busy, running, count, ...Object.values(texts)]);
  usedFields.set(frame, used);
  return used;
}

function describeTimes({ startMs, endMs }: Span, { timeZone, presentMs }: When): readonly HoverRow[] {
  const isOpen = endMs === Infinity;
  const durationMs = Math.max(0, (isOpen ? presentMs : endMs) - startMs);
  return [
    { name: 'Start', value: formatInstant(startMs, timeZone) },
    { name: 'End', value: isOpen ? 'still open' : formatInstant(endMs, timeZone) },
    { name: 'Duration', value: `${formatSpanDuration(durationMs)}${isOpen ? ' so far' : ''}` },
  ];
}

function describeFold({ busy, running, count }: SpanFold): readonly HoverRow[] {
  return [
    { name: 'Spans', value: countOf(count, 'span') },
    { name: 'Running', value: `${String(Number(running.toPrecision(3)))} at once, in the mean` },
    { name: 'Busy', value: `${String(Number((busy * 100).toPrecision(3)))}% of the time` },
  ];
}

function limit(title: string, rows: readonly HoverRow[]): HoverContent {
  const shown = rows.slice(0, MAX_ROWS).map(({ name, value }) => ({ name, value: shorten(value) }));
  return { title, rows: shown, more: rows.length - shown.length };
}

/** All that is known of a span, or of a slot. */
export function describeSpan(span: Span, when: When): HoverContent {
  const texts = SPAN_TEXTS.filter((part) => part !== 'name' && span[part] !== '');
  const known = texts.map((part) => ({ name: LABELS[part as keyof typeof LABELS], value: span[part] }));
  const times = describeTimes(span, when);
  if (span.fold !== undefined) return limit('Folded spans', [...known, ...times, ...describeFold(span.fold)]);
  const used = listUsed(span.frame);
  const others = span.frame.fields.filter((field) => !used.has(field));
  const title = span.name || span.category || 'Span';
  return limit(title, [...known, ...times, ...others.flatMap((field) => describeField(field, span.row))]);
}

/** Spans that share a pixel. */
export function describeMany(lane: Lane, first: number, count: number, when: When): HoverContent {
  const spans = lane.spans.slice(first, first + count);
  const total = spans.reduce((sum, { fold }) => sum + (fold?.count ?? 1), 0);
  const [startMs, endMs] = [lane.starts[first] ?? 0, Math.min(lane.ends[first + count - 1] ?? 0, when.presentMs)];
  const ranMs = (lane.ranMs[first + count] ?? 0) - (lane.ranMs[first] ?? 0);
  const measure = (span: Span): number => Math.min(span.endMs, when.presentMs) - span.startMs;
  const longest = spans.reduce((best, span) => (measure(span) > measure(best) ? span : best));
  const named = longest.fold === undefined;
  return limit(countOf(total, 'span'), [
    { name: 'From', value: formatInstant(startMs, when.timeZone) },
    { name: 'To', value: formatInstant(endMs, when.timeZone) },
    { name: 'Busy', value: `${formatSpanDuration(ranMs)} of ${formatSpanDuration(Math.max(0, endMs - startMs))}` },
    ...(named ? [{ name: 'Longest', value: `${longest.name}, ${formatSpanDuration(measure(longest))}` }] : []),
    { name: '', value: 'Zoom in to see each.' },
  ]);
}

/** Where there is no span: the time, and how many run. */
export function describeInstant(timeMs: number, running: number, timeZone: string): HoverContent {
  const rows = [{ name: 'Running', value: String(Number(running.toPrecision(3))) }];
  return { title: formatInstant(timeMs, timeZone), rows, more: 0 };
}
