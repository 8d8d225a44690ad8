import { binarySearch } from './binary-search.js';
import type { Span } from './spans.js';
import type { Viewport } from './viewport.js';

/** How many spans run at once, as steps: each number holds until the next time. */
export interface Saturation {
  readonly timesMs: Float64Array;
  readonly running: Float64Array;
  readonly peak: number;
}

/** Each instant has one net change, so that a span that follows another is no peak. */
export function createSaturation(spans: Iterable<Span>): Saturation {
  const changes = new Map<number, number>();
  const change = (timeMs: number, by: number): void => {
    if (Number.isFinite(timeMs)) changes.set(timeMs, (changes.get(timeMs) ?? 0) + by);
  };
  for (const { startMs, endMs, fold } of spans) {
    const weight = fold?.running ?? 1;
    change(startMs, weight);
    change(endMs, -weight);
  }
  const timesMs = Float64Array.from(changes.keys()).sort();
  const running = new Float64Array(timesMs.length);
  let [now, peak] = [0, 0];
  timesMs.forEach((timeMs, at) => {
    now += changes.get(timeMs) ?? 0;
    // Sums of shares leave dust.
    running[at] = Math.abs(now) < 1e-9 ? 0 : now;
    peak = Math.max(peak, running[at] ?? 0);
  });
  return { timesMs, running, peak };
}

export function findRunning({ timesMs, running }: Saturation, timeMs: number): number {
  const next = binarySearch(timesMs.length, (at) => (timesMs[at] ?? 0) > timeMs);
  return running[next - 1] ?? 0;
}

/** The most that ran at once within each pixel. */
export function listPeaks(saturation: Saturation, { min, max, widthPx }: Viewport): Float64Array {
  const { timesMs, running } = saturation;
  const peaks = new Float64Array(Math.max(0, Math.floor(widthPx)));
  const msPerPx = (max - min) / Math.max(1, widthPx);
  let at = binarySearch(timesMs.length, (index) => (timesMs[index] ?? 0) > min);
  let current = running[at - 1] ?? 0;
  for (let px = 0; px < peaks.length; px++) {
    for (; (timesMs[at] ?? Infinity) <= min + px * msPerPx; at++) current = running[at] ?? 0;
    let most = current;
    for (const endMs = min + (px + 1) * msPerPx; (timesMs[at] ?? Infinity) < endMs; at++) {
      current = running[at] ?? 0;
      if (current > most) most = current;
    }
    peaks[px] = most;
  }
  return peaks;
}
