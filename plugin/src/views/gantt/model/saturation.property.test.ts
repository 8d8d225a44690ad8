import fc from 'fast-check';
import { arbitrarySpans, createFold, createSpan } from '../testing/spans.js';
import { createSaturation, findRunning, listPeaks } from './saturation.js';

it('counts what runs at each instant as a slow count does', () => {
  fc.assert(
    fc.property(arbitrarySpans({ maxMs: 40, hasOpen: true }), fc.nat(100), (spans, timeMs) => {
      const saturation = createSaturation(spans);
      const runs = (at: number): number => spans.filter(({ startMs, endMs }) => startMs <= at && at < endMs).length;
      expect(findRunning(saturation, timeMs)).toBe(runs(timeMs));
      expect(saturation.peak).toBe(Math.max(0, ...spans.map(({ startMs }) => runs(startMs))));
    })
  );
});

it('draws the highest number of each pixel', () => {
  fc.assert(
    fc.property(
      arbitrarySpans({ maxMs: 40, hasOpen: false }),
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom(15, 30, 60, 120),
      (spans, min, widthPx) => {
        const saturation = createSaturation(spans);
        const viewport = { min, max: min + 30, widthPx };
        const peaks = listPeaks(saturation, viewport);
        expect(peaks).toHaveLength(widthPx);
        const step = 30 / widthPx;
        peaks.forEach((peak, px) => {
          const [from, to] = [min + px * step, min + (px + 1) * step];
          const within = [...saturation.timesMs].filter((timeMs) => timeMs > from && timeMs < to);
          expect(peak).toBe(Math.max(...[from, ...within].map((timeMs) => findRunning(saturation, timeMs))));
        });
      }
    )
  );
});

it('adds up what folded slots say', () => {
  const saturation = createSaturation([
    createSpan({ startMs: 0, endMs: 10, fold: createFold({ running: 0.1 }) }),
    createSpan({ startMs: 0, endMs: 10, fold: createFold({ running: 2.2 }) }),
    createSpan({ startMs: 10, endMs: 20, fold: createFold({ running: 7 }) }),
  ]);
  expect([...saturation.running]).toEqual([2.3000000000000003, 7, 0]);
});
