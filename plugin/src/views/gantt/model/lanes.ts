import { binarySearch } from './binary-search.js';
import type { Span } from './spans.js';

/** Spans of which none overlaps another, oldest first. */
export interface Lane {
  readonly spans: readonly Span[];
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** How long those before each one ran; a slot counts with its busy share. One longer than the spans. */
  readonly ranMs: Float64Array;
}

/** Spans that begin at one instant and take no time need a lane each: else one would hide the others. */
const LEAST_MS = 1e-3;

/** When the lane of a span is free again. */
export function findFreeMs({ startMs, endMs }: Pick<Span, 'startMs' | 'endMs'>): number {
  return Math.max(endMs, startMs + LEAST_MS);
}

export function createLane(spans: readonly Span[]): Lane {
  const starts = Float64Array.from(spans, ({ startMs }) => startMs);
  const ends = Float64Array.from(spans, ({ endMs }) => endMs);
  const ranMs = new Float64Array(spans.length + 1);
  spans.forEach(({ startMs, endMs, fold }, at) => {
    const lasted = Number.isFinite(endMs) ? endMs - startMs : 0;
    ranMs[at + 1] = (ranMs[at] ?? 0) + lasted * (fold?.busy ?? 1);
  });
  return { spans, starts, ends, ranMs };
}

function insertSorted(numbers: number[], number: number): void {
  numbers.splice(
    binarySearch(numbers.length, (at) => (numbers[at] ?? 0) > number),
    0,
    number
  );
}

function sortRanges(spans: readonly Span[]): readonly Span[] {
  const isBefore = (a: Span, b: Span): number => a.startMs - b.startMs || compareEnds(b.endMs, a.endMs);
  const isSorted = spans.every((span, at) => at === 0 || isBefore(spans[at - 1] as Span, span) <= 0);
  return isSorted ? spans : [...spans].sort(isBefore);
}

/** A difference of two Infinities would be NaN. */
function compareEnds(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/**
 * Divides spans among the fewest lanes. Each takes the first free one, in the order of their starts and the longest
 * first, so that one that lies within another is in a lane below it wherever the one above is taken.
 */
export function packLanes(spans: readonly Span[]): readonly (readonly Span[])[] {
  const ordered = sortRanges(spans);
  const byEnd = Float64Array.from(ordered, findFreeMs);
  const endOrder = Uint32Array.from(ordered.keys()).sort((a, b) => compareEnds(byEnd[a] ?? 0, byEnd[b] ?? 0));
  const laneOf = new Uint32Array(ordered.length);
  const lanes: Span[][] = [];
  const free: number[] = [];
  let ended = 0;
  ordered.forEach((span, at) => {
    for (; (byEnd[endOrder[ended] ?? 0] ?? Infinity) <= span.startMs && ended < at; ended++) {
      insertSorted(free, laneOf[endOrder[ended] ?? 0] ?? 0);
    }
    const lane = free.shift() ?? lanes.length;
    laneOf[at] = lane;
    (lanes[lane] ??= []).push(span);
  });
  return lanes;
}
