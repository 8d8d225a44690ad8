import fc from 'fast-check';
import { arbitrarySpans, createSpan } from '../testing/spans.js';
import { createLane, findFreeMs, packLanes } from './lanes.js';
import type { Span } from './spans.js';

/** The most spans that run at one instant, found by looking at each start. */
function countAtOnce(spans: readonly Span[]): number {
  const at = (timeMs: number): number =>
    spans.filter((span) => span.startMs <= timeMs && timeMs < findFreeMs(span)).length;
  return Math.max(0, ...spans.map(({ startMs }) => at(startMs)));
}

it('packs all spans into the fewest lanes, none over another', () => {
  fc.assert(
    fc.property(arbitrarySpans({ maxMs: 50, hasOpen: true }), (spans) => {
      const lanes = packLanes(spans);
      expect(new Set(lanes.flat())).toEqual(new Set(spans));
      expect(lanes.flat()).toHaveLength(spans.length);
      expect(lanes).toHaveLength(countAtOnce(spans));
      for (const lane of lanes) {
        lane.forEach((span, at) => {
          const next = lane[at + 1];
          if (next !== undefined) expect(findFreeMs(span)).toBeLessThanOrEqual(next.startMs);
        });
      }
    })
  );
});

it('gives the same lanes for any order of spans that differ', () => {
  const spans = [
    ...[0, 2, 4].map((startMs) => createSpan({ startMs, endMs: startMs + 3 })),
    createSpan({ startMs: 1, endMs: Infinity }),
  ];
  expect(packLanes([...spans].reverse())).toEqual(packLanes(spans));
});

it('puts what lies within a span into the lanes below it', () => {
  const outer = createSpan({ startMs: 0, endMs: 10, name: 'outer' });
  const middle = createSpan({ startMs: 0, endMs: 6, name: 'middle' });
  const inner = createSpan({ startMs: 2, endMs: 4, name: 'inner' });
  const next = createSpan({ startMs: 10, endMs: 12, name: 'next' });
  const lanes = packLanes([inner, next, middle, outer]);
  expect(lanes.map((lane) => lane.map(({ name }) => name))).toEqual([['outer', 'next'], ['middle'], ['inner']]);
});

it('packs a hundred thousand spans at once', () => {
  const spans = Array.from({ length: 100_000 }, (_, at) => createSpan({ startMs: at % 977, endMs: (at % 977) + 30 }));
  expect(packLanes(spans).flat()).toHaveLength(spans.length);
});

it('knows how long the spans before each one ran', () => {
  const fold = { busy: 0.5, running: 3, count: 9 };
  const lane = createLane([
    createSpan({ startMs: 0, endMs: 4 }),
    createSpan({ startMs: 4, endMs: 8, fold }),
    createSpan({ startMs: 8, endMs: Infinity }),
  ]);
  expect([...lane.ranMs]).toEqual([0, 4, 6, 6]);
});
