import { accumulateChanges, accumulateSpans, type Change, type Span, type Steps } from '../../analytics/steps.js';
import type { TimeWindow } from '../../analytics/transition.js';
import { parseJsonObject } from '../../json/bounded-json.js';
import { compareNatural } from '../../rows/natural-order.js';
import type { Reading } from '../reading/reading.js';
import { readNewestSpans, readSpansView, type SpansView, type SpansViewRequest } from './read-spans.js';
import { type SpanRecord, toSpanMs } from './single-spans.js';

/**
 * What curves of spans tell: how many run at once, by category or by worker; or the bytes of those that have finished
 * since the range began, by category. TimespanLogging calls such functions of a log consumers.
 */
export const SPAN_CURVES = ['categories', 'workers', 'bytes'] as const;
export type SpanCurveKind = (typeof SPAN_CURVES)[number];

export interface SpanCurves {
  /** By category or worker, in alphabetical order. */
  readonly curves: ReadonlyMap<string, Steps>;
  /** Set if there are more spans than were read: how many were. */
  readonly readSpans?: number | undefined;
}

/** What spans of `move` took less what those of `evict` freed. */
export const LIVE_BYTES = 'live (move - evict)';

/** Reads curves of the spans of a range. */
export function* readSpanCurves(kind: SpanCurveKind, request: SpansViewRequest): Reading<SpanCurves> {
  const window = { fromMs: toSpanMs(request.fromNs), toMs: Math.min(toSpanMs(request.toNs), request.nowMs) };
  if (kind === 'bytes') {
    const { spans, isCut } = yield* readNewestSpans(request);
    return { curves: sumBytes(spans, window), ...(isCut && { readSpans: spans.length }) };
  }
  const view = yield* readSpansView(request);
  return { curves: countRunning(view, kind, window), ...findReadSpans(view) };
}

function findReadSpans(view: SpansView): Pick<SpanCurves, 'readSpans'> {
  if (view.kind === 'folded') return { readSpans: view.readSpans };
  return view.isCut ? { readSpans: view.spans.length } : {};
}

/** How many spans run at once. Of folded ones, it is the average of each slot. */
export function countRunning(
  view: SpansView,
  kind: 'categories' | 'workers',
  window: TimeWindow
): ReadonlyMap<string, Steps> {
  const pickName = (lane: { category: string; worker: string }): string =>
    kind === 'workers' ? lane.worker : lane.category;
  const running: ReadonlyArray<readonly [string, Span]> =
    view.kind === 'single'
      ? view.spans.flatMap((span) => (span.part === 'finish' ? [] : [[pickName(span), createSpan(span)] as const]))
      : view.shares.map((share) => [
          pickName(share),
          { fromMs: share.startMs, toMs: share.endMs, amount: share.running },
        ]);
  return mapInOrder(groupByName(running), (spans) => accumulateSpans(spans, window));
}

/** An open span runs on. */
function createSpan({ timeNs, durationMs }: SpanRecord): Span {
  const fromMs = toSpanMs(timeNs);
  return { fromMs, toMs: durationMs === undefined ? undefined : fromMs + durationMs, amount: 1 };
}

/** The sums of `bytes` in the data of spans, each counted when it has finished. */
export function sumBytes(spans: readonly SpanRecord[], window: TimeWindow): ReadonlyMap<string, Steps> {
  const finished = spans.flatMap((span) => {
    const timeMs = toSpanMs(span.timeNs) + (span.durationMs ?? 0);
    const amount = span.part === 'start' ? undefined : readBytes(span.data);
    const isIn = amount !== undefined && timeMs >= window.fromMs && timeMs <= window.toMs;
    return isIn ? [{ category: span.category, timeMs, amount }] : [];
  });
  const categories = groupByName(finished.map((change) => [change.category, change]));
  const sums = mapInOrder(categories, (changes) => accumulateChanges(changes, window));
  if (!categories.has('evict')) return sums;
  return new Map([...sums, [LIVE_BYTES, accumulateChanges(listHeld(finished), window)]]);
}

/** Never below zero: what was taken before the range is not known. */
function listHeld(finished: ReadonlyArray<Change & { readonly category: string }>): readonly Change[] {
  let held = 0;
  return [...finished]
    .sort((a, b) => a.timeMs - b.timeMs)
    .flatMap(({ category, timeMs, amount }) => {
      if (category !== 'move' && category !== 'evict') return [];
      const next = Math.max(0, category === 'move' ? held + amount : held - amount);
      const change = { timeMs, amount: next - held };
      held = next;
      return [change];
    });
}

function readBytes(data: string | undefined): number | undefined {
  const bytes = data === undefined ? undefined : parseJsonObject(data)?.['bytes'];
  return typeof bytes === 'number' && Number.isFinite(bytes) ? bytes : undefined;
}

function groupByName<Value>(entries: ReadonlyArray<readonly [string, Value]>): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const [name, value] of entries) {
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(value);
  }
  return groups;
}

function mapInOrder<Value, Mapped>(
  groups: ReadonlyMap<string, Value>,
  transform: (value: Value) => Mapped
): ReadonlyMap<string, Mapped> {
  const names = [...groups].sort(([a], [b]) => compareNatural(a, b));
  return new Map(names.map(([name, value]) => [name, transform(value)]));
}
