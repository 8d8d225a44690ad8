import type { TimeWindow } from './transition.js';

/**
 * A step function, continuous from the right: `values[i]` holds from `timesMs[i]` until the next time. Times rise
 * strictly, and each is an instant with a net change, but for the two ends of the window, which come always. Without
 * any job it is empty.
 */
export interface Steps {
  readonly timesMs: readonly number[];
  readonly values: readonly number[];
}

export const NO_STEPS: Steps = { timesMs: [], values: [] };

/** Something that counts `amount` from `fromMs` until `toMs`; without an end, to the end of the window and beyond. */
export interface Span {
  readonly fromMs: number;
  readonly toMs?: number | undefined;
  readonly amount: number;
}

/** How much is there at each instant of the window. What began before counts from the window's start. */
export function accumulateSpans(spans: readonly Span[], window: TimeWindow): Steps {
  const changes: Change[] = [];
  let count = 0;
  for (const { fromMs, toMs, amount } of spans) {
    if (fromMs > window.toMs || (toMs !== undefined && (toMs < fromMs || toMs < window.fromMs))) continue;
    count += 1;
    changes.push({ timeMs: Math.max(fromMs, window.fromMs), amount });
    if (toMs !== undefined && toMs <= window.toMs) changes.push({ timeMs: toMs, amount: -amount });
  }
  return count === 0 ? NO_STEPS : accumulateChanges(changes, window);
}

export interface Change {
  readonly timeMs: number;
  readonly amount: number;
}

/** The running sum of changes within the window, with one net change an instant. */
export function accumulateChanges(changes: readonly Change[], window: TimeWindow): Steps {
  const netAt = new Map<number, number>([[window.fromMs, 0]]);
  for (const { timeMs, amount } of changes) netAt.set(timeMs, (netAt.get(timeMs) ?? 0) + amount);
  const timesMs: number[] = [];
  const values: number[] = [];
  let sum = 0;
  for (const [timeMs, net] of [...netAt].sort(([a], [b]) => a - b)) {
    sum += net;
    const value = roundSum(sum);
    if (timesMs.length > 0 && value === values.at(-1)) continue;
    timesMs.push(timeMs);
    values.push(value);
  }
  if (timesMs.at(-1) !== window.toMs) {
    timesMs.push(window.toMs);
    values.push(values.at(-1) ?? 0);
  }
  return { timesMs, values };
}

/** The sum of two curves of one window, either of which may be missing. */
export function addSteps(a: Steps = NO_STEPS, b: Steps = NO_STEPS, window: TimeWindow): Steps {
  if (a.timesMs.length === 0) return b;
  if (b.timesMs.length === 0) return a;
  return accumulateChanges([...listChanges(a), ...listChanges(b)], window);
}

function listChanges({ timesMs, values }: Steps): Change[] {
  return timesMs.map((timeMs, i) => ({ timeMs, amount: (values[i] ?? 0) - (values[i - 1] ?? 0) }));
}

/** Ten tenths of a node are one: sums of floats drift in their last digits. */
export function roundSum(sum: number): number {
  return Math.round(sum * 1e9) / 1e9 + 0;
}

/** The value at an instant; 0 before the first step. */
export function readStep({ timesMs, values }: Steps, timeMs: number): number {
  let [low, high] = [0, timesMs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timesMs[middle] ?? Infinity) <= timeMs) low = middle + 1;
    else high = middle;
  }
  return values[low - 1] ?? 0;
}

/** The mean over the time from `fromMs` until `toMs`. */
export function averageSteps(steps: Steps, { fromMs, toMs }: TimeWindow): number {
  if (toMs <= fromMs) return readStep(steps, fromMs);
  const inside = steps.timesMs.filter((timeMs) => timeMs > fromMs && timeMs < toMs);
  const edges = [fromMs, ...inside, toMs];
  const area = edges.slice(1).reduce((sum, edge, i) => {
    const beforeMs = edges[i] ?? edge;
    return sum + (edge - beforeMs) * readStep(steps, beforeMs);
  }, 0);
  return area / (toMs - fromMs);
}
