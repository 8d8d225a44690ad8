import { NS_PER_US } from '../numbers/time-units.js';
import type { Point } from '../point/point.js';
import { hashFnv1a64 } from './fnv-hash.js';
import type { JsonValue } from './job-point.js';
import { type JobSource, SPAN_MEASUREMENT } from './measurements.js';
import { encodeTagValue } from './name-transport.js';
import { jobTags } from './source-tags.js';

/** What is known of a span: both ends; only its start, so that it is open; or only its finish. */
export type SpanPart = 'whole' | 'start' | 'finish';

/** Something that a job did for a while. */
export interface Span extends Pick<JobSource, 'job' | 'user'> {
  /** An empty one is as none. Category and worker together are the span's lane. */
  readonly category?: string | undefined;
  readonly worker?: string | undefined;
  /** What pairs a start and a finish, within a category. */
  readonly id: string;
  readonly name: string;
  /** Its start; of a span whose start is not known, its finish. */
  readonly startNs: bigint;
  /** Undefined while it is open, or its start is not known. */
  readonly durationMs?: number | undefined;
  readonly data?: JsonValue | undefined;
  /** The data as JSON, where numbers in `data` may have lost digits. */
  readonly json?: string | undefined;
  /** By default `whole` with a duration, and `start` without one. */
  readonly part?: SpanPart | undefined;
}

/**
 * The time of a span's point. Clocks of programs tell microseconds at best, mostly; so several spans of one lane may
 * begin at once, and each needs a time of its own. A time of whole microseconds gets nanoseconds that are the id's own.
 * The digits at the end of the id count, so that neighbours never share them.
 */
export function findSpanNs({ id, startNs }: Pick<Span, 'id' | 'startNs'>): bigint {
  if (startNs % NS_PER_US !== 0n) return startNs;
  const [, stem = '', digits = ''] = /^(.*?)(\d{0,15})$/s.exec(id) ?? [];
  const place = BigInt(`0x${hashFnv1a64(stem)}`) + BigInt(digits === '' ? 0 : digits);
  return startNs + (place % NS_PER_US);
}

/** The tags of a lane of spans, after those of its job. */
export function listLaneTags({
  category = '',
  worker = '',
}: Pick<Span, 'category' | 'worker'>): Array<readonly [string, string]> {
  const tags = [['category', category] as const, ['worker', worker] as const];
  return tags.filter(([, value]) => value !== '').map(([key, value]) => [key, encodeTagValue(value)] as const);
}

/**
 * The `job_span` point of a span. Written again with its other half known, it is the same point, as long as job, lane,
 * id and start are the same.
 */
export function createSpanPoint(span: Span, timeNs: bigint = findSpanNs(span)): Point {
  const { id, name, durationMs, data, json, part = durationMs === undefined ? 'start' : 'whole' } = span;
  const fields = new Map<string, string | number>([
    ['id', id],
    ['name', name],
  ]);
  if (durationMs !== undefined) fields.set('duration_ms', durationMs);
  const text = json ?? (data === undefined ? undefined : JSON.stringify(data));
  if (text !== undefined) fields.set('data', text);
  fields.set('part', part);
  return { measurement: SPAN_MEASUREMENT, tags: new Map([...jobTags(span), ...listLaneTags(span)]), fields, timeNs };
}
