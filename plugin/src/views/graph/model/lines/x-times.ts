import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { findRowAt } from '../../../parts/hover.js';
import type { GraphLine } from './graphs.js';

/** When the newest row at this X was printed. */
export function findTimeOfX(lines: readonly GraphLine[], x: number): number | undefined {
  let newest: number | undefined;
  for (const { xs, timesMs } of new Map(lines.map((line) => [line.xs, line])).values()) {
    const row = timesMs === undefined ? -1 : xs.lastIndexOf(x);
    const timeMs = timesMs?.[row];
    if (timeMs !== undefined && (newest === undefined || timeMs > newest)) newest = timeMs;
  }
  return newest;
}

/** The X of the row that was the newest one at an instant. */
export function findXOfTime(lines: readonly GraphLine[], timeMs: number): number | undefined {
  let best: { readonly x: number; readonly distance: number } | undefined;
  for (const { xs, timesMs } of new Map(lines.map((line) => [line.xs, line])).values()) {
    if (timesMs === undefined) continue;
    const row = findRowAt(timesMs, timeMs);
    const x = xs[row];
    const distance = Math.abs((timesMs[row] ?? Infinity) - timeMs);
    if (x !== undefined && (best === undefined || distance < best.distance)) best = { x, distance };
  }
  return best?.x;
}

/** The exact time of the newest row at this X, in nanoseconds; of the millisecond where no more is known. */
export function findSelectedTime(lines: readonly GraphLine[], x: number): bigint | undefined {
  let newest: bigint | undefined;
  for (const { xs, timesMs, timesNs } of new Map(lines.map((line) => [line.xs, line])).values()) {
    const row = xs.lastIndexOf(x);
    const timeMs = timesMs?.[row];
    if (timeMs === undefined || Number.isNaN(timeMs)) continue;
    const timeNs = timesNs === undefined ? BigInt(Math.round(timeMs)) * NS_PER_MS : BigInt(timesNs[row] ?? 0);
    if (newest === undefined || timeNs > newest) newest = timeNs;
  }
  return newest;
}
