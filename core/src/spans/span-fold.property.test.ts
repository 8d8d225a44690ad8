import fc from 'fast-check';
import { listSlotShares, type SlotShare } from './slot-shares.js';
import { type FinishedSpan, type FoldedSlot, SpanFold } from './span-fold.js';
import { findLevelWidthMs, SPAN_LEVELS } from './span-levels.js';

const EPOCH_MS = 1_700_000_000_000;
const LANES = [{ category: 'a (b)', worker: 'w-1' }, { worker: 'w.2' }, {}];

const spans: fc.Arbitrary<FinishedSpan[]> = fc.array(
  fc
    .record({
      lane: fc.constantFrom(...LANES),
      start: fc.integer({ min: 0, max: 2_000_000 }),
      length: fc.oneof(fc.constant(0), fc.integer({ max: 500, min: 0 }), fc.integer({ max: 1_000_000, min: 0 })),
    })
    .map(({ lane, start, length }) => {
      const startMs = EPOCH_MS + start / 8;
      return { ...lane, startMs, finishMs: startMs + length / 8 };
    }),
  { maxLength: 30 }
);

/** The slots of a lane at a width, added up, in order: also those that were taken in parts. */
function addUp(parts: readonly FoldedSlot[]): FoldedSlot[] {
  const sums = new Map<number, FoldedSlot>();
  for (const part of parts) {
    const known = sums.get(part.slotMs);
    const keys = ['starts', 'net', 'moment', 'busyNet', 'busyMoment'] as const;
    const sum = Object.fromEntries(keys.map((key) => [key, part[key] + (known?.[key] ?? 0)]));
    sums.set(part.slotMs, { ...part, ...sum });
  }
  return [...sums.values()].sort((a, b) => a.slotMs - b.slotMs);
}

/** What runs in a slot, by a look at each span. */
function foldSlowly(
  lane: readonly FinishedSpan[],
  startMs: number,
  endMs: number
): Omit<SlotShare, 'startMs' | 'endMs'> {
  const inSlot = lane.filter((span) => span.startMs < endMs && span.finishMs >= startMs);
  const cuts = inSlot.map((span) => [Math.max(startMs, span.startMs), Math.min(endMs, span.finishMs)] as const);
  const edges = [...new Set(cuts.flat())].sort((a, b) => a - b);
  const busyMs = edges.slice(1).reduce((sum, to, i) => {
    const from = edges[i] ?? to;
    return cuts.some(([a, b]) => a <= from && b >= to) ? sum + to - from : sum;
  }, 0);
  const runMs = cuts.reduce((sum, [a, b]) => sum + b - a, 0);
  return { busy: busyMs / (endMs - startMs), running: runMs / (endMs - startMs), count: inSlot.length };
}

const laneOf = ({ category = '', worker = '' }: Pick<FinishedSpan, 'category' | 'worker'>): string =>
  JSON.stringify([category, worker]);

it('tells of each slot what a look at each span tells, whatever the order and however it is taken', () => {
  fc.assert(
    fc.property(spans, fc.nat({ max: 30 }), fc.constantFrom(...SPAN_LEVELS), (all, takenAfter, level) => {
      const widthMs = findLevelWidthMs(level);
      const fold = new SpanFold();
      const parts: FoldedSlot[] = [];
      all.forEach((span, i) => {
        fold.add(span);
        if (i === takenAfter) parts.push(...fold.take());
      });
      expect(fold.size).toBeGreaterThanOrEqual(0);
      parts.push(...fold.take());
      expect([fold.size, fold.take()]).toEqual([0, []]);
      for (const lane of LANES) {
        const ofLane = all.filter((span) => laneOf(span) === laneOf(lane));
        const slots = addUp(parts.filter((part) => laneOf(part) === laneOf(lane) && part.width === level - 1));
        const range = { widthMs, fromMs: EPOCH_MS - widthMs, toMs: EPOCH_MS + 1_000_000, net: 0, busyNet: 0 };
        const shares = listSlotShares(slots, range);
        for (const { startMs, endMs, ...share } of shares) {
          const slow = foldSlowly(ofLane, startMs, endMs);
          expect(share.count).toBe(slow.count);
          expect(share.running).toBeCloseTo(slow.running, 5);
          expect(share.busy).toBeCloseTo(slow.busy, 5);
        }
        // Each span is in all slots that it touches.
        for (const span of ofLane) {
          const touched = shares.filter(({ startMs, endMs }) => startMs < span.finishMs && endMs > span.startMs);
          const coveredMs = touched.reduce(
            (sum, { startMs, endMs }) => sum + Math.min(endMs, span.finishMs) - Math.max(startMs, span.startMs),
            0
          );
          expect(coveredMs).toBeCloseTo(span.finishMs - span.startMs, 5);
        }
      }
    })
  );
});

it('adds slots of a level up to wider ones', () => {
  const spansOf = Array.from({ length: 50 }, (_, i) => ({
    startMs: EPOCH_MS + i * 37.5,
    finishMs: EPOCH_MS + i * 41 + 100,
  }));
  const [fine, wide] = [new SpanFold([64]), new SpanFold([256])];
  for (const span of spansOf) [fine, wide].forEach((fold) => fold.add(span));
  const merged = addUp(fine.take().map((slot) => ({ ...slot, slotMs: Math.floor(slot.slotMs / 256) * 256 })));
  const range = { widthMs: 256, fromMs: EPOCH_MS - 256, toMs: EPOCH_MS + 10_000, net: 0, busyNet: 0 };
  const sharesOf = (slots: FoldedSlot[]): number[] =>
    listSlotShares(slots, range).flatMap(({ busy, running, count }) => [busy, running, count]);
  const expected = sharesOf(addUp(wide.take()));
  sharesOf(merged).forEach((value, i) => expect(value).toBeCloseTo(expected[i] ?? NaN, 6));
});

it('holds no more slots than spans make, however long they are', () => {
  const fold = new SpanFold();
  for (let i = 0; i < 100; i += 1) fold.add({ startMs: EPOCH_MS, finishMs: EPOCH_MS + 1e10 + i });
  expect(fold.size).toBeLessThan(10);
  expect(fold.take().length).toBeLessThan(50);
});
