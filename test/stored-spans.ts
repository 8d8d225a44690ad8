import type { Point } from '@joblens/core/point/point';
import { createSpanLevelPoint } from '@joblens/core/schema/span-level-point';
import { createSpanPoint, type Span } from '@joblens/core/schema/span-point';
import { SpanFold } from '@joblens/core/spans/span-fold';

export const SPANS_FROM_MS = 1_700_000_000_000;
const OWNER = { job: 'traced (1)', user: 'ann' };
const NS_PER_MS = 1_000_000n;
const toNs = (timeMs: number): bigint => BigInt(Math.round(timeMs * 1000)) * 1000n;

/** A job with a span every 50 ms of one of four lanes, a long one, an open one, and a finish without a start. */
export function createStoredSpans(count = 8000): readonly Span[] {
  const short = Array.from({ length: count }, (_, i): Span => {
    const lane = { category: i % 2 === 0 ? 'com pute' : '', worker: i % 4 < 2 ? 'w-1' : 'tcp://10.0.0.1:80' };
    const startNs = toNs(SPANS_FROM_MS + i * 50);
    const durationMs = (i % 7) * 40.5;
    return { ...OWNER, ...lane, id: `s-${i}`, name: i % 1000 === 0 ? `rare "${i}"` : 'inc', startNs, durationMs };
  });
  const more: readonly Span[] = [
    { ...OWNER, category: 'io', id: 'long', name: 'load', startNs: toNs(SPANS_FROM_MS - 60_000), durationMs: 200_000 },
    { ...OWNER, category: 'io', id: 'open', name: 'save', startNs: toNs(SPANS_FROM_MS + 100_000), data: { n: 1 } },
    { ...OWNER, id: 'lost', name: 'lost', startNs: toNs(SPANS_FROM_MS + 100_500), part: 'finish' },
  ];
  return [...short, ...more];
}

/** The points of spans and of their levels, which are written in some parts. */
export function createPoints(spans: readonly Span[]): readonly Point[] {
  const fold = new SpanFold();
  const levels: Point[] = [];
  spans.forEach(({ durationMs, startNs, ...lane }, i) => {
    const startMs = Number(startNs / 1000n) / 1000;
    if (durationMs !== undefined) fold.add({ ...lane, startMs, finishMs: startMs + durationMs });
    if (i % 3000 !== 2999 && i !== spans.length - 1) return;
    levels.push(...fold.take().map((slot) => createSpanLevelPoint(OWNER, slot, BigInt(i) * NS_PER_MS)));
  });
  return [...spans.map((span) => createSpanPoint(span)), ...levels];
}
