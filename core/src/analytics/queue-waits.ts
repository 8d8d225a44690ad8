import { findEdgeMs } from './bins.js';
import type { Stay } from './stays.js';
import { roundSum } from './steps.js';
import { RUNNING, type TimeWindow } from './transition.js';

/** How long a job waited before it ran. */
export interface QueueWait {
  /** When it began to run. */
  readonly timeMs: number;
  readonly job: string;
  readonly user: string;
  readonly waitS: number;
}

/** The waits that ended in the window, in order; of jobs whose submission nobody knows there is none. */
export function listWaits(stays: readonly Stay[]): QueueWait[] {
  return stays
    .flatMap(({ state, isEntered, waitS, job, user, fromMs }) =>
      state === RUNNING && isEntered && waitS !== undefined ? { timeMs: fromMs, job, user, waitS } : []
    )
    .sort((a, b) => a.timeMs - b.timeMs);
}

/** The waits that ended in one bin of time. */
export interface WaitBin {
  /** The bin is (fromMs, toMs]. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly count: number;
  readonly meanS: number;
  readonly medianS: number;
  /** Nine in ten waited no longer. */
  readonly p90S: number;
  readonly maxS: number;
}

/** The bins of time that hold a wait, in order. */
export function summarizeWaits(
  waits: readonly Pick<QueueWait, 'timeMs' | 'waitS'>[],
  window: TimeWindow,
  stepMs: number
): WaitBin[] {
  const bins = new Map<number, number[]>();
  for (const { timeMs, waitS } of waits) {
    const edgeMs = findEdgeMs(timeMs, stepMs);
    const known = bins.get(edgeMs);
    if (known === undefined) bins.set(edgeMs, [waitS]);
    else known.push(waitS);
  }
  return [...bins]
    .sort(([a], [b]) => a - b)
    .map(([edgeMs, waitsS]) => ({ ...createBin(edgeMs, window, stepMs), ...summarize(waitsS) }));
}

/** The bins of both, in order. Where both have a bin, its quantiles lie between theirs, by how many waits each has. */
export function addWaitBins(a: readonly WaitBin[], b: readonly WaitBin[]): WaitBin[] {
  const sums = new Map(a.map((bin) => [bin.toMs, bin]));
  for (const bin of b) {
    const known = sums.get(bin.toMs);
    sums.set(bin.toMs, known === undefined ? bin : addBins(known, bin));
  }
  return [...sums.values()].sort((x, y) => x.toMs - y.toMs);
}

function addBins(a: WaitBin, b: WaitBin): WaitBin {
  const count = a.count + b.count;
  const mean = (ofA: number, ofB: number): number => roundSum((ofA * a.count + ofB * b.count) / count);
  return {
    ...{ fromMs: a.fromMs, toMs: a.toMs, count },
    meanS: mean(a.meanS, b.meanS),
    medianS: mean(a.medianS, b.medianS),
    p90S: mean(a.p90S, b.p90S),
    maxS: Math.max(a.maxS, b.maxS),
  };
}

/** The part of the bin that ends at an edge which is in the window. */
export function createBin(edgeMs: number, window: TimeWindow, stepMs: number): TimeWindow {
  return { fromMs: Math.max(window.fromMs, edgeMs - stepMs), toMs: Math.min(edgeMs, window.toMs) };
}

function summarize(waitsS: readonly number[]): Omit<WaitBin, 'fromMs' | 'toMs'> {
  const sorted = waitsS.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    meanS: roundSum(sorted.reduce((sum, waitS) => sum + waitS, 0) / sorted.length),
    medianS: findQuantile(sorted, 0.5),
    p90S: findQuantile(sorted, 0.9),
    maxS: sorted.at(-1) ?? NaN,
  };
}

/** The nearest rank: the least of the sorted values that at least this share of them does not exceed. */
export function findQuantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}
