import fc from 'fast-check';
import { arbitrarySpans, createSpan } from '../testing/spans.js';
import { visitPieces } from './lane-pieces.js';
import { createLane, type Lane, packLanes } from './lanes.js';
import type { Viewport } from './viewport.js';

interface Piece {
  readonly leftPx: number;
  readonly rightPx: number;
  readonly first: number;
  readonly count: number;
  readonly strength: number;
}

function listPieces(lane: Lane, viewport: Viewport, presentMs = 1000): Piece[] {
  const pieces: Piece[] = [];
  visitPieces(lane, viewport, presentMs, (leftPx, rightPx, first, count, strength) =>
    pieces.push({ leftPx, rightPx, first, count, strength })
  );
  return pieces;
}

const VIEWPORT = fc
  .record({
    min: fc.nat(100),
    lengthMs: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.double({ min: 0.01, max: 5, noNaN: true })),
    widthPx: fc.integer({ min: 1, max: 300 }),
  })
  .map(({ min, lengthMs, widthPx }) => ({ min, max: min + lengthMs, widthPx }));

it('draws every span in sight once, in order and in place, whatever the zoom', () => {
  fc.assert(
    fc.property(arbitrarySpans({ maxMs: 100, hasOpen: true }), VIEWPORT, (spans, viewport) => {
      for (const own of packLanes(spans)) {
        const lane = createLane(own);
        const pieces = listPieces(lane, viewport);
        const drawn = pieces.flatMap(({ first, count }) => Array.from({ length: count }, (_, at) => first + at));
        const inSight = own.flatMap(({ startMs, endMs }, at) =>
          endMs >= viewport.min && startMs <= viewport.max ? [at] : []
        );
        expect(drawn).toEqual(inSight);
        pieces.forEach(({ leftPx, rightPx, strength }, at) => {
          expect(leftPx).toBeGreaterThanOrEqual(Math.floor(pieces[at - 1]?.leftPx ?? 0));
          expect(rightPx - leftPx).toBeGreaterThanOrEqual(1);
          expect(rightPx).toBeLessThanOrEqual(Math.max(viewport.widthPx, 1));
          expect(strength).toBeGreaterThanOrEqual(0);
          expect(strength).toBeLessThanOrEqual(1);
        });
      }
    })
  );
});

it('draws no more pieces than two a pixel, however many spans there are', () => {
  const spans = Array.from({ length: 50_000 }, (_, at) => createSpan({ startMs: at, endMs: at + 0.5 }));
  const lane = createLane(spans);
  const pieces = listPieces(lane, { min: 0, max: 50_000, widthPx: 400 });
  expect(pieces.length).toBeLessThanOrEqual(800);
  expect(pieces.reduce((sum, { count }) => sum + count, 0)).toBe(50_000);
  for (const { strength } of pieces) expect(strength).toBeCloseTo(0.5, 1);
});

it('draws an open span to now, and a slot as strongly as it was busy', () => {
  const lane = createLane([
    createSpan({ startMs: 0, endMs: 40, fold: { busy: 0.25, running: 2, count: 80 } }),
    createSpan({ startMs: 50, endMs: Infinity }),
  ]);
  const pieces = listPieces(lane, { min: 0, max: 100, widthPx: 100 }, 75);
  expect(pieces).toEqual([
    { leftPx: 0, rightPx: 40, first: 0, count: 1, strength: 0.25 },
    { leftPx: 50, rightPx: 75, first: 1, count: 1, strength: 1 },
  ]);
});
